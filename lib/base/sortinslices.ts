import type { Slices } from './breather.ts'
import { Pace } from './pace.ts'

/** Items that are sorted at a time. */
const runLength = 2000

/** Sorts a long list, with pauses: short runs first, which are then merged in pairs. Answers a new list. */
export function* sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Slices<readonly Item[]> {
  const pace = new Pace()
  let runs: (readonly Item[])[] = []
  for (let from = 0; from < items.length; from += runLength) {
    runs.push(items.slice(from, from + runLength).sort(compare))
    if (from > 0) yield
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergeRuns(runs[index] ?? [], runs[index + 1] ?? [], compare, pace))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeRuns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pace: Pace,
): Slices<readonly Item[]> {
  if (right.length === 0) return left
  const merged: Item[] = []
  let taken = 0
  for (const item of left) {
    for (; taken < right.length; taken++) {
      const other = right[taken] as Item
      if (compare(item, other) <= 0) break
      merged.push(other)
      if (pace.isDue()) yield
    }
    merged.push(item)
    if (pace.isDue()) yield
  }
  for (; taken < right.length; taken++) merged.push(right[taken] as Item)
  return merged
}
