import { createSeededRandom, type Random } from '../../../lib/base/index.ts'

/** The random choices of one step: they depend only on the seed and the step, so that a step can be repeated alone. */
export interface Dice {
  readonly random: Random
  /** True on average once in this many calls. */
  once(times: number): boolean
  /** A whole number in [0, below). */
  below(below: number): number
  /** The list has at least one item. */
  pick<T>(from: readonly T[]): T
  /** Undefined for an empty list. */
  pickAny<T>(from: readonly T[]): T | undefined
}

export function createDice(seed: number, step: number): Dice {
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b))
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 8; skipped++) random.fraction()
  return {
    random,
    once: (times) => random.below(times) === 0,
    below: (below) => random.below(below),
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('nothing to choose from')
      // The index is within the list.
      return from[random.below(from.length)] as T
    },
    pickAny: (from) => from[random.below(from.length)],
  }
}
