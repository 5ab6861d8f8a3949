import type { AdmissionAttributes } from './plugin.ts'

/** The state that the mutating webhooks and policies of one request share. */
class Round {
  /** True in the second and last run of the mutating plugins. */
  again = false
  /** A plugin changed the object after another one had seen it. */
  wanted = false
}

/**
 * Lets the mutating plugins run once more where one of them changed what others had seen before. Plugins that never do
 * that cost nothing: a request has a round once something has asked for it.
 */
export interface Reinvocation {
  of(attributes: AdmissionAttributes): Round
  /** Begins the second run if one is wanted; answers whether it is. */
  begin(attributes: AdmissionAttributes): boolean
}

export function createReinvocation(): Reinvocation {
  const rounds = new WeakMap<AdmissionAttributes, Round>()
  return {
    of(attributes) {
      const known = rounds.get(attributes)
      if (known) return known
      const round = new Round()
      rounds.set(attributes, round)
      return round
    },
    begin(attributes) {
      const round = rounds.get(attributes)
      if (!round || round.again || !round.wanted) return false
      round.again = true
      return true
    },
  }
}

/** The webhooks (or policies) that one plugin has called within a request. */
export class Invoked {
  /** Called before, and willing to be called again. */
  readonly #before = new Set<string>()
  /** To be called in the second run. */
  readonly #again = new Set<string>()
  #last: string | undefined

  noteCall(id: string): void {
    this.#before.add(id)
  }

  /** The object changed: all that were called before want to see it. */
  changed(): void {
    for (const id of this.#before) this.#again.add(id)
  }

  isWanted(id: string): boolean {
    return this.#again.has(id)
  }

  /** Records the object's text as the plugin leaves it at the end of a run. */
  leave(text: string | undefined): void {
    this.#last = text
  }

  /** At the beginning of the second run: whether others changed the object since. */
  isOutdated(text: string | undefined): boolean {
    return this.#last !== text
  }
}
