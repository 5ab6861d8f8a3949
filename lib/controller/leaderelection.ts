import type { Lease } from '../../api/gen/coordination.k8s.io/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Logger, Metrics, Random } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { type Frozen, formatMicroTime, StatusError } from '../object/index.ts'

export interface LeaderElectionOptions {
  /** Namespace of the Lease. */
  readonly namespace: string
  readonly name: string
  /** Unique among the candidates. */
  readonly identity: string
  /** Default 15 s, 10 s, 2 s. */
  readonly leaseDurationMs?: number
  readonly renewDeadlineMs?: number
  readonly retryPeriodMs?: number
  /** Releases the lease at the end, so that the next leader need not wait until it expires. Default true. */
  readonly releaseOnStop?: boolean
}

interface LeaderElectionDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly client: Client
  /** Receives the text of an event about the Lease: `… became leader`. */
  announce?(lease: Frozen<Lease>, message: string): void
}

export interface Leadership {
  /**
   * Waits for the lease, then runs `lead` with a signal that aborts when the lease is lost or `signal` aborts.
   * `lost`: another process may lead by now, and this one should end, whether `lead` has returned or not.
   */
  run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<'stopped' | 'lost'>
  readonly isLeader: boolean
  /** The identity of the leader as last seen; '' while unknown. */
  readonly leader: string
  /** An Error where this process leads and has not renewed the lease until 20 s after its duration. */
  check(): Error | undefined
}

const jitter = 1.2
const overdueMs = 20_000
/** Limit for the release of the lease, which expires without it. */
const releaseMsMax = 1000
/** Limit for the end of `lead` after the lease was lost: another process may lead meanwhile. */
const lostMsMax = 2000

/** Elects one of several processes by a Lease that its holder renews, as stock clients do. */
export function createLeaderElection(
  { clock, random, log, metrics, client, announce }: LeaderElectionDependencies,
  {
    namespace,
    name,
    identity,
    leaseDurationMs = 15_000,
    renewDeadlineMs = 10_000,
    retryPeriodMs = 2_000,
    releaseOnStop = true,
  }: LeaderElectionOptions,
): Leadership {
  if (leaseDurationMs <= renewDeadlineMs)
    throw new RangeError('the lease duration must be greater than the renew deadline')
  if (renewDeadlineMs <= jitter * retryPeriodMs)
    throw new RangeError('the renew deadline must be greater than 1.2 times the retry period')
  if (identity === '') throw new RangeError('a leader needs an identity')
  const leases = client.resource(resources.coordination.v1.leases)
  const status = metrics.gauge({
    name: 'leader_election_master_status',
    help: '1 while this process leads, by the name of the lease',
    labels: ['name'],
    stability: 'ALPHA',
  })
  status.set([name], 0)
  /** The lease as last seen, and since when by the clock of this process: other clocks may differ. */
  let seen: { readonly lease: Frozen<Lease>; readonly sinceMs: number } | undefined
  let renewedMs = Number.NEGATIVE_INFINITY
  let leads = false
  /** The error of the most recent try; undefined when it succeeded. */
  let failure: unknown

  function note(lease: Frozen<Lease>): void {
    if (seen?.lease.metadata.resourceVersion === lease.metadata.resourceVersion) return
    seen = { lease, sinceMs: clock.monotonicMs() }
  }

  function holderOf(lease: Frozen<Lease>): string {
    return lease.spec.holderIdentity ?? ''
  }

  function isExpired(): boolean {
    if (!seen) return true
    const durationMs = (seen.lease.spec.leaseDurationSeconds ?? 0) * 1000
    return clock.monotonicMs() - seen.sinceMs >= durationMs
  }

  function specOf(before: Frozen<Lease> | undefined): Lease['spec'] {
    const now = formatMicroTime(clock.now())
    const stays = before !== undefined && holderOf(before) === identity
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      acquireTime: stays ? (before.spec.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: before === undefined ? 0 : (before.spec.leaseTransitions ?? 0) + (stays ? 0 : 1),
    }
  }

  async function create(signal: AbortSignal): Promise<void> {
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec: specOf(undefined),
    }
    note(await leases.create(lease, { signal }))
  }

  /** Tries once to acquire or renew the lease. */
  async function acquire(signal: AbortSignal): Promise<boolean> {
    const known = seen?.lease
    // The holder updates the lease as it last read it; other candidates read it first.
    if (leads && known && holderOf(known) === identity) {
      try {
        note(await leases.update({ ...known, spec: specOf(known) }, { signal }))
        return true
      } catch (error) {
        if (signal.aborted) throw error
      }
    }
    try {
      note(await leases.get({ namespace, name }, { signal }))
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 404) throw error
      await create(signal)
      return true
    }
    const current = seen?.lease
    if (!current) return false
    const holder = holderOf(current)
    if (holder !== '' && holder !== identity && !isExpired()) return false
    note(await leases.update({ ...current, spec: specOf(current) }, { signal }))
    return true
  }

  async function tryAcquire(signal: AbortSignal): Promise<boolean> {
    try {
      const acquired = await acquire(AbortSignal.any([signal]))
      failure = undefined
      return acquired
    } catch (error) {
      failure = error
      if (!signal.aborted) log.verbose(2, 'the lease was not acquired', { lease: name, error })
      return false
    }
  }

  /** Resolves when the lease has not been renewed within the deadline, or `signal` aborts. */
  async function keep(signal: AbortSignal): Promise<void> {
    renewedMs = clock.monotonicMs()
    while (!signal.aborted) {
      await clock.sleep(retryPeriodMs, signal).catch(() => {})
      if (signal.aborted) return
      const deadlineMs = renewedMs + renewDeadlineMs - clock.monotonicMs()
      if (deadlineMs <= 0) return
      const late = new AbortController()
      // As the stock client: time is left for another attempt, on another connection where the first is lost.
      const attemptMs = Math.min(deadlineMs, renewDeadlineMs / 2)
      const timer = clock.after(attemptMs, () => late.abort(new Error('the lease was not renewed in time')))
      const renewed = await tryAcquire(AbortSignal.any([signal, late.signal]))
      void timer.close()
      if (renewed) renewedMs = clock.monotonicMs()
      else if (seen && holderOf(seen.lease) !== identity && holderOf(seen.lease) !== '' && !isExpired()) return
    }
  }

  function reportLoss(): void {
    const holder = seen ? holderOf(seen.lease) : ''
    if (holder !== identity && holder !== '') log.error('the lease is lost', { lease: name, leader: holder })
    else log.error('the lease was not renewed in time', { lease: name, deadlineMs: renewDeadlineMs, error: failure })
  }

  async function release(): Promise<void> {
    const known = seen?.lease
    if (!known || holderOf(known) !== identity) return
    const now = formatMicroTime(clock.now())
    const spec = { ...known.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now }
    const late = new AbortController()
    const timer = clock.after(releaseMsMax, () => late.abort(new Error('the server does not answer')))
    try {
      note(await leases.update({ ...known, spec }, { signal: late.signal }))
    } catch (error) {
      log.verbose(2, 'the lease was not released', { lease: name, error })
    }
    void timer.close()
  }

  return {
    get isLeader() {
      return leads
    },
    get leader() {
      return seen ? holderOf(seen.lease) : ''
    },
    check() {
      const lateMs = clock.monotonicMs() - renewedMs
      return leads && lateMs > leaseDurationMs + overdueMs
        ? new Error(`failed election to renew leadership on lease ${name}`)
        : undefined
    },
    async run(signal, lead) {
      while (!(await tryAcquire(signal))) {
        if (signal.aborted) return 'stopped'
        await clock.sleep(retryPeriodMs * (1 + jitter * random.fraction()), signal).catch(() => {})
        if (signal.aborted) return 'stopped'
      }
      leads = true
      status.set([name], 1)
      if (seen) announce?.(seen.lease, `${identity} became leader`)
      const ending = new AbortController()
      const leading = lead(AbortSignal.any([signal, ending.signal]))
      const outcome = await Promise.race([
        keep(signal).then(() => 'kept' as const),
        leading.then(() => 'done' as const),
      ])
      const lost = outcome === 'kept' && !signal.aborted
      if (lost) reportLoss()
      ending.abort(new Error(lost ? 'the lease was lost' : 'leading is over'))
      await (lost ? Promise.race([leading, clock.sleep(lostMsMax)]) : leading)
      leads = false
      status.set([name], 0)
      if (seen) announce?.(seen.lease, `${identity} stopped leading`)
      if (!lost && releaseOnStop) await release()
      return lost ? 'lost' : 'stopped'
    },
  }
}
