import { noRevision, type Revision } from '../object/index.ts'
import type { Store } from '../storage/index.ts'
import type { FollowedChange, StoredEntry } from './contract.ts'

/** Reports the progress of raising a revision. */
export type OnRaise = (reached: number, to: number) => void

/**
 * An empty store that is being filled. Everything in it gets a new revision, above every revision of the source. So a
 * resourceVersion that a client got from the source is older than the compacted one here: its watches and continued
 * lists get 410, and it lists again. Every rejection is a StoreToolError.
 */
export interface StoreTarget {
  readonly description: string
  /** Throws for an entry that the store can't hold. */
  accept(entry: StoredEntry): void
  /**
   * Rejects, and has changed nothing, unless the store is empty and free and can be raised to the revision. Marks it as
   * incomplete until `finish`. Then makes at least `to` the newest revision.
   */
  begin(to: Revision, onRaise?: OnRaise): Promise<void>
  /** Makes at least `to` the newest revision, after `begin`. */
  raise(to: Revision): Promise<void>
  /** Writes entries in their order, each with its own revision. */
  write(entries: readonly StoredEntry[]): Promise<void>
  /** The same for later writes and deletions of the source. */
  apply(changes: readonly FollowedChange[]): Promise<void>
  /**
   * Makes at least `least` the newest revision, compacts earlier ones, and removes the mark. Resolves with the newest
   * revision.
   */
  finish(least?: Revision): Promise<Revision>
  /** Without `finish`, the written entries stay, marked. */
  close(): Promise<void>
}

/** A key's lifetime may end between the read and the write. */
const triesMax = 3

/**
 * Writes a change over the store's state. `nothing`: it was deleted already; `refused`: another client writes the key.
 */
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
