import { createServerConnections, type Transport } from '../../lib/client/index.ts'
import { type Manager, selectControllers, startControllers } from '../../lib/controller/index.ts'
import { controllers } from '../../lib/controllers/index.ts'
import type { VersionInfo } from '../../lib/features/index.ts'
import { connect } from '../component/connection.ts'
import type { ComponentCheck } from '../component/pages.ts'
import { type ComponentState, type ComponentTools, runComponent } from '../component/run.ts'
import { createAccountCredentials, createAccountMaker } from './accounts.ts'
import type { ManagerConfig } from './configure.ts'
import { configzOf } from './configz.ts'
import { type ManagerFlags, managerFlags } from './flags.ts'

const userAgent = 'kube-controller-manager'

/** Runs the controllers until a signal ends them, or the lease is lost; returns the exit code. */
export function runManager(
  program: string,
  flags: ManagerFlags,
  config: ManagerConfig,
  version: VersionInfo,
  warnings: readonly string[],
): Promise<number> {
  return runComponent({
    program,
    name: userAgent,
    flags,
    flagTables: managerFlags,
    config,
    version,
    warnings,
    configz: () => ({ 'kubecontrollermanager.config.k8s.io': configzOf(flags) }),
    health: (state) => new Map([['/healthz', checksOf(state)]]),
    start,
  })
}

function checksOf({ manager, leadership }: Readonly<ComponentState>): ComponentCheck[] {
  const running = (manager?.controllers ?? []).map((name) => ({ name, check: () => manager?.check(name) }))
  const election = leadership ? [{ name: 'leaderElection', check: () => leadership.check() }] : []
  const checks = [...election, ...running]
  return checks.length > 0 ? checks : [{ name: 'ping', check: () => undefined }]
}

async function start({ services, config, server, client }: ComponentTools<ManagerConfig>): Promise<Manager> {
  const { log, clock } = services
  const makeAccount = createAccountMaker({ client, log })
  const { authorization: _token, cert, key: _key, credentials: source, ...open } = server.endpoint
  // A certificate belongs to the connection: requests of other accounts go on another one.
  const isShared = cert === undefined && source === undefined
  const connections = isShared ? server.connections : createServerConnections(services, open)
  const connectAs = (account: string, asShared = false): Transport => {
    if (account === '') return connect(services, config, server, userAgent)
    if (!config.accounts || asShared) return connect(services, config, server, `${userAgent}/${account}`)
    void makeAccount(account)
    const credentials = createAccountCredentials({ clock, client }, account)
    const agent = `${userAgent}/system:serviceaccount:kube-system:${account}`
    return connect(services, config, { ...server, endpoint: { ...open, credentials }, connections }, agent)
  }
  const manager = await startControllers(
    {
      ...services,
      log: log.named('controllers'),
      connect: connectAs,
      gate: (name) => config.gates.gate(name),
      release: config.emulation.release,
    },
    selectControllers(controllers, config.controllers),
    { settings: config.settings, shutdownMs: config.shutdownMs },
  )
  log.info('controllers are running', { controllers: manager.controllers.length })
  return {
    ...manager,
    async close() {
      await manager.close()
      if (!isShared) connections.close()
    },
  }
}
