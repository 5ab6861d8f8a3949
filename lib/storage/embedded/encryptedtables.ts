import type { Database } from 'lmdb'
import { type Clock, Pauses } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { RecordCipher } from '../dataencryption/recordcipher.ts'
import { createHeadIndex, type HeadIndex } from '../local/headindex.ts'
import type { Head, LogRecord, RecordHeader, Tables } from '../local/tables.ts'
import { encryptedHeadTable, encryptedRecords, encryptHead, readEncryptedHeads } from './encryptedform.ts'
import type { LmdbEnvironment } from './environment.ts'
import { LogTable } from './logtable.ts'

/**
 * LMDB tables in which every record and every key is encrypted. The order of keys is kept in memory: it is read here,
 * in slices. Throws StoreError `internal` for a head that doesn't decrypt.
 */
export async function openEncryptedTables(
  environment: LmdbEnvironment,
  cipher: RecordCipher,
  clock: Clock,
): Promise<Tables> {
  const heads = environment.table<number>(encryptedHeadTable)
  const index = createHeadIndex()
  const slices = readEncryptedHeads(heads, cipher, index.add)
  const pauses = new Pauses(clock)
  while (!environment.read(() => slices.next()).done) await pauses.pause()
  return new EncryptedTables(environment, cipher, heads, index)
}

/**
 * The state in memory (heads, revision, compacted, swept) changes in one step once a commit is durable: LMDB shows a
 * commit a moment earlier.
 */
class EncryptedTables implements Tables {
  readonly #environment: LmdbEnvironment
  readonly #cipher: RecordCipher
  readonly #heads: Database<Buffer, number>
  readonly #log: LogTable
  readonly #index: HeadIndex
  #revision: Revision
  #compacted: Revision
  #swept: Revision

  constructor(environment: LmdbEnvironment, cipher: RecordCipher, heads: Database<Buffer, number>, index: HeadIndex) {
    this.#environment = environment
    this.#cipher = cipher
    this.#heads = heads
    this.#log = new LogTable(environment.table('log'), encryptedRecords(cipher))
    this.#index = index
    this.#revision = environment.number('revision')
    this.#compacted = environment.number('compacted')
    this.#swept = environment.number('swept')
  }

  revision(): Revision {
    return this.#revision
  }

  compacted(): Revision {
    return this.#compacted
  }

  swept(): Revision {
    return this.#swept
  }

  head(key: string): Head | undefined {
    return this.#index.head(key)
  }

  visitHeads(start: string, end: string, visit: (head: Head) => boolean): void {
    this.#index.visitHeads(start, end, visit)
  }

  countHeads(start: string, end: string): number {
    return this.#index.countHeads(start, end)
  }

  record(revision: Revision): LogRecord {
    return this.#environment.read(() => this.#log.record(revision))
  }

  records(from: Revision, limit: number): LogRecord[] {
    return this.#environment.read(() => this.#log.records(from, this.#revision, limit))
  }

  recordHeaders(from: Revision, limit: number): RecordHeader[] {
    return this.#environment.read(() => this.#log.headers(from, this.#revision, limit))
  }

  due(nowMs: number, limit: number): Head[] {
    return this.#index.due(nowMs, limit)
  }

  async append(records: readonly LogRecord[]): Promise<void> {
    const last = records.at(-1)
    if (!last) return
    await this.#environment.write((track) => {
      /** Keys that these records create, in case a later record deletes them. */
      const created = new Map<string, Revision>()
      for (const record of records) {
        const { type, key } = record
        track(this.#log.append(record))
        if (type === 'put') {
          created.set(key, record.createRevision)
          track(this.#heads.put(record.createRevision, encryptHead(this.#cipher, record)))
          continue
        }
        const createRevision = created.get(key) ?? this.#index.head(key)?.createRevision
        if (createRevision !== undefined) track(this.#heads.remove(createRevision))
      }
      track(this.#environment.putNumber('revision', last.revision))
    })
    for (const record of records) this.#index.apply(record)
    this.#revision = last.revision
  }

  async setCompacted(revision: Revision): Promise<void> {
    this.#environment.forgetDeadReaders()
    await this.#environment.write((track) => track(this.#environment.putNumber('compacted', revision)))
    this.#compacted = revision
  }

  async sweep(removed: readonly Revision[], swept: Revision): Promise<void> {
    await this.#environment.write((track) => {
      for (const revision of removed) track(this.#log.remove(revision))
      track(this.#environment.putNumber('swept', swept))
    })
    this.#swept = swept
  }

  size(): { endpoint: string; bytes: number } {
    return this.#environment.size()
  }

  async close(): Promise<void> {
    await this.#environment.close()
  }
}
