import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase, Transaction } from 'lmdb'
import { runWithoutPauses } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import { StoreError } from '../contract.ts'
import type { DataEncryptionKeys } from '../dataencryption/keys.ts'
import { createRecordDecrypter, type RecordDecrypter } from '../dataencryption/recordcipher.ts'
import type { Head, LogRecord } from '../local/tables.ts'
import { checkDataFile, damaged } from './datafile.ts'
import { decryptedRecords, encryptedHeads, encryptedHeadTable, readEncryptedHeads } from './encryptedform.ts'
import { LogReader } from './logtable.ts'
import { dataKeyName, formats, openStoredDataKey } from './opentables.ts'
import { ownerOf } from './owner.ts'
import { decodeHead, decodeRevision, plainHeads, plainRecords } from './record.ts'
import { type EmbeddedEntry, type FolderForm, type KeyCoding, Survey } from './survey.ts'

/** Address space, not disk; a larger file is mapped whole. */
const mapBytes = 1 << 30

/** One moment of the store. The owner can't reuse freed pages while it is open: close it soon. */
export interface EmbeddedSnapshot {
  readonly revision: Revision
  /** The oldest revision whose history is whole. */
  readonly compacted: Revision
  /** Entries in order of keys, after `after` (inclusive when `from`), until `limit` entries or `bytesMax` bytes. */
  page(
    from: string,
    limits: { readonly entries: number; readonly bytes: number; readonly keysOnly?: boolean },
  ): {
    readonly entries: readonly EmbeddedEntry[]
    /** First key beyond; undefined: this was the last page. */
    readonly next: string | undefined
  }
  /** Records in order from a revision on. */
  records(from: Revision, limit: number): readonly LogRecord[]
  close(): void
}

/** Reads an embedded store's folder beside the process that owns it. It writes only to LMDB's table of readers. */
export interface EmbeddedReader {
  readonly directory: string
  readonly isEncrypted: boolean
  snapshot(): EmbeddedSnapshot
  /** One moment, read without LMDB to the end even where the file is damaged. The same advice holds: close it soon. */
  survey(): Pick<Survey, 'revision' | 'entries' | 'close'>
  /** The process that has the store open. */
  owner(): { readonly pid: number } | undefined
  sizeBytes(): number
  close(): Promise<void>
}

/**
 * Rejects with StoreError `internal` when there is no store, it is damaged, or it is encrypted and no key opens it.
 * Keys are ignored for a folder that isn't encrypted.
 */
export async function openEmbeddedReader(directory: string, keys?: DataEncryptionKeys): Promise<EmbeddedReader> {
  const path = join(directory, 'data.mdb')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) throw new StoreError('internal', `there is no store in ${directory}`)
  checkDataFile(directory)
  const lmdb = await import('lmdb')
  const root = lmdb.open<Buffer, string>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    mapSize: Math.max(mapBytes, size * 2),
    maxDbs: 8,
    readOnly: true,
  })
  try {
    return new LmdbReader(directory, root, keyCoding(lmdb), keys)
  } catch (error) {
    await root.close()
    throw toStoreError(path, error)
  }
}

/** Visits heads in order from one key on, as a transaction sees them. */
type HeadsFrom = (from: string, visit: (head: Head) => boolean) => void

class LmdbReader implements EmbeddedReader {
  readonly directory: string
  readonly #root: RootDatabase<Buffer, string>
  readonly #form: FolderForm
  readonly #log: LogReader
  readonly #meta: Database<Buffer, string>
  readonly #plainHeads: Database<Buffer, string>
  readonly #encryptedHeads: Database<Buffer, number>
  /** Undefined: the folder is not encrypted. */
  readonly #decrypter: RecordDecrypter | undefined

  constructor(
    directory: string,
    root: RootDatabase<Buffer, string>,
    coding: KeyCoding,
    keys: DataEncryptionKeys | undefined,
  ) {
    this.directory = directory
    this.#root = root
    this.#meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
    this.#plainHeads = root.openDB<Buffer, string>({ name: 'head', encoding: 'binary' })
    this.#encryptedHeads = root.openDB<Buffer, number>({ name: encryptedHeadTable, encoding: 'binary' })
    this.#decrypter = this.#openDecrypter(keys)
    const log = root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' })
    this.#form = this.#decrypter
      ? { keys: coding, heads: encryptedHeads(this.#decrypter), records: decryptedRecords(this.#decrypter) }
      : { keys: coding, heads: plainHeads, records: plainRecords }
    this.#log = new LogReader(log, this.#form.records)
  }

  get isEncrypted(): boolean {
    return this.#decrypter !== undefined
  }

  snapshot(): EmbeddedSnapshot {
    this.#root.resetReadTxn()
    const transaction = this.#root.useReadTransaction()
    const read = <Result>(work: () => Result): Result => {
      try {
        return work()
      } catch (error) {
        throw toStoreError(join(this.directory, 'data.mdb'), error)
      }
    }
    const number = (name: string): Revision => decodeRevision(this.#meta.get(name, { transaction }))
    const revision = read(() => number('revision'))
    let heads: HeadsFrom | undefined
    return {
      revision,
      compacted: read(() => number('compacted')),
      page: (from, limits) => read(() => this.#page(transaction, (heads ??= this.#heads(transaction)), from, limits)),
      records: (from, limit) =>
        read(() =>
          this.#log.revisions(from, revision, limit, transaction).map((found) => this.#log.record(found, transaction)),
        ),
      close: () => transaction.done(),
    }
  }

  survey(): ReturnType<EmbeddedReader['survey']> {
    this.#root.resetReadTxn()
    // While it is open, no page that the newest or a later transaction shows is reused.
    const transaction = this.#root.useReadTransaction()
    try {
      this.#meta.get('revision', { transaction })
      const survey = new Survey(this.directory, this.#form)
      return {
        revision: survey.revision,
        entries: (options) => survey.entries(options),
        close() {
          survey.close()
          transaction.done()
        },
      }
    } catch (error) {
      transaction.done()
      throw toStoreError(join(this.directory, 'data.mdb'), error)
    }
  }

  owner(): { readonly pid: number } | undefined {
    this.#root.resetReadTxn()
    return ownerOf(this.#meta)
  }

  sizeBytes(): number {
    return statSync(join(this.directory, 'data.mdb')).size
  }

  async close(): Promise<void> {
    await this.#root.close()
  }

  #openDecrypter(keys: DataEncryptionKeys | undefined): RecordDecrypter | undefined {
    const format: number = decodeRevision(this.#meta.getBinary('format'))
    if (format > formats.encrypted)
      throw new StoreError('internal', `the data folder has format ${format}, made by a later release`)
    if (format !== formats.encrypted) return undefined
    return createRecordDecrypter(openStoredDataKey(this.#meta.getBinary(dataKeyName), keys).secret)
  }

  #heads(transaction: Transaction): HeadsFrom {
    if (!this.#decrypter)
      return (from, visit) => {
        let seen: string | undefined
        for (const { key, value } of this.#plainHeads.getRange({ start: from, transaction })) {
          if (!visit(decodeHead(key, value))) return
          seen = key
        }
        // LMDB may mistake a damaged page for the end. A read from behind then finds another last key.
        const [last = ''] = this.#plainHeads.getKeys({ reverse: true, limit: 1, transaction })
        if (seen === undefined ? last !== '' && compareKeys(last, from) >= 0 : seen !== last)
          throw new Error('keys are missing')
      }
    const heads: Head[] = []
    runWithoutPauses(readEncryptedHeads(this.#encryptedHeads, this.#decrypter, (head) => heads.push(head), transaction))
    heads.sort((a, b) => compareKeys(a.key, b.key))
    return (from, visit) => {
      for (let at = firstFrom(heads, from); at < heads.length; at++) {
        const head = heads[at]
        if (head && !visit(head)) return
      }
    }
  }

  #page(
    transaction: Transaction,
    heads: HeadsFrom,
    from: string,
    { entries: limit, bytes: bytesMax, keysOnly = false }: { entries: number; bytes: number; keysOnly?: boolean },
  ): { entries: readonly EmbeddedEntry[]; next: string | undefined } {
    const entries: EmbeddedEntry[] = []
    let bytes = 0
    let next: string | undefined
    heads(from, (head) => {
      if (entries.length >= limit || bytes >= bytesMax) {
        next = head.key
        return false
      }
      const value = keysOnly ? noValue : this.#log.record(head.revision, transaction).value
      entries.push({ ...head, value })
      bytes += value.length
      return true
    })
    return { entries, next }
  }
}

/** Position of the first head that is not before a key. */
function firstFrom(heads: readonly Head[], from: string): number {
  let low = 0
  for (let high = heads.length; low < high; ) {
    const middle = (low + high) >>> 1
    const head = heads[middle]
    if (head && compareKeys(head.key, from) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Compares by bytes, as LMDB and etcd do: beyond U+FFFF that differs from the order of JavaScript strings. */
function compareKeys(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [unitOfA, unitOfB] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (unitOfA !== unitOfB) return rank(unitOfA) - rank(unitOfB)
  }
  return a.length - b.length
}

/** Surrogates encode characters beyond all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit
}

const noValue = new Uint8Array(0)

/** The library has these two functions, but its types don't. */
function keyCoding(lmdb: unknown): KeyCoding {
  const { keyValueToBuffer, bufferToKeyValue } = lmdb as {
    keyValueToBuffer(key: string | number): Uint8Array
    bufferToKeyValue(bytes: Uint8Array): unknown
  }
  // The library may write the next key to the same memory.
  return { encode: (key) => Buffer.from(keyValueToBuffer(key)), decode: (bytes) => bufferToKeyValue(bytes) }
}

function toStoreError(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  return damaged(path, error instanceof Error ? error.message : String(error), error)
}
