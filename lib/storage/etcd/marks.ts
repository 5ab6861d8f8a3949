import type { Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { EtcdClient } from './client.ts'
import { decodeRange, encodeRange, methods } from './messages.ts'

/** The key that a deletion also writes: `value` belongs to this deletion alone. */
export interface Mark {
  readonly key: string
  readonly value: string
}

/**
 * Finds out whose deletion of a key etcd carried out, when the answers are lost: etcd's history shows that the key was
 * deleted, but not by whom, and only one of two clients may get that answer.
 *  Every deletion writes one more key in its transaction, the same key for all deletions of all replicas, with a unique
 *  value. The key's value at the deletion's revision identifies the deletion. No transaction compares the key, so
 *  deletions never conflict over it.
 */
export class DeletionMarks {
  readonly #client: EtcdClient
  readonly #key: string
  /** No other store has this beginning. */
  readonly #base: string
  #count = 0

  constructor(random: Random, client: EtcdClient, prefix: string) {
    this.#client = client
    this.#key = `${prefix}deleted`
    this.#base = `${random.below(2 ** 48).toString(36)}-`
  }

  next(): Mark {
    return { key: this.#key, value: `${this.#base}${(++this.#count).toString(36)}` }
  }

  /**
   * Whether the deletion at `revision` wrote this mark. Rejects with StoreError: `compacted` when the history was
   * removed.
   */
  async isAt({ key, value }: Mark, revision: Revision, timeoutMs: number): Promise<boolean> {
    const call = { repeatable: true, timeoutMs }
    const { values } = await this.#client.call(methods.range, encodeRange({ key, revision }), decodeRange, call)
    return values.some((found) => found.modRevision === revision && Buffer.from(found.value).toString() === value)
  }
}
