import { type Logger, silentLogger, silentMetrics, systemRandom } from '../../../lib/base/index.ts'
import type { Client } from '../../../lib/client/index.ts'
import { createLeaderElection as createElection } from '../../../lib/controller/index.ts'
import { clockOf, type PlaneClock } from '../testkit/clock.ts'

export interface LeaderElectionOptions {
  readonly client: Client
  /** Namespace and name of the Lease, which is created where it doesn't exist. */
  readonly namespace: string
  readonly name: string
  /** Unique among the candidates. */
  readonly identity: string
  /** A leader that doesn't renew the lease for so long is followed by another one. Default 15 s. */
  readonly leaseDurationMs?: number
  /** A leader that can't renew the lease for so long gives up. Shorter than the duration. Default 10 s. */
  readonly renewDeadlineMs?: number
  /** Between two tries. Default 2 s. */
  readonly retryPeriodMs?: number
  /** Releases the lease at the end, so that the next leader need not wait until it expires. Default true. */
  readonly releaseOnStop?: boolean
  /** `plane.clock`, where the lease should follow the time of a control plane. Default: the machine's time. */
  readonly clock?: PlaneClock
  readonly logger?: Logger
}

export interface LeaderElection {
  /**
   * Waits until it is elected, then calls `lead` with a signal that aborts when the lease is lost or `signal` aborts.
   * Resolves with `stopped`, or with `lost` where another candidate may lead by now.
   */
  run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<'stopped' | 'lost'>
  readonly isLeader: boolean
  /** The identity of the leader as last seen; '' while unknown. */
  readonly leader: string
}

/** Elects one of several candidates by a Lease, as client-go does. Throws RangeError where the durations contradict each other. */
export function createLeaderElection({
  client,
  clock,
  logger = silentLogger,
  ...options
}: LeaderElectionOptions): LeaderElection {
  const dependencies = { clock: clockOf(clock), random: systemRandom, log: logger, metrics: silentMetrics, client }
  const election = createElection(dependencies, options)
  return {
    run: (signal, lead) => election.run(signal, lead),
    get isLeader() {
      return election.isLeader
    },
    get leader() {
      return election.leader
    },
  }
}
