import type { Clock } from '../base/index.ts'

/** How long one slice of work may hold the event loop. */
const sliceMs = 5
/** Items between two looks at the clock. */
const itemsPerLook = 8

/**
 * `make` of every item, with turns for others in between when it takes long: the first list of many large objects
 * encodes them all.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result,
  clock: Clock,
): Promise<Result[]> {
  const results: Result[] = []
  let untilMs = clock.monotonicMs() + sliceMs
  for (const [index, item] of items.entries()) {
    results.push(make(item))
    if (index % itemsPerLook !== itemsPerLook - 1 || clock.monotonicMs() < untilMs) continue
    await new Promise<void>((resolve) => clock.soon(resolve))
    untilMs = clock.monotonicMs() + sliceMs
  }
  return results
}

/** The result of `work`, with turns for others where it yields when it takes long. */
export async function finishInSlices<Result>(work: Generator<undefined, Result>, clock: Clock): Promise<Result> {
  let untilMs = clock.monotonicMs() + sliceMs
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (clock.monotonicMs() < untilMs) continue
    await new Promise<void>((resolve) => clock.soon(resolve))
    untilMs = clock.monotonicMs() + sliceMs
  }
}
