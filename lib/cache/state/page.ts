import { type Clock, nextTurn, type Tree } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { CacheListOptions, ListResult } from '../contract.ts'
import type { CacheEntry } from './entry.ts'

/** Entries that are examined between two reads of the clock: decoding one takes up to some milliseconds. */
const entriesPerLook = 8

interface Pacing {
  readonly clock: Clock
  readonly sliceMs: number
}

/** A list from one state of the cache, and the number of entries that were examined for it. */
export async function readPage(
  tree: Tree<CacheEntry>,
  revision: Revision,
  options: CacheListOptions,
  pacing: Pacing,
): Promise<{ result: ListResult; looked: number }> {
  if (options.predicate) return readMatches(tree, revision, options, pacing)
  const { start, end, limit } = options
  const state = tree.isMade ? tree : await makePage(tree, options, pacing)
  const entries = state.slice(start, end, limit || undefined)
  const lastKey = entries[entries.length - 1]?.key
  // Counting the remaining keys costs two walks down the tree, not a walk along it.
  const full = limit !== undefined && entries.length === limit && lastKey !== undefined
  const remaining = full ? state.rank(end) - state.rank(lastKey) - 1 : 0
  return { result: { entries, revision, more: remaining > 0, remaining, lastKey }, looked: entries.length }
}

/** Makes the entries of a page before they are read at once; returns the state that has them. */
function makePage(tree: Tree<CacheEntry>, options: CacheListOptions, pacing: Pacing): Promise<Tree<CacheEntry>> {
  let left = options.limit || Number.POSITIVE_INFINITY
  return visitInSlices(tree, options, () => --left > 0, pacing)
}

async function readMatches(
  tree: Tree<CacheEntry>,
  revision: Revision,
  options: CacheListOptions,
  pacing: Pacing,
): Promise<{ result: ListResult; looked: number }> {
  const { limit = 0, predicate } = options
  const entries: CacheEntry[] = []
  let more = false
  let looked = 0
  const look = (entry: CacheEntry): boolean => {
    looked++
    if (!predicate?.matches(entry)) return true
    more = limit > 0 && entries.length === limit
    if (!more) entries.push(entry)
    return !more
  }
  await visitInSlices(tree, options, look, pacing)
  const lastKey = entries[entries.length - 1]?.key
  return { result: { entries, revision, more, remaining: undefined, lastKey }, looked }
}

/**
 * Visits the range until `visit` returns false, in slices, so that a large resource does not hold the event loop. Returns
 * the state that was visited: `tree`, or what it was at the first pause.
 */
async function visitInSlices(
  tree: Tree<CacheEntry>,
  { start, end, signal }: CacheListOptions,
  visit: (entry: CacheEntry) => boolean,
  { clock, sliceMs }: Pacing,
): Promise<Tree<CacheEntry>> {
  let state = tree
  let next = start
  let looked = 0
  for (;;) {
    const deadlineMs = clock.monotonicMs() + sliceMs
    let last: CacheEntry | undefined
    let paused = false
    state.visit(next, end, (entry) => {
      last = entry
      if (!visit(entry)) return false
      paused = ++looked % entriesPerLook === 0 && clock.monotonicMs() >= deadlineMs
      return !paused
    })
    if (!paused || !last) return state
    next = `${last.key}\0`
    if (state === tree) state = tree.clone()
    await nextTurn(clock)
    signal?.throwIfAborted()
  }
}
