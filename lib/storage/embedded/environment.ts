import { chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, DatabaseOptions, Key, RootDatabase } from 'lmdb'
import { ensureFolder } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import { StoreError } from '../contract.ts'
import { checkDataFile, damaged } from './datafile.ts'
import { claimOwnership, releaseOwnership } from './owner.ts'
import { decodeRevision, encodeNumber } from './record.ts'

/** Address space, not disk; LMDB grows the map beyond it. */
const mapBytes = 1 << 30

/**
 * Opens an LMDB environment in `directory`, for this process alone. A commit is synced to disk before any reader sees
 * it (`overlappingSync` off). Throws StoreError when another process has the folder open or it can't be used.
 */
export async function openLmdbEnvironment(
  directory: string,
  instance: string,
  onDamage?: (error: StoreError) => void,
): Promise<LmdbEnvironment> {
  const { open } = await import('lmdb')
  try {
    // The folder holds secrets.
    ensureFolder(directory, 0o700)
    checkDataFile(directory)
    const root = open<Buffer, string>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      mapSize: mapBytes,
      maxDbs: 8,
      overlappingSync: false,
      // `batch` makes the transactions: lmdb's own per event turn have a promise that no caller gets, and a full disk
      // would end the process.
      eventTurnBatching: false,
    })
    for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(directory, file), 0o600)
    try {
      return new LmdbEnvironment(directory, root, instance, onDamage)
    } catch (error) {
      await root.close()
      throw error
    }
  } catch (error) {
    throw openingError(directory, error)
  }
}

/** The StoreError for an error of opening a folder. */
export function openingError(directory: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const reason = error instanceof Error ? error.message : String(error)
  if (isDamage(error as { code?: number | string })) return damaged(join(directory, 'data.mdb'), reason, error)
  return new StoreError('internal', `cannot open the data folder ${directory}: ${reason}`, { cause: error })
}

/** The file behind the tables of an embedded store: its transactions, its numbers, and the handling of damage. */
export class LmdbEnvironment {
  readonly #directory: string
  readonly #meta: Database<Buffer, string>
  readonly #root: RootDatabase<Buffer, string>
  readonly #instance: string
  readonly #onDamage: ((error: StoreError) => void) | undefined
  #isDamaged = false

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
    this.#meta = this.table<string>('meta')
    claimOwnership(root, this.#meta, instance)
  }

  table<TableKey extends Key>(name: string): Database<Buffer, TableKey> {
    const options: DatabaseOptions & { name: string } = { name, encoding: 'binary' }
    return this.#root.openDB<Buffer, TableKey>(options)
  }

  /** A number of the table `meta`; 0 where it has none. */
  number(name: string): Revision {
    return this.read(() => decodeRevision(this.#meta.getBinaryFast(name)))
  }

  bytes(name: string): Buffer | undefined {
    return this.read(() => this.#meta.getBinary(name))
  }

  /** Call it within `write`. */
  putNumber(name: string, value: number): Promise<boolean> {
    return this.#meta.put(name, encodeNumber(value))
  }

  /** Writes entries of the table `meta`, all or none. */
  setNow(entries: Readonly<Record<string, Uint8Array>>): void {
    this.#root.transactionSync(() => {
      for (const [name, value] of Object.entries(entries)) this.#meta.putSync(name, Buffer.from(value))
    })
  }

  /** The dead reader of a killed tool would keep freed pages from being used again. */
  forgetDeadReaders(): void {
    this.#root.readerCheck()
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

  /** Throws StoreError `internal` for a part of the data file that is damaged; other reads go on. */
  read<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      // A nested read has reported it.
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

  /** One transaction, atomic. Its parts have their own promises, which are rejected with it: each gets a handler. */
  async write(work: (track: (written: Promise<boolean>) => void) => void): Promise<void> {
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

  /** LMDB reports a write that was cut short as an input/output error; a full disk also cuts this test write short. */
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

/** lmdb rejects with an error that holds the promise of the real one. */
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
