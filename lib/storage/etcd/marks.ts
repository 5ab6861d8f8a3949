import type { Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { EtcdClient } from './client.ts'
import { decodeRange, encodeRange, methods } from './messages.ts'

/** Put together with a deletion: `value` is of this deletion alone. */
export interface Mark {
  readonly key: string
  readonly value: string
}

/**
 * Tells whose deletion of a key it was that etcd carried out, when the answers are lost: etcd's history says that the key was
 * deleted, but not by whom, and two clients must not both be told that they did it.
 *
 * Every deletion writes one more key in its transaction, the same key for all deletions of all replicas, with a value of its
 * own. The key's value at the deletion's revision tells whose deletion it was. No transaction compares the key, so deletions
 * never conflict over it.
 */
export class DeletionMarks {
  readonly #client: EtcdClient
  readonly #key: string
  /** No other store's begins so. */
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

  /** Rejects with StoreError: `compacted` when the history no longer tells. */
  async isAt({ key, value }: Mark, revision: Revision, timeoutMs: number): Promise<boolean> {
    const call = { repeatable: true, timeoutMs }
    const { values } = await this.#client.call(methods.range, encodeRange({ key, revision }), decodeRange, call)
    return values.some((found) => found.modRevision === revision && Buffer.from(found.value).toString() === value)
  }
}
