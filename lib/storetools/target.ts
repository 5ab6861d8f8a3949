import { noRevision, type Revision } from '../object/index.ts'
import type { Store } from '../storage/index.ts'
import type { FollowedChange, StoredEntry } from './contract.ts'

/** How far the raising of a revision is. */
export type OnRaise = (reached: number, to: number) => void

/**
 * An empty store that is being filled. Everything in it gets a new revision, above every revision of the source. So a
 * resourceVersion that a client got from the source is older than the compacted one here: its watches and continued lists
 * get 410, and it lists anew. Every rejection is a StoreToolError.
 */
export interface StoreTarget {
  readonly description: string
  /** Throws for an entry that the store can't take. */
  accept(entry: StoredEntry): void
  /**
   * Rejects, and has touched nothing, unless the store is empty and free and can be raised to the revision. Until `finish`
   * it is marked as incomplete. Then makes `to` the newest revision at least.
   */
  begin(to: Revision, onRaise?: OnRaise): Promise<void>
  /** Makes `to` the newest revision at least, after `begin`. */
  raise(to: Revision): Promise<void>
  /** In their order, each with a revision of its own. */
  write(entries: readonly StoredEntry[]): Promise<void>
  /** The same for later writes and deletions of the source. */
  apply(changes: readonly FollowedChange[]): Promise<void>
  /** Makes `least` the newest revision at least, compacts what was before, and takes the mark away. Answers the newest revision. */
  finish(least?: Revision): Promise<Revision>
  /** Without `finish`: what was written stays, marked. */
  close(): Promise<void>
}

/** A key's lifetime may end between the look at it and the write. */
const triesMax = 3

/** Writes a change over what the store has. `nothing`: it was deleted already; `refused`: another client writes the key. */
export async function applyChange(
  store: Store,
  { type, key, value, ttlSeconds }: FollowedChange,
): Promise<'created' | 'updated' | 'deleted' | 'nothing' | 'refused'> {
  const lifetime = ttlSeconds > 0 ? { ttlSeconds } : {}
  for (let tries = 0; tries < triesMax; tries++) {
    const expected = (await store.get(key)).value?.modRevision ?? noRevision
    if (type === 'delete') {
      if (expected === noRevision) return 'nothing'
      if ((await store.delete(key, expected)).ok) return 'deleted'
    } else if (expected === noRevision) {
      if ((await store.create(key, value, lifetime)).ok) return 'created'
    } else if ((await store.update(key, value, expected, lifetime)).ok) return 'updated'
  }
  return 'refused'
}
