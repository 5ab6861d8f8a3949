import { writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { encodeYaml } from '../../lib/codec/index.ts'
import { defaultControllerSettings, type Manager, startControllers } from '../../lib/controller/index.ts'
import { reasonOf } from '../../lib/controlplane/index.ts'
import { FlagError, type ParsedFlags } from '../../lib/flags/index.ts'
import { createScheduler } from '../../lib/scheduler/index.ts'
import { programVersion } from '../apiserver/build.ts'
import { connect } from '../component/connection.ts'
import type { ComponentCheck } from '../component/pages.ts'
import { type ComponentState, type ComponentTools, runComponent } from '../component/run.ts'
import { configureScheduler, type SchedulerConfig } from './configure.ts'
import { schedulerFlags, schedulerName } from './flags.ts'

/** Schedules pods until a signal ends it, or the lease is lost; returns the exit code. */
export async function schedule(program: string, parsed: ParsedFlags<typeof schedulerFlags>): Promise<number> {
  const config = await configureScheduler(parsed)
  const path = parsed.values['write-config-to']
  if (path !== '') return await writeConfig(config, path)
  return await runComponent({
    program,
    name: schedulerName,
    flags: config.flags,
    flagTables: schedulerFlags,
    config,
    version: programVersion(config.emulation),
    warnings: parsed.warnings,
    configz: () => ({ componentconfig: config.effective }),
    health: (state) =>
      new Map([
        ['/healthz', liveChecks(state)],
        ['/livez', liveChecks(state)],
        ['/readyz', readyChecks(state)],
      ]),
    start,
  })
}

async function writeConfig({ effective }: SchedulerConfig, path: string): Promise<number> {
  const { metadata: _none, ...shown } = effective
  try {
    await writeFile(path, encodeYaml(shown), { mode: 0o644 })
  } catch (error) {
    throw new FlagError(`--write-config-to: ${reasonOf(error)}`, { cause: error })
  }
  return 0
}

const ping: ComponentCheck = { name: 'ping', check: () => undefined }

function liveChecks({ leadership }: Readonly<ComponentState>): ComponentCheck[] {
  return leadership ? [ping, { name: 'leaderElection', check: () => leadership.check() }] : [ping]
}

/** A process that waits for the lease is ready to take it. */
function readyChecks(state: Readonly<ComponentState>): ComponentCheck[] {
  const { manager, isSynced, isStopping } = state
  return [
    ...liveChecks(state),
    { name: 'shutdown', check: () => (isStopping ? new Error('process is shutting down') : undefined) },
    {
      name: 'sched-handler-sync',
      check: () => (manager && !isSynced ? new Error('handlers are not fully synchronized') : undefined),
    },
    ...(manager?.controllers ?? []).map((name) => ({ name, check: () => manager?.check(name) })),
  ]
}

async function start({ services, config, server }: ComponentTools<SchedulerConfig>): Promise<Manager> {
  const { settings, random, unschedulableMsMax } = config
  const manager = await startControllers(
    {
      ...services,
      log: services.log.named('scheduling'),
      // All its requests are its own: it has no further accounts.
      connect: () => connect(services, config, server, schedulerName),
      gate: (name) => config.gates.gate(name),
      release: config.emulation.release,
    },
    [createScheduler({ ...settings, random, unschedulableMsMax, host: hostname() })],
    { settings: defaultControllerSettings },
  )
  services.log.info('the scheduler is running', { profiles: settings.profiles.map(({ name }) => name) })
  return manager
}
