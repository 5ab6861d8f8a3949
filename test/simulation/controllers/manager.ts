import { type Clock, type Logger, type Random, silentMetrics } from '../../../lib/base/index.ts'
import { type Transport, withRetryAfter } from '../../../lib/client/index.ts'
import {
  type ControllerDefinition,
  defaultControllerSettings,
  startControllers,
} from '../../../lib/controller/index.ts'
import type { Canary } from './canaries.ts'
import type { Network } from './network.ts'
import type { World } from './world.ts'

/** One process of the controller manager, behind a network of its own. */
export interface ManagerProcess {
  readonly network: Network
  /** How far its clock is from the server's. */
  setSkew(ms: number): void
  /** Ends it at once, in the middle of what it does. */
  crash(): void
  /** Ends it gracefully. */
  stop(): Promise<void>
}

/** What is done more often costs the simulation time. */
const coarseMs = 5000

/** Starts a manager of these controllers, with the accounts that the real one has. Its start takes time like all else. */
export async function startManager(
  world: World,
  network: Network,
  definitions: readonly ControllerDefinition[],
  { random, log }: { readonly random: Random; readonly log: Logger },
  canary?: Canary,
): Promise<ManagerProcess> {
  let skewMs = 0
  const clock: Clock = { ...world.clock, now: () => world.clock.now() + skewMs }
  const connect = (account: string, isShared = false): Transport => {
    const identity = identityOf(isShared ? '' : account)
    const transport = withRetryAfter(network.wrap(world.connect(...identity), account), { clock })
    return account === canary?.account ? (canary.wrap?.(transport) ?? transport) : transport
  }
  const settings = {
    ...defaultControllerSettings,
    ...world.settings,
    nodeMonitorPeriod: 10_000,
    nodeMonitorGracePeriod: 100_000,
    resourceQuotaSyncPeriod: 60_000,
  }
  const services = { clock, random, log, metrics: silentMetrics, connect, gate: world.gate }
  const manager = await startControllers(services, definitions.map(withCoarsePeriods), { settings })
  return {
    network,
    setSkew(ms) {
      skewMs = ms
    },
    crash() {
      network.cutOff()
      void manager.close()
    },
    async stop() {
      await manager.close()
      network.cutOff()
    },
  }
}

function withCoarsePeriods(definition: ControllerDefinition): ControllerDefinition {
  return {
    ...definition,
    start: (context) =>
      definition.start({
        ...context,
        every: (periodMs, work, options) => context.every(Math.max(periodMs, coarseMs), work, options),
      }),
  }
}

function identityOf(account: string): [string, string[]] {
  if (account === '') return ['system:kube-controller-manager', ['system:masters']]
  return [
    `system:serviceaccount:kube-system:${account}`,
    ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
  ]
}
