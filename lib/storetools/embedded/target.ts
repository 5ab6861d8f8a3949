import { existsSync, readdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ensureFolder } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'
import {
  createEmbeddedStore,
  type DataEncryptionKeys,
  type EmbeddedStore,
  removeEmbeddedStore,
} from '../../storage/index.ts'
import { attempt, type FollowedChange, reasonOf, type StoredEntry, StoreToolError } from '../contract.ts'
import type { EtcdDependencies } from '../etcd/reader.ts'
import { applyChange, type StoreTarget } from '../target.ts'

/** The store's limit. */
const keyBytesMax = 1900
const requestBytesMax = 1.5 * 1024 * 1024
/** Writes that share a commit. */
const batchMax = 1000

/**
 * A folder that doesn't exist yet: the store is created beside it, under another name, and renamed when it is complete.
 * The remains of an attempt that was cut short are removed after a call of `onLeftover`. With keys it is encrypted.
 */
export function createEmbeddedTarget(
  dependencies: EtcdDependencies,
  directory: string,
  onLeftover: (path: string) => void,
  keys?: DataEncryptionKeys,
): StoreTarget {
  return new FolderTarget(dependencies, resolve(directory), onLeftover, keys)
}

class FolderTarget implements StoreTarget {
  readonly description: string
  readonly #dependencies: EtcdDependencies
  readonly #directory: string
  readonly #unfinished: string
  readonly #onLeftover: (path: string) => void
  readonly #keys: DataEncryptionKeys | undefined
  #store: EmbeddedStore | undefined

  constructor(
    dependencies: EtcdDependencies,
    directory: string,
    onLeftover: (path: string) => void,
    keys: DataEncryptionKeys | undefined,
  ) {
    this.#dependencies = dependencies
    this.#directory = directory
    this.#unfinished = `${directory}.unfinished`
    this.#onLeftover = onLeftover
    this.#keys = keys
    this.description = `the embedded store in ${directory}`
  }

  accept({ key, value }: StoredEntry): void {
    const keyBytes = Buffer.byteLength(key)
    if (keyBytes > keyBytesMax || keyBytes + value.length > requestBytesMax)
      throw new StoreToolError(
        `${JSON.stringify(key.slice(0, 300))} has ${value.length} bytes: an embedded store takes ${requestBytesMax}`,
      )
  }

  async begin(to: Revision): Promise<void> {
    this.#checkFree()
    await attempt(async () => {
      if (existsSync(this.#unfinished)) {
        await removeEmbeddedStore(this.#dependencies, this.#unfinished)
        this.#onLeftover(this.#unfinished)
      }
      ensureFolder(dirname(this.#directory), 0o700)
      this.#store = await this.#open()
      await this.#store.raiseRevision(to)
    })
  }

  async raise(to: Revision): Promise<void> {
    await attempt(() => this.#opened().raiseRevision(to))
  }

  async write(entries: readonly StoredEntry[]): Promise<void> {
    const store = this.#opened()
    for (let from = 0; from < entries.length; from += batchMax)
      await attempt(async () => {
        const batch = entries.slice(from, from + batchMax)
        // The store keeps the order of the calls.
        const results = await Promise.all(
          batch.map(({ key, value, ttlSeconds }) => store.create(key, value, lifetime(ttlSeconds))),
        )
        if (results.some(({ ok }) => !ok)) throw new StoreToolError('a key came twice')
      })
  }

  async apply(changes: readonly FollowedChange[]): Promise<void> {
    const store = this.#opened()
    for (const change of changes) await attempt(() => applyChange(store, change))
  }

  async finish(least = noRevision): Promise<Revision> {
    return await attempt(async () => {
      const store = this.#opened()
      await store.raiseRevision(least)
      const revision = await store.currentRevision()
      await store.compact(revision)
      await store.close()
      this.#store = undefined
      this.#checkFree()
      // Refused when a store was created there meanwhile.
      await rename(this.#unfinished, this.#directory)
      const parent = await open(dirname(this.#directory), 'r')
      try {
        await parent.sync()
      } finally {
        await parent.close()
      }
      return revision
    })
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }

  #checkFree(): void {
    if (!existsSync(this.#directory)) return
    let names: readonly string[]
    try {
      names = readdirSync(this.#directory)
    } catch (error) {
      throw new StoreToolError(`${this.#directory} can't be used: ${reasonOf(error)}`, { cause: error })
    }
    if (names.includes('data.mdb'))
      throw new StoreToolError(`there is a store in ${this.#directory} already: it is left alone`)
    if (names.length > 0) throw new StoreToolError(`${this.#directory} is not empty: it is left alone`)
  }

  #open(): Promise<EmbeddedStore> {
    return createEmbeddedStore(this.#dependencies, {
      directory: this.#unfinished,
      compactionIntervalMs: 0,
      encryptionKeys: this.#keys,
    })
  }

  #opened(): EmbeddedStore {
    if (!this.#store) throw new StoreToolError('the store was not begun')
    return this.#store
  }
}

function lifetime(ttlSeconds: number): { ttlSeconds?: number } {
  return ttlSeconds > 0 ? { ttlSeconds } : {}
}
