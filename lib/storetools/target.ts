import type { Revision } from '../object/index.ts'
import type { Change, StoredEntry } from './contract.ts'

/** How far the raising of a revision is. */
export type OnRaise = (reached: number, to: number) => void

/**
 * An empty store that is being filled. Everything in it gets a new revision, above all that the source has given out:
 * what clients remember of the source is never taken for something else, and lists and watches that they continue are
 * answered with 410. Every rejection is a StoreToolError.
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
  /** In their order, each with a revision of its own. */
  write(entries: readonly StoredEntry[]): Promise<void>
  /** The same for later writes and deletions of the source. */
  apply(changes: readonly Change[]): Promise<void>
  /** Compacts what was before, and takes the mark away. Answers the newest revision. */
  finish(): Promise<Revision>
  /** Without `finish`: what was written stays, marked. */
  close(): Promise<void>
}
