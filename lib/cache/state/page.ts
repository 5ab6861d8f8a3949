import { type Clock, nextTurn, type Tree } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { CacheListOptions, ListResult } from '../contract.ts'
import type { CacheEntry } from './entry.ts'

/** Entries that are examined between two reads of the clock: decoding one takes up to some milliseconds. */
const entriesPerLook = 8

/** A list from one state of the cache, and the number of entries that were examined for it. */
export async function readPage(
  tree: Tree<CacheEntry>,
  revision: Revision,
  options: CacheListOptions,
  pacing: { readonly clock: Clock; readonly sliceMs: number },
): Promise<{ result: ListResult; looked: number }> {
  if (options.predicate) return readMatches(tree, revision, options, pacing)
  const { start, end, limit } = options
  const entries = tree.slice(start, end, limit || undefined)
  const lastKey = entries[entries.length - 1]?.key
  // Counting the remaining keys costs two walks down the tree, not a walk along it.
  const full = limit !== undefined && entries.length === limit && lastKey !== undefined
  const remaining = full ? tree.rank(end) - tree.rank(lastKey) - 1 : 0
  return { result: { entries, revision, more: remaining > 0, remaining, lastKey }, looked: entries.length }
}

/** Examines the range in slices, so that a selective list of a large resource does not hold the event loop. */
async function readMatches(
  tree: Tree<CacheEntry>,
  revision: Revision,
  { start, end, limit = 0, predicate, signal }: CacheListOptions,
  { clock, sliceMs }: { readonly clock: Clock; readonly sliceMs: number },
): Promise<{ result: ListResult; looked: number }> {
  const entries: CacheEntry[] = []
  let state = tree
  let next = start
  let more = false
  let looked = 0
  for (;;) {
    const deadlineMs = clock.monotonicMs() + sliceMs
    let last: CacheEntry | undefined
    let paused = false
    state.visit(next, end, (entry) => {
      last = entry
      looked++
      if (predicate?.matches(entry)) {
        more = limit > 0 && entries.length === limit
        if (more) return false
        entries.push(entry)
      }
      paused = looked % entriesPerLook === 0 && clock.monotonicMs() >= deadlineMs
      return !paused
    })
    if (!paused || !last) break
    next = `${last.key}\0`
    if (state === tree) state = tree.clone()
    await nextTurn(clock)
    signal?.throwIfAborted()
  }
  const lastKey = entries[entries.length - 1]?.key
  return { result: { entries, revision, more, remaining: undefined, lastKey }, looked }
}
