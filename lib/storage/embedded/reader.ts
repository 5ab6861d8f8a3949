import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase, Transaction } from 'lmdb'
import { asRevision, type Revision } from '../../object/index.ts'
import { StoreError } from '../contract.ts'
import type { Head, LogRecord } from '../local/tables.ts'
import { checkDataFile, damaged } from './datafile.ts'
import { ownerOf } from './owner.ts'
import { decodeHead, decodeRecord, decodeRevision } from './record.ts'

/** Address space, not disk; a larger file is mapped whole. */
const mapBytes = 1 << 30

/** A key with its newest record. */
export interface EmbeddedEntry extends Head {
  readonly value: Uint8Array
}

/** One moment of the store. It keeps the owner from using freed pages again: close it soon. */
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
    /** First key beyond; undefined: that was the last. */
    readonly next: string | undefined
  }
  /** Records in order from a revision on. */
  records(from: Revision, limit: number): readonly LogRecord[]
  close(): void
}

/** An embedded store's folder, read beside the process that owns it. Nothing is written but LMDB's table of readers. */
export interface EmbeddedReader {
  readonly directory: string
  snapshot(): EmbeddedSnapshot
  /** The process that has the store open now. */
  owner(): { readonly pid: number } | undefined
  sizeBytes(): number
  close(): Promise<void>
}

/** Rejects with StoreError `internal` when there is no store, or it is damaged. */
export async function openEmbeddedReader(directory: string): Promise<EmbeddedReader> {
  const path = join(directory, 'data.mdb')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) throw new StoreError('internal', `there is no store in ${directory}`)
  checkDataFile(directory)
  const { open } = await import('lmdb')
  const root = open<Buffer, string>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    mapSize: Math.max(mapBytes, size * 2),
    maxDbs: 8,
    readOnly: true,
  })
  try {
    return new LmdbReader(directory, root)
  } catch (error) {
    await root.close()
    throw toStoreError(path, error)
  }
}

class LmdbReader implements EmbeddedReader {
  readonly directory: string
  readonly #root: RootDatabase<Buffer, string>
  readonly #heads: Database<Buffer, string>
  readonly #log: Database<Buffer, number>
  readonly #meta: Database<Buffer, string>

  constructor(directory: string, root: RootDatabase<Buffer, string>) {
    this.directory = directory
    this.#root = root
    this.#heads = root.openDB<Buffer, string>({ name: 'head', encoding: 'binary' })
    this.#log = root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' })
    this.#meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
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
    return {
      revision,
      compacted: read(() => number('compacted')),
      page: (from, limits) => read(() => this.#page(transaction, from, limits)),
      records: (from, limit) => read(() => this.#records(transaction, from, limit, revision)),
      close: () => transaction.done(),
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

  #page(
    transaction: Transaction,
    from: string,
    { entries: limit, bytes: bytesMax, keysOnly = false }: { entries: number; bytes: number; keysOnly?: boolean },
  ): { entries: readonly EmbeddedEntry[]; next: string | undefined } {
    const entries: EmbeddedEntry[] = []
    let bytes = 0
    for (const { key, value } of this.#heads.getRange({ start: from, transaction })) {
      if (entries.length >= limit || bytes >= bytesMax) return { entries, next: key }
      const head = decodeHead(key, value)
      const record = keysOnly ? undefined : this.#record(transaction, head.revision)
      entries.push({ ...head, value: record?.value ?? noValue })
      bytes += record?.value.length ?? 0
    }
    return { entries, next: undefined }
  }

  #record(transaction: Transaction, revision: Revision): LogRecord {
    const buffer = this.#log.get(revision, { transaction })
    if (!buffer) throw new Error(`record ${revision} is missing`)
    return decodeRecord(revision, buffer)
  }

  #records(transaction: Transaction, from: Revision, limit: number, newest: Revision): readonly LogRecord[] {
    const revisions = [...this.#log.getKeys({ start: from, limit, transaction })]
    // The newest record is never swept. LMDB may take a damaged page for the end.
    if (revisions.length < limit && from <= newest && newest > 1 && revisions.at(-1) !== newest)
      throw new Error(`records end before ${newest}`)
    return revisions.map((revision) => this.#record(transaction, asRevision(revision)))
  }
}

const noValue = new Uint8Array(0)

function toStoreError(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  return damaged(path, error instanceof Error ? error.message : String(error), error)
}
