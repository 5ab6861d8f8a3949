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
  /** The rest of its lifetime, at least 1; 0: it has none, or lifetimes were not requested. */
  readonly ttlSeconds: number
  /** The key's bytes are not UTF-8, and `key` is only similar. */
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
   * Continues after damaged parts of a data file, and reports them; without it, damage rejects. Keys may be out of
   * order then. A scan without bounds checks everything, history included.
   */
  readonly onDamage?: ((damage: Damage) => void) | undefined
}

/** All keys of a range at one revision. */
export interface Scan {
  readonly revision: Revision
  /** In order of keys. A page has at most some thousand keys and some megabytes. */
  pages(): AsyncIterable<readonly StoredEntry[]>
  close(): void
}

/** One write of a key. */
export interface StoreChange {
  readonly type: 'put' | 'delete'
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly revision: Revision
}

/** A change with its remaining lifetime, as in StoredEntry. */
export interface FollowedChange extends StoreChange {
  readonly ttlSeconds: number
}

/** Changes in their order, possibly none, up to `revision`. */
export interface ChangeBatch {
  readonly changes: readonly FollowedChange[]
  readonly revision: Revision
}

/** A store for operators' tools, read-only. Every rejection is a StoreToolError. */
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
  /** Writes of a key in their order, as far back as the store's history reaches. */
  history(key: string): AsyncIterable<StoreChange>
  /**
   * All writes from a revision on: existing ones, then new ones, without an end. Yields some times a second even
   * without new writes. Rejects when that history is compacted.
   */
  changes(from: Revision): AsyncIterable<ChangeBatch>
  /** The process that has an embedded store open. Undefined: none, or the store is an etcd. */
  owner(): { readonly pid: number } | undefined
  close(): Promise<void>
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Runs a step and converts its rejection to a StoreToolError. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreToolError) throw error
    throw new StoreToolError(reasonOf(error), { cause: error })
  }
}
