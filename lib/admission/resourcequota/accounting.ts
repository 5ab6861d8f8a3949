import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import type { Amounts } from '../../quota/index.ts'
import { type Charge, chargeQuotas, type Quota } from './check.ts'
import type { LimitedResource } from './limited.ts'

export interface AccountingDependencies {
  readonly clock: Clock
  /** The quotas of a namespace, in a cache or in the store. */
  quotas(namespace: string, signal: AbortSignal): readonly Quota[] | Promise<readonly Quota[]>
  live(namespace: string, signal: AbortSignal): Promise<readonly Quota[]>
  /** Sets the used amounts, if the quota is unchanged; else rejects with 409 Conflict or 404. */
  write(quota: Quota, used: Amounts): Promise<Quota>
}

/** Charges writes to the quotas of their namespaces. */
interface Accounting {
  /** Resolves when the write may proceed; rejects with the refusal. */
  charge(charge: Charge): Promise<void>
}

const timeoutMs = 10_000
/** Writes of one namespace that may wait for its quotas; beyond it they are answered 429. */
const waitingMax = 10_000
/** Writes that are charged together. */
const batchMax = 500
/** Quotas whose last update by this server is kept until the cache shows it. */
const ownUpdatesMax = 1000
/** Maximum number of attempts for a quota that other servers charge at the same time. */
const attemptsMax = 11

interface Waiter {
  readonly charge: Charge
  readonly admit: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Writes of one namespace wait while its quotas are being updated, and the next update charges them together. An update
 * is conditional on the quota's resourceVersion, so that several servers never exceed a quota together.
 */
export function createAccounting(
  { clock, quotas, live, write }: AccountingDependencies,
  limited: readonly LimitedResource[],
): Accounting {
  /** By namespace; a namespace is present while its quotas are being updated. */
  const waiting = new Map<string, Waiter[]>()
  const written = new LRUCache<string, Quota>({ max: ownUpdatesMax })

  async function work(namespace: string): Promise<void> {
    for (;;) {
      const waiters = waiting.get(namespace) ?? []
      const batch = waiters.splice(0, batchMax)
      if (batch.length === 0) return void waiting.delete(namespace)
      try {
        await decide(namespace, batch)
      } catch (error) {
        for (const { refuse } of batch) refuse(error)
      }
    }
  }

  /** Decides all writes of the batch. */
  async function decide(namespace: string, batch: readonly Waiter[]): Promise<void> {
    const limit = new AbortController()
    const timer = clock.after(timeoutMs, () => limit.abort(timedOut()))
    try {
      await decideWithin(namespace, batch, limit.signal)
    } finally {
      void timer.close()
    }
  }

  /** The cache may be behind: it doesn't refuse anything alone. */
  async function decideWithin(namespace: string, batch: readonly Waiter[], signal: AbortSignal): Promise<void> {
    const doubtful = await chargeTo(namespace, newest(await quotas(namespace, signal)), batch, signal)
    if (doubtful.length === 0) return
    const refused = await chargeTo(
      namespace,
      await live(namespace, signal),
      doubtful.map(({ waiter }) => waiter),
      signal,
    )
    for (const { waiter, why } of refused) waiter.refuse(why)
  }

  /** Charges the writes to these quotas; returns the writes that they refuse. */
  async function chargeTo(
    namespace: string,
    shown: readonly Quota[],
    batch: readonly Waiter[],
    signal: AbortSignal,
  ): Promise<Refused[]> {
    const refused: Refused[] = []
    let current = shown
    let open = batch
    for (let attempt = 1; open.length > 0; attempt++) {
      const isFirst = attempt === 1
      const late: Refused[] = []
      // Later attempts see only the quotas that are still to be charged: the first one has found out which quotas cover
      // a write.
      const { charged, using } = chargeAll(current, open, isFirst ? refused : late, isFirst ? limited : [])
      for (const { waiter, why } of late) waiter.refuse(why)
      const failures = await writeAll(charged)
      open = open.filter((waiter) => {
        const names = using.get(waiter)
        if (!names) return false
        const failure = names.map((name) => failures.get(name)).find((error) => error !== undefined)
        if (failure === undefined) waiter.admit()
        else if (attempt >= attemptsMax || !isOutdated(failure)) waiter.refuse(failure)
        else return true
        return false
      })
      // Charged quotas stay charged: only the others are tried again.
      if (open.length > 0) current = (await live(namespace, signal)).filter((quota) => failures.has(nameOf(quota)))
    }
    return refused
  }

  /** The errors by the quota's name. */
  async function writeAll(charged: ReadonlyMap<string, ChargedQuota>): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>()
    await Promise.all(
      Array.from(charged, async ([name, { quota, used }]) => {
        try {
          const updated = await write(quota, used)
          written.set(keyOf(updated), updated)
        } catch (error) {
          failures.set(name, error)
        }
      }),
    )
    return failures
  }

  /** Replaces quotas with this server's own last update when the cache does not show it yet. */
  function newest(shown: readonly Quota[]): readonly Quota[] {
    return shown.map((quota) => {
      const own = written.get(keyOf(quota))
      return own && own.metadata.uid === quota.metadata.uid && versionOf(own) > versionOf(quota) ? own : quota
    })
  }

  return {
    charge(charge) {
      const { namespace } = charge.attributes
      const known = waiting.get(namespace)
      if (known && known.length >= waitingMax)
        return Promise.reject(statusErrors.tooManyRequests('too many requests wait for the quotas of the namespace', 1))
      const result = Promise.withResolvers<void>()
      const timer = clock.after(timeoutMs, () => result.reject(timedOut()))
      const waiter = {
        charge,
        admit() {
          void timer.close()
          result.resolve()
        },
        refuse(error: unknown) {
          void timer.close()
          result.reject(error)
        },
      }
      if (known) known.push(waiter)
      else {
        waiting.set(namespace, [waiter])
        // Writes of the same moment are charged together.
        clock.soon(() => void work(namespace))
      }
      return result.promise
    },
  }
}

function timedOut(): StatusError {
  return statusErrors.internal('resource quota evaluation timed out')
}

interface Refused {
  readonly waiter: Waiter
  readonly why: unknown
}

interface ChargedQuota {
  /** The stored quota. */
  readonly quota: Quota
  readonly used: Amounts
}

/**
 * Charges one write after the other to the quotas, each to the result of the ones before. `using`: the names of the
 * quotas that a write uses; decided writes have no entry.
 */
function chargeAll(
  stored: readonly Quota[],
  waiters: readonly Waiter[],
  refused: Refused[],
  limited: readonly LimitedResource[],
): { readonly charged: ReadonlyMap<string, ChargedQuota>; readonly using: ReadonlyMap<Waiter, readonly string[]> } {
  const state = new Map<string, Quota>(stored.map((quota) => [nameOf(quota), quota]))
  const using = new Map<Waiter, readonly string[]>()
  const chargeOne = (waiter: Waiter): void => {
    const { charge } = waiter
    const charges = chargeQuotas([...state.values()], charge, limited)
    if (charges.size === 0 || charge.attributes.dryRun) return waiter.admit()
    for (const [quota, used] of charges)
      state.set(nameOf(quota), { ...quota, status: { ...quota.status, used: { ...used } } })
    using.set(waiter, Array.from(charges.keys(), nameOf))
  }
  for (const waiter of waiters)
    try {
      chargeOne(waiter)
    } catch (why) {
      refused.push({ waiter, why })
    }
  const charged = new Map<string, ChargedQuota>()
  for (const quota of stored) {
    const after = state.get(nameOf(quota))
    if (after && after !== quota) charged.set(nameOf(quota), { quota, used: after.status?.used ?? {} })
  }
  return { charged, using }
}

/** The quota was changed or deleted meanwhile. */
function isOutdated(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 409 || error.code === 404)
}

function nameOf({ metadata }: Quota): string {
  return metadata.name ?? ''
}

function keyOf({ metadata }: Quota): string {
  return `${metadata.namespace}/${metadata.name}`
}

function versionOf({ metadata }: Quota): number {
  return Number(metadata.resourceVersion ?? 0)
}
