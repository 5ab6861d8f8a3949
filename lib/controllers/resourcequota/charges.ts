import type { Clock } from '../../base/index.ts'
import type { Source } from './sources.ts'

/**
 * How long a charged write may take. Only so long after the informers have passed the charge, an object that they
 * don't show is known not to exist.
 */
const settleMs = 500
/**
 * An informer that has not passed a charge for so long is compared with the server: the charged write may have
 * failed.
 */
const silentMs = 5000
const compareAgainMs = 1000

/** One increase of a quota's usage. */
interface Charge {
  readonly seenMs: number
  /** When the informer passed it. */
  passedMs?: number
  /** A lowering waits for that. */
  wanted: boolean
}

/** A status of a quota with less usage than the one before. */
interface Lowering {
  readonly key: string
  readonly namespace: string
  /** The quota's revision: of its last charge, or later. */
  readonly revision: number
  /** The sources of the resources whose usage decreases. */
  readonly sources: readonly Source[]
}

/**
 * Decides which usage may be lowered: admission charges a quota before the object is written, and informers show the
 * object later. An informer that passed a charge half a second ago shows the objects that were written for it.
 */
export interface Charges {
  /** The usage of these sources' resources increased in this revision of the quota. */
  note(key: string, revision: number, sources: readonly Source[]): void
  /**
   * Milliseconds until the sources are current enough for the lowering; 0: now. A source may pass the last charge
   * (the quota's revision where none is known) earlier: `again` is called then.
   */
  settlingMs(lowering: Lowering): Promise<number>
  forget(key: string): void
}

export function createCharges(clock: Clock, again: (key: string) => void): Charges {
  /** The last charges, by key of the quota. */
  const charges = new Map<string, WeakMap<Source, Charge>>()

  function note(key: string, revision: number, source: Source): Charge {
    let own = charges.get(key)
    if (!own) charges.set(key, (own = new WeakMap()))
    const charge: Charge = { seenMs: clock.monotonicMs(), wanted: false }
    own.set(source, charge)
    source.onceReached(revision, () => {
      charge.passedMs ??= clock.monotonicMs()
      if (charge.wanted) again(key)
    })
    return charge
  }

  async function settlingOneMs({ key, namespace, revision }: Lowering, source: Source): Promise<number> {
    const charge = charges.get(key)?.get(source) ?? note(key, revision, source)
    const nowMs = clock.monotonicMs()
    if (charge.passedMs !== undefined) return charge.passedMs + settleMs - nowMs
    charge.wanted = true
    const silentForMs = charge.seenMs + silentMs - nowMs
    if (silentForMs > 0) return silentForMs
    if (!(await source.isCurrent(namespace))) return compareAgainMs
    charge.passedMs = Number.NEGATIVE_INFINITY
    return 0
  }

  return {
    note(key, revision, sources) {
      for (const source of sources) note(key, revision, source)
    },
    async settlingMs(lowering) {
      const each = await Promise.all(lowering.sources.map((source) => settlingOneMs(lowering, source)))
      return Math.max(0, ...each)
    },
    forget: (key) => void charges.delete(key),
  }
}
