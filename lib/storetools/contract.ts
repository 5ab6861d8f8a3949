import type { Revision } from '../object/index.ts'
import type { Damage } from '../storage/index.ts'

/** A store can't be read, or a command was refused. The message is one line for the operator; it quotes no value. */
export class StoreToolError extends Error {
  override readonly name = 'StoreToolError'
}

/** A key as a store holds it. */
export interface StoredEntry {
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly modRevision: Revision
  /** The rest of its lifetime, at least 1; 0: it stays for good, or lifetimes were not asked for. */
  readonly ttlSeconds: number
  /** The key's bytes are no UTF-8, and `key` only resembles them. */
  readonly isForeign?: boolean
}

export interface ScanOptions {
  /** First key; default: the first of the store. */
  readonly start?: string
  /** First key beyond; default: none. */
  readonly end?: string
  /** At this past revision; default: now. */
  readonly revision?: Revision
  readonly keysOnly?: boolean
  readonly lifetimes?: boolean
  /**
   * Goes on past what a data file doesn't hold as it should, and tells of it; without, that is a rejection. Keys may be out
   * of order then. A scan without bounds looks at everything, history included.
   */
  readonly onDamage?: ((damage: Damage) => void) | undefined
}

/** All keys of a range as of one revision. */
export interface Scan {
  readonly revision: Revision
  /** In order of keys. A page has some thousand keys and some megabytes at most. */
  pages(): AsyncIterable<readonly StoredEntry[]>
  close(): void
}

/** One write of a key. */
export interface Change {
  readonly type: 'put' | 'delete'
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly revision: Revision
}

/** A change with what is left of its lifetime, as StoredEntry has it. */
export interface FollowedChange extends Change {
  readonly ttlSeconds: number
}

/** Changes in their order, perhaps none, with which everything up to `revision` was seen. */
export interface ChangeBatch {
  readonly changes: readonly FollowedChange[]
  readonly revision: Revision
}

/** A store as operators' tools read it; nothing is written. Every rejection is a StoreToolError. */
export interface StoreReader {
  readonly kind: 'etcd' | 'embedded'
  /** `etcd at https://…`, `the embedded store in …`. */
  readonly description: string
  currentRevision(): Promise<Revision>
  scan(options?: ScanOptions): Promise<Scan>
  get(
    key: string,
    revision?: Revision,
  ): Promise<{ readonly entry: StoredEntry | undefined; readonly revision: Revision }>
  /** Writes of a key in their order, as far back as the store's history goes. */
  history(key: string): AsyncIterable<Change>
  /**
   * All writes from a revision on: what there is, then what comes, for ever. Yields some times a second also where there
   * is nothing new. Rejects when that history is compacted.
   */
  changes(from: Revision): AsyncIterable<ChangeBatch>
  /** The process that has an embedded store open. Undefined: none, or it is an etcd. */
  owner(): { readonly pid: number } | undefined
  close(): Promise<void>
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs a step; what it rejects with becomes a StoreToolError. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreToolError) throw error
    throw new StoreToolError(reasonOf(error), { cause: error })
  }
}
