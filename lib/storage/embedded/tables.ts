import { chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase } from 'lmdb'
import { makeFolder } from '../../base/index.ts'
import { asRevision, type Revision } from '../../object/index.ts'
import { StoreError } from '../contract.ts'
import type { Head, LogRecord, Tables } from '../local/tables.ts'
import { checkDataFile, damaged } from './datafile.ts'
import { claimOwnership, releaseOwnership } from './owner.ts'
import { decodeHead, decodeRecord, decodeRevision, encodeHead, encodeNumber, encodeRecord } from './record.ts'

const format = 1
/** Address space, not disk; the map grows beyond it by itself. */
const mapBytes = 1 << 30
/** Longer keys can't exist (LocalStore refuses them); lmdb throws for them. */
const keyCharsMax = 1900

/** Fills pages of the log to the end; lmdb takes it where its types know a version only. */
const append = { append: true } as unknown as number

type Expiry = [expiresAtMs: number, key: string]

/**
 * Tables in an LMDB environment in `directory`. A commit is synced to disk before it is visible to anyone
 * (`overlappingSync` off). Throws StoreError when another process has the folder or it can't be used.
 */
export async function openLmdbTables(
  directory: string,
  instance: string,
  onDamage?: (error: StoreError) => void,
): Promise<LmdbTables> {
  const { open } = await import('lmdb')
  try {
    // Secrets are in it.
    makeFolder(directory, 0o700)
    checkDataFile(directory)
    const root = open<Buffer, string>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      mapSize: mapBytes,
      maxDbs: 8,
      overlappingSync: false,
      // Transactions are made by `batch`: lmdb's own per event turn have a promise that no caller gets, and a full disk
      // would end the process.
      eventTurnBatching: false,
    })
    for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(directory, file), 0o600)
    const tables = new LmdbTables(directory, root, instance, onDamage)
    try {
      tables.begin()
    } catch (error) {
      await root.close()
      throw error
    }
    return tables
  } catch (error) {
    if (error instanceof StoreError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    if (isDamage(error as { code?: number | string })) throw damaged(join(directory, 'data.mdb'), reason, error)
    throw new StoreError('internal', `cannot open the data folder ${directory}: ${reason}`, { cause: error })
  }
}

class LmdbTables implements Tables {
  readonly #directory: string
  readonly #root: RootDatabase<Buffer, string>
  readonly #instance: string
  readonly #onDamage: ((error: StoreError) => void) | undefined
  #isDamaged = false
  readonly #heads: Database<Buffer, string>
  readonly #log: Database<Buffer, number>
  readonly #expiry: Database<Buffer, Expiry>
  readonly #meta: Database<Buffer, string>

  constructor(
    directory: string,
    root: RootDatabase<Buffer, string>,
    instance: string,
    onDamage: ((error: StoreError) => void) | undefined,
  ) {
    this.#directory = directory
    this.#root = root
    this.#instance = instance
    this.#onDamage = onDamage
    this.#heads = root.openDB<Buffer, string>({ name: 'head', encoding: 'binary' })
    this.#log = root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' })
    this.#expiry = root.openDB<Buffer, Expiry>({ name: 'expiry', encoding: 'binary' })
    this.#meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  }

  begin(): void {
    claimOwnership(this.#root, this.#meta, this.#instance)
    const found = this.#number('format')
    if (found > format) throw new StoreError('internal', `the data folder has format ${found}, made by a later release`)
    if (found === 0)
      this.#root.transactionSync(() => {
        for (const name of ['format', 'revision', 'compacted', 'swept']) this.#meta.putSync(name, encodeNumber(1))
      })
  }

  revision(): Revision {
    return this.#number('revision')
  }

  compacted(): Revision {
    return this.#number('compacted')
  }

  swept(): Revision {
    return this.#number('swept')
  }

  head(key: string): Head | undefined {
    return this.#read(() => {
      const buffer = key.length > keyCharsMax ? undefined : this.#heads.getBinaryFast(key)
      return buffer && decodeHead(key, buffer)
    })
  }

  visitHeads(start: string, end: string, visit: (head: Head) => boolean): void {
    this.#read(() => {
      for (const { key, value } of this.#heads.getRange(clamped(start, end)))
        if (key >= start && key < end && !visit(decodeHead(key, value))) return
    })
  }

  countHeads(start: string, end: string): number {
    return start < end ? this.#read(() => this.#heads.getKeysCount(clamped(start, end))) : 0
  }

  record(revision: Revision): LogRecord {
    return this.#read(() => {
      const buffer = this.#log.getBinaryFast(revision)
      if (!buffer) throw new Error(`record ${revision} is missing`)
      return decodeRecord(revision, buffer)
    })
  }

  records(from: Revision, limit: number): LogRecord[] {
    const newest = this.revision()
    const revisions = this.#read(() => {
      const found = [...this.#log.getKeys({ start: from, limit })]
      // The newest record is never swept. LMDB may take a damaged page for the end.
      if (found.length < limit && from <= newest && newest > 1 && found.at(-1) !== newest)
        throw new Error(`records end before ${newest}`)
      return found
    })
    return revisions.map((revision) => this.record(asRevision(revision)))
  }

  due(nowMs: number, limit: number): Head[] {
    const found: Head[] = []
    const entries = this.#read(() => [...this.#expiry.getKeys({ end: [nowMs + 1, ''], limit })])
    for (const entry of entries) {
      const [expiresAtMs, key] = entry
      const head = this.head(key)
      if (head && head.expiresAtMs === expiresAtMs) found.push(head)
      // The key was deleted or written again since.
      else this.#expiry.remove(entry).catch(() => {})
    }
    return found
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    await this.#write((track) => {
      for (const record of records) {
        const { key, revision, expiresAtMs } = record
        track(this.#log.put(revision, encodeRecord(record), append))
        if (record.type === 'put') track(this.#heads.put(key, encodeHead(record)))
        else track(this.#heads.remove(key))
        if (expiresAtMs > 0) track(this.#expiry.put([expiresAtMs, key], encodeNumber(0)))
      }
      const last = records.at(-1)
      if (last) track(this.#meta.put('revision', encodeNumber(last.revision)))
    })
  }

  async setCompacted(revision: Revision): Promise<void> {
    // A tool that was killed while it read would keep freed pages from being used again.
    this.#root.readerCheck()
    await this.#write((track) => track(this.#meta.put('compacted', encodeNumber(revision))))
  }

  async sweep(removed: readonly Revision[], swept: Revision): Promise<void> {
    await this.#write((track) => {
      for (const revision of removed) track(this.#log.remove(revision))
      track(this.#meta.put('swept', encodeNumber(swept)))
    })
  }

  size(): { endpoint: string; bytes: number } {
    return { endpoint: this.#directory, bytes: statSync(join(this.#directory, 'data.mdb')).size }
  }

  /** Writes a data file without free space to an empty folder. */
  async copyTo(directory: string): Promise<void> {
    await this.#root.backup(directory, true)
    chmodSync(join(directory, 'data.mdb'), 0o600)
  }

  async close(): Promise<void> {
    await releaseOwnership(this.#meta, this.#instance).catch(() => {})
    await this.#root.close()
  }

  #number(name: string): Revision {
    return this.#read(() => decodeRevision(this.#meta.getBinaryFast(name)))
  }

  /** Throws StoreError `internal` for what the data file doesn't hold as it should; other reads go on. */
  #read<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      // Said already, by a read within this one.
      if (error instanceof StoreError) throw error
      // LMDB reads nothing more in a transaction that met damage.
      this.#root.resetReadTxn()
      throw this.#damaged(error)
    }
  }

  #damaged(cause: unknown): StoreError {
    const how = cause instanceof Error ? cause.message : String(cause)
    const error = damaged(join(this.#directory, 'data.mdb'), how, cause)
    if (!this.#isDamaged) this.#onDamage?.(error)
    this.#isDamaged = true
    return error
  }

  /**
   * One transaction, which fails or happens as a whole. Its parts have promises of their own, which are rejected with it:
   * each is looked after.
   */
  async #write(work: (track: (written: Promise<boolean>) => void) => void): Promise<void> {
    const promises = new Set<Promise<boolean>>()
    try {
      promises.add(this.#root.batch(() => work((written) => promises.add(written))))
      for (const outcome of await Promise.allSettled(promises)) if (outcome.status === 'rejected') throw outcome.reason
    } catch (error) {
      throw await this.#toStoreError(error)
    } finally {
      this.#root.resetReadTxn()
    }
  }

  async #toStoreError(error: unknown): Promise<StoreError> {
    const reason = (await commitErrorOf(error)) as Error & { code?: number | string }
    if (isOutOfSpace(reason) || !this.#hasSpace()) {
      return new StoreError('no-space', `the disk of ${this.#directory} is full`, { cause: reason })
    }
    if (isDamage(reason)) return this.#damaged(reason)
    return new StoreError('internal', `writing to ${this.#directory} failed: ${reason.message}`, { cause: reason })
  }

  /** LMDB calls a write that was cut short an input/output error; a full disk cuts this one short as well. */
  #hasSpace(): boolean {
    const probe = join(this.#directory, 'probe')
    try {
      const file = openSync(probe, 'w')
      try {
        const block = Buffer.alloc(1 << 20)
        for (let at = 0; at < 4; at++) if (writeSync(file, block) < block.length) return false
        fsyncSync(file)
        return true
      } finally {
        closeSync(file)
        rmSync(probe, { force: true })
      }
    } catch {
      return false
    }
  }
}

/** Keys beyond the longest possible one bound a range as well when they are cut, but for a key equal to the cut. */
function clamped(start: string, end: string): { start: string; end: string } {
  return {
    start: start.length > keyCharsMax ? start.slice(0, keyCharsMax) : start,
    end: end.length > keyCharsMax ? end.slice(0, keyCharsMax) : end,
  }
}

/** lmdb rejects with an error that only promises the real one. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  const promised = (error as { commitError?: Promise<unknown> }).commitError
  if (!promised) return error
  return await promised.then(
    () => error,
    (reason: unknown) => reason,
  )
}

/** MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PROBLEM. */
function isDamage({ code }: { code?: number | string }): boolean {
  return code === -30797 || code === -30796 || code === -30779
}

/** ENOSPC, EFBIG, EDQUOT, MDB_MAP_FULL. */
function isOutOfSpace({ code }: { code?: number | string }): boolean {
  return code === 28 || code === 27 || code === 122 || code === -30792
}
