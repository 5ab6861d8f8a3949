import type { Database } from 'lmdb'
import type { Revision } from '../../object/index.ts'
import type { Head, LogRecord, RecordHeader, Tables } from '../local/tables.ts'
import type { LmdbEnvironment } from './environment.ts'
import { LogTable } from './logtable.ts'
import { decodeHead, encodeHead, encodeNumber, plainRecords } from './record.ts'

/** LocalStore refuses longer keys; lmdb throws for them. */
const keyCharsMax = 1900

type Expiry = [expiresAtMs: number, key: string]

/** Unencrypted LMDB tables: LMDB keeps the order of keys. */
export function createPlainTables(environment: LmdbEnvironment): Tables {
  return new PlainTables(environment)
}

class PlainTables implements Tables {
  readonly #environment: LmdbEnvironment
  readonly #heads: Database<Buffer, string>
  readonly #log: LogTable
  readonly #expiry: Database<Buffer, Expiry>

  constructor(environment: LmdbEnvironment) {
    this.#environment = environment
    this.#heads = environment.table('head')
    this.#log = new LogTable(environment.table('log'), plainRecords)
    this.#expiry = environment.table('expiry')
  }

  revision(): Revision {
    return this.#environment.number('revision')
  }

  compacted(): Revision {
    return this.#environment.number('compacted')
  }

  swept(): Revision {
    return this.#environment.number('swept')
  }

  head(key: string): Head | undefined {
    return this.#environment.read(() => {
      const buffer = key.length > keyCharsMax ? undefined : this.#heads.getBinaryFast(key)
      return buffer && decodeHead(key, buffer)
    })
  }

  visitHeads(start: string, end: string, visit: (head: Head) => boolean): void {
    this.#environment.read(() => {
      let last: string | undefined
      for (const { key, value } of this.#heads.getRange(clamped(start, end))) {
        if (key < start || key >= end) continue
        if (!visit(decodeHead(key, value))) return
        last = key
      }
      // LMDB may mistake a damaged page for the end. A read from behind then finds another last key.
      if (last !== this.#lastKey(start, end)) throw new Error('keys are missing from a range')
    })
  }

  countHeads(start: string, end: string): number {
    return start < end ? this.#environment.read(() => this.#heads.getKeysCount(clamped(start, end))) : 0
  }

  record(revision: Revision): LogRecord {
    return this.#environment.read(() => this.#log.record(revision))
  }

  records(from: Revision, limit: number): LogRecord[] {
    const newest = this.revision()
    return this.#environment.read(() => this.#log.records(from, newest, limit))
  }

  recordHeaders(from: Revision, limit: number): RecordHeader[] {
    const newest = this.revision()
    return this.#environment.read(() => this.#log.headers(from, newest, limit))
  }

  due(nowMs: number, limit: number): Head[] {
    const found: Head[] = []
    const entries = this.#environment.read(() => [...this.#expiry.getKeys({ end: [nowMs + 1, ''], limit })])
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
    await this.#environment.write((track) => {
      for (const record of records) {
        const { key, expiresAtMs } = record
        track(this.#log.append(record))
        if (record.type === 'put') track(this.#heads.put(key, encodeHead(record)))
        else track(this.#heads.remove(key))
        if (expiresAtMs > 0) track(this.#expiry.put([expiresAtMs, key], encodeNumber(0)))
      }
      const last = records.at(-1)
      if (last) track(this.#environment.putNumber('revision', last.revision))
    })
  }

  async setCompacted(revision: Revision): Promise<void> {
    this.#environment.forgetDeadReaders()
    await this.#environment.write((track) => track(this.#environment.putNumber('compacted', revision)))
  }

  async sweep(removed: readonly Revision[], swept: Revision): Promise<void> {
    await this.#environment.write((track) => {
      for (const revision of removed) track(this.#log.remove(revision))
      track(this.#environment.putNumber('swept', swept))
    })
  }

  size(): { endpoint: string; bytes: number } {
    return this.#environment.size()
  }

  async close(): Promise<void> {
    await this.#environment.close()
  }

  #lastKey(start: string, end: string): string | undefined {
    // A reverse range begins with `end` itself, if that key exists.
    for (const key of this.#heads.getKeys({ start: clamped(start, end).end, reverse: true }))
      if (key < end) return key >= start ? key : undefined
    return undefined
  }
}

/** A bound that is longer than any key is cut. It bounds the range as before, except for a key that equals the cut. */
function clamped(start: string, end: string): { start: string; end: string } {
  return {
    start: start.length > keyCharsMax ? start.slice(0, keyCharsMax) : start,
    end: end.length > keyCharsMax ? end.slice(0, keyCharsMax) : end,
  }
}
