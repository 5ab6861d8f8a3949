import type { Container } from '../../../api/gen/core/v1.ts'
import type { Clock } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import { canRun } from '../shell/run.ts'
import type { ContainerBehaviour } from './behaviour.ts'
import type { CommandResult } from './command.ts'
import { type ProbeKind, probeOf, runProbes, runsInShell } from './probes.ts'
import type { ContainerRecord } from './record.ts'

/** A running container, to those who watch it. */
interface Watched {
  readonly clock: Clock
  run(command: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<CommandResult>
  note(change: Pick<ContainerRecord, 'hasStarted' | 'isReady'>): void
  event(type: 'Normal' | 'Warning', reason: string, message: string): void
  kill(): void
}

/** A hook that takes longer has failed. */
const hookMsMax = 60 * 60_000

const titles: Readonly<Record<ProbeKind, string>> = {
  startup: 'Startup',
  readiness: 'Readiness',
  liveness: 'Liveness',
}

/** Runs the hook after a container's start, then its probes, until `signal` aborts; rejects with its reason then. */
export async function accompany(
  container: Frozen<Container>,
  behaviour: ContainerBehaviour,
  watched: Watched,
  signal: AbortSignal,
): Promise<void> {
  if (!(await ranHook(container, watched, signal))) return
  for (const kind of ['startup', 'readiness', 'liveness'] as const) reportUnknown(container, kind, watched)
  await runProbes(
    container,
    behaviour,
    watched,
    {
      passed: (kind) => {
        if (kind === 'startup') watched.note({ hasStarted: true })
        if (kind === 'readiness') watched.note({ isReady: true })
      },
      failed: (kind, output) => watched.event('Warning', 'Unhealthy', `${titles[kind]} probe failed: ${output}`),
      exceeded: (kind) => {
        if (kind === 'readiness') return watched.note({ isReady: false })
        watched.event('Normal', 'Killing', `Container ${container.name} failed ${kind} probe, will be restarted`)
        watched.kill()
      },
    },
    signal,
  )
}

/** False: the hook has failed, and the container is killed. */
async function ranHook(
  { name, lifecycle }: Frozen<Container>,
  watched: Watched,
  signal: AbortSignal,
): Promise<boolean> {
  const command = lifecycle?.postStart?.exec?.command
  if (command === undefined) return true
  if (!canRun(command)) {
    watched.event('Warning', 'FailedPostStartHook', `PostStartHook is not run: ${unknown(command)}`)
    return true
  }
  const { exitCode } = await watched.run(command, hookMsMax, signal)
  if (exitCode === 0) return true
  watched.event('Warning', 'FailedPostStartHook', 'PostStartHook failed')
  watched.event('Normal', 'Killing', `Container ${name} failed postStart hook`)
  watched.kill()
  return false
}

/** A command that the shell doesn't know counts as successful, and is named. */
function reportUnknown(container: Frozen<Container>, kind: ProbeKind, { event }: Watched): void {
  const probe = probeOf(container, kind)
  if (probe?.exec === undefined || runsInShell(probe)) return
  event(
    'Warning',
    'ProbeWarning',
    `${titles[kind]} probe warning: ${unknown(probe.exec.command)}: it counts as successful`,
  )
}

function unknown(command: readonly string[] = []): string {
  return `the shell of hollow nodes does not know the command ${JSON.stringify(command.join(' '))}`
}
