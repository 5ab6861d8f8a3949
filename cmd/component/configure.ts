import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { LeaderElectionOptions } from '../../lib/controller/index.ts'
import type { Emulation, FeatureGates } from '../../lib/features/index.ts'
import { FlagError, type FlagValues } from '../../lib/flags/index.ts'
import type { ComponentFlags, leaderElectionFlags } from './flags.ts'

/** The configuration that every program beside the API server has. */
export interface ComponentConfig {
  readonly emulation: Emulation
  readonly gates: FeatureGates
  /** Undefined: it is active at once, without leader election. */
  readonly election: LeaderElectionOptions | undefined
  /** '' for a pod's own service account. */
  readonly kubeconfig: string
  readonly master: string
  readonly protobuf: boolean
  readonly rateLimit: { readonly qps: number; readonly burst: number } | undefined
}

type ElectionFlags = FlagValues<{ readonly election: ReturnType<typeof leaderElectionFlags> }>

/** Throws FlagError. */
export function checkComponentFlags(flags: ComponentFlags): void {
  checkElection(flags)
  if ((flags['tls-cert-file'] === '') !== (flags['tls-private-key-file'] === ''))
    throw new FlagError('--tls-cert-file and --tls-private-key-file go together')
}

/** The settings of the leader election; undefined where there is none. */
export function electionOf(flags: ElectionFlags): LeaderElectionOptions | undefined {
  if (!flags['leader-elect']) return undefined
  return {
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    identity: `${hostname()}_${randomUUID()}`,
    leaseDurationMs: flags['leader-elect-lease-duration'],
    renewDeadlineMs: flags['leader-elect-renew-deadline'],
    retryPeriodMs: flags['leader-elect-retry-period'],
  }
}

function checkElection(flags: ElectionFlags): void {
  if (flags['leader-elect-resource-lock'] !== 'leases')
    throw new FlagError('--leader-elect-resource-lock: only leases are supported')
  if (flags['leader-elect-lease-duration'] <= flags['leader-elect-renew-deadline'])
    throw new FlagError('--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline')
  if (flags['leader-elect-renew-deadline'] <= 1.2 * flags['leader-elect-retry-period'])
    throw new FlagError('--leader-elect-renew-deadline must be greater than 1.2 times --leader-elect-retry-period')
}
