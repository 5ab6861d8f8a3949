import type { Clock } from '../../base/index.ts'
import type { Source } from './sources.ts'

/**
 * How long a write that was charged may be on its way: only so long after the objects shown have passed the charge is what
 * they lack known to be missing.
 */
const settleMs = 500
/** A view that has shown nothing newer than a charge for so long is compared with the server: no object may have come of it. */
const silentMs = 5000
const compareAgainMs = 1000

/** One rise of what a quota says is used. */
interface Charge {
  readonly seenMs: number
  /** When the objects shown had passed it. */
  passedMs?: number
  /** Somebody waits for that. */
  wanted: boolean
}

/** A status of a quota that would say less than the one before. */
interface Lowering {
  readonly key: string
  readonly namespace: string
  /** The quota's: of its last charge, or later. */
  readonly revision: number
  /** Those that count the resources of which less is used. */
  readonly sources: readonly Source[]
}

/**
 * Knows which counts are too new to be taken back: admission charges a quota before the object is written, and objects are
 * seen later than both. A view that has passed a charge, and shows half a second more, shows what was written for it.
 */
export interface Charges {
  /** Usage of what these sources count has risen with this revision of the quota. */
  note(key: string, revision: number, sources: readonly Source[]): void
  /**
   * How long until what the sources show decides, in ms; 0: now. It may be sooner, when a source passes the last charge (the
   * quota's revision where none is known): `again` is called then.
   */
  settlingMs(lowering: Lowering): Promise<number>
  forget(key: string): void
}

export function createCharges(clock: Clock, again: (key: string) => void): Charges {
  /** The last ones, by key of the quota. */
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
