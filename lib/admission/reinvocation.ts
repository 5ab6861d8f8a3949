import type { AdmissionAttributes } from './plugin.ts'

/** The state that the mutating webhooks and policies of one request share. */
class Round {
  /** True in the second and last run of the mutating plugins. */
  again = false
  /** A plugin changed the object after another one had processed it. */
  wanted = false
}

/**
 * Runs the mutating plugins once more when one of them changed an object that others had processed before. Plugins that
 * never do that cost nothing: the round of a request is created at its first use.
 */
export interface Reinvocation {
  of(attributes: AdmissionAttributes): Round
  /** Begins the second run if one is wanted; returns whether it is. */
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
  /** Called before, with a reinvocation policy that allows another call. */
  readonly #before = new Set<string>()
  /** To be called in the second run. */
  readonly #again = new Set<string>()
  #last: string | undefined

  noteCall(id: string): void {
    this.#before.add(id)
  }

  /** The object changed: everything that was called before is to be called again. */
  changed(): void {
    for (const id of this.#before) this.#again.add(id)
  }

  isWanted(id: string): boolean {
    return this.#again.has(id)
  }

  /** Records the object's text at the end of a run of the plugin. */
  leave(text: string | undefined): void {
    this.#last = text
  }

  /** At the beginning of the second run: whether others changed the object since. */
  isOutdated(text: string | undefined): boolean {
    return this.#last !== text
  }
}
