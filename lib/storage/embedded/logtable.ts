import type { Database, Transaction } from 'lmdb'
import { asRevision, type Revision } from '../../object/index.ts'
import type { LogRecord, RecordHeader } from '../local/tables.ts'
import type { RecordDecoder, RecordForm } from './record.ts'

/**
 * Fills pages of the log to the end. The types of lmdb allow only a version here; the library accepts the option, too.
 */
const append = { append: true } as unknown as number

/** Bytes of values that are read in one slice: some ms. */
const bytesMax = 4 * 1024 * 1024

/** Reads the log, which has a record per revision. Throws for records that are missing or damaged. */
export class LogReader {
  readonly #table: Database<Buffer, number>
  readonly #decoder: RecordDecoder

  constructor(table: Database<Buffer, number>, decoder: RecordDecoder) {
    this.#table = table
    this.#decoder = decoder
  }

  record(revision: Revision, transaction?: Transaction): LogRecord {
    return this.#decoder.decode(revision, this.#stored(revision, transaction))
  }

  /** Records in order from `from` to `newest`, the newest of the log: at most `limit`, or some MB. */
  records(from: Revision, newest: Revision, limit: number): LogRecord[] {
    const found: LogRecord[] = []
    let bytes = 0
    for (const revision of this.revisions(from, newest, limit)) {
      const record = this.record(revision)
      found.push(record)
      bytes += record.value.length
      if (bytes >= bytesMax) break
    }
    return found
  }

  headers(from: Revision, newest: Revision, limit: number): RecordHeader[] {
    return this.revisions(from, newest, limit).map((revision) =>
      this.#decoder.decodeHeader(revision, this.#stored(revision)),
    )
  }

  /** Revisions of the records from `from` to `newest`, the newest of the log: at most `limit`. */
  revisions(from: Revision, newest: Revision, limit: number, transaction?: Transaction): Revision[] {
    const found = [...this.#table.getKeys({ start: from, end: newest + 1, limit, transaction })]
    // The newest record is never swept. LMDB may mistake a damaged page for the end.
    if (found.length < limit && from <= newest && newest > 1 && found.at(-1) !== newest)
      throw new Error(`records end before ${newest}`)
    return found.map(asRevision)
  }

  /** The result is valid until the next read. */
  #stored(revision: Revision, transaction?: Transaction): Buffer {
    const stored = transaction ? this.#table.get(revision, { transaction }) : this.#table.getBinaryFast(revision)
    if (!stored) throw new Error(`record ${revision} is missing`)
    // lmdb returns its one large buffer with a changed `length`; a view of it has the exact bytes.
    return Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  }
}

/** The log and its writes, which are called within a transaction. */
export class LogTable extends LogReader {
  readonly #table: Database<Buffer, number>
  readonly #form: RecordForm

  constructor(table: Database<Buffer, number>, form: RecordForm) {
    super(table, form)
    this.#table = table
    this.#form = form
  }

  append(record: LogRecord): Promise<boolean> {
    return this.#table.put(record.revision, this.#form.encode(record), append)
  }

  remove(revision: Revision): Promise<boolean> {
    return this.#table.remove(revision)
  }
}
