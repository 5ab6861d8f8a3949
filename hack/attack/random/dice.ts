import { createSeededRandom, type Random } from '../../../lib/base/index.ts'

/** The choices of one step: they depend on the seed and the step alone, so that a step can be run again by itself. */
export interface Dice {
  readonly random: Random
  /** True once in so many times, on average. */
  once(times: number): boolean
  /** A whole number in [0, below). */
  below(below: number): number
  /** The list has at least one. */
  pick<T>(from: readonly T[]): T
  /** Undefined of an empty list. */
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
