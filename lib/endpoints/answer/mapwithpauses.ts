import { type Clock, type PausableWork, Pauses } from '../../base/index.ts'

/** Number of items between two looks at the clock. */
const itemsPerLookDefault = 8

/**
 * Maps every item with `make`, and yields to other requests when it takes long: the first list of many large objects
 * encodes them all. Awaits promised results. `itemsPerLook`: 1 where a single item may take long.
 */
export async function mapWithPauses<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result | Promise<Result>,
  clock: Clock,
  { itemsPerLook = itemsPerLookDefault }: { itemsPerLook?: number } = {},
): Promise<Result[]> {
  const results: Result[] = []
  const pauses = new Pauses(clock)
  for (const [index, item] of items.entries()) {
    const made = make(item)
    results.push(made instanceof Promise ? await made : made)
    if (index % itemsPerLook === itemsPerLook - 1 && pauses.isDue) await pauses.pause()
  }
  return results
}

/** The result of `work`, which yields to other requests when it takes long. */
export function runWithPauses<Result>(work: PausableWork<Result>, clock: Clock): Promise<Result> {
  return new Pauses(clock).run(work)
}
