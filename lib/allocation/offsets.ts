import type { Random } from '../base/index.ts'

/**
 * The order in which to search `count` places for a free one: first the upper band, from a random place on, then the
 * lower one. Clients that request a fixed place choose one of the lower band, which is therefore likely to be free.
 * `lower`: size of the lower band. Ends after `triesMax` of each.
 */
export function* offsets(count: number, lower: number, random: Random, triesMax: number): Generator<number> {
  yield* band(lower, count - lower, random, triesMax)
  yield* band(0, Math.min(lower, count), random, triesMax)
}

function* band(first: number, count: number, random: Random, triesMax: number): Generator<number> {
  if (count <= 0) return
  const start = random.below(count)
  for (let i = 0; i < count && i < triesMax; i++) yield first + ((start + i) % count)
}

/**
 * Size of the lower band: a `share`-th of all, at least `least` and at most `most`; 0 when there are fewer than
 * `least`.
 */
export function lowerBand(count: number, share: number, least: number, most: number): number {
  if (count <= least) return 0
  return Math.min(most, Math.max(least, Math.floor(count / share)))
}
