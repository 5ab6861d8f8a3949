import type { Clock } from '../../base/index.ts'
import type { Source } from './sources.ts'

/**
 * How long a write that was charged may be on its way: only so long after the objects shown have passed the charge is what
 * they lack known to be missing.
 */
const settleMs = 500
/** A view that shows nothing newer than a charge for so long has nothing newer to show: no object came of it. */
const silentMs = 5000

/** One rise of what a quota says is used. */
interface Charge {
  readonly seenMs: number
  /** When the objects shown had passed it. */
  passedMs?: number
  /** Somebody waits for that. */
  wanted: boolean
}

/**
 * Knows which counts are too new to be taken back: admission charges a quota before the object is written, and objects are
 * seen later than both. A view that has passed a charge, and shows half a second more, shows what was written for it.
 */
export interface Charges {
  /** Usage of what these sources count has risen with this revision of the quota. */
  note(key: string, revision: number, sources: readonly Source[]): void
  /**
   * How long until what these sources show decides, in ms; 0: now. It may be sooner, when a source passes the last charge
   * (the quota's revision where none is known): `again` is called then.
   */
  settlingMs(key: string, revision: number, sources: readonly Source[]): number
  forget(key: string): void
}

export function createCharges(clock: Clock, again: (key: string) => void): Charges {
  /** The last ones, by key of the quota. */
  const charges = new Map<string, WeakMap<Source, Charge>>()

  function note(key: string, revision: number, sources: readonly Source[]): void {
    for (const source of sources) noteOne(key, revision, source)
  }

  function noteOne(key: string, revision: number, source: Source): Charge {
    let own = charges.get(key)
    if (!own) charges.set(key, (own = new WeakMap()))
    const charge: Charge = { seenMs: clock.monotonicMs(), wanted: false }
    own.set(source, charge)
    source.onceReached(revision, () => {
      charge.passedMs = clock.monotonicMs()
      if (charge.wanted) again(key)
    })
    return charge
  }

  function settlingOneMs(key: string, revision: number, source: Source): number {
    const charge = charges.get(key)?.get(source) ?? noteOne(key, revision, source)
    charge.wanted = charge.passedMs === undefined
    return Math.min((charge.passedMs ?? Infinity) + settleMs, charge.seenMs + silentMs) - clock.monotonicMs()
  }

  return {
    note,
    settlingMs: (key, revision, sources) =>
      Math.max(0, ...sources.map((source) => settlingOneMs(key, revision, source))),
    forget: (key) => void charges.delete(key),
  }
}
