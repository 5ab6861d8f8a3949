import type { Clock } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import {
  type DataEncryptionKeys,
  type EmbeddedEntry,
  type EmbeddedReader,
  type EmbeddedSnapshot,
  openEmbeddedReader,
} from '../../storage/index.ts'
import {
  type ChangeBatch,
  reasonOf,
  type Scan,
  type ScanOptions,
  type StoreChange,
  type StoredEntry,
  type StoreReader,
  StoreToolError,
} from '../contract.ts'

const pageLimits = { entries: 1000, bytes: 1024 * 1024 }
const recordsMax = 1000
const pollMs = 50

export interface EmbeddedStoreReader extends StoreReader {
  readonly kind: 'embedded'
  readonly reader: EmbeddedReader
}

/** Reads an embedded store, even while a server has it open; with the keys if it is encrypted. */
export async function openEmbeddedStoreReader(
  clock: Clock,
  directory: string,
  keys?: DataEncryptionKeys,
): Promise<EmbeddedStoreReader> {
  try {
    return new FolderReader(clock, await openEmbeddedReader(directory, keys))
  } catch (error) {
    throw new StoreToolError(reasonOf(error), { cause: error })
  }
}

class FolderReader implements EmbeddedStoreReader {
  readonly kind = 'embedded'
  readonly description: string
  readonly reader: EmbeddedReader
  readonly #clock: Clock

  constructor(clock: Clock, reader: EmbeddedReader) {
    this.#clock = clock
    this.reader = reader
    this.description = `the embedded store in ${reader.directory}`
  }

  async currentRevision(): Promise<Revision> {
    const snapshot = this.#snapshot()
    try {
      return snapshot.revision
    } finally {
      snapshot.close()
    }
  }

  async scan(options: ScanOptions = {}): Promise<Scan> {
    const { start = '', end, revision, keysOnly = false, lifetimes = false, onDamage } = options
    if (onDamage) return this.#survey({ start, end, onDamage })
    const snapshot = this.#snapshot()
    const shown = revision ?? snapshot.revision
    if (shown !== snapshot.revision) {
      snapshot.close()
      throw new StoreToolError(`${this.description} can be listed as it is now, not at a past revision`)
    }
    const nowMs = this.#clock.now()
    return {
      revision: shown,
      pages: () => pages(snapshot, { start, end, keysOnly, lifetimes, nowMs }),
      close: () => snapshot.close(),
    }
  }

  async get(key: string, revision = noRevision): Promise<{ entry: StoredEntry | undefined; revision: Revision }> {
    const snapshot = this.#snapshot()
    try {
      const asked = revision === noRevision ? snapshot.revision : revision
      if (asked > snapshot.revision) throw new StoreToolError(`revision ${asked} has not happened yet`)
      if (asked < snapshot.compacted) throw new StoreToolError(`revision ${asked} is compacted`)
      const head = snapshot.page(key, { entries: 1, bytes: 1 }).entries[0]
      if (revision === noRevision || (head?.key === key && head.revision <= asked))
        return { entry: head?.key === key ? entryOf(head, 0) : undefined, revision: asked }
      return { entry: pastEntry(snapshot, key, asked), revision: asked }
    } finally {
      snapshot.close()
    }
  }

  async *history(key: string): AsyncIterable<StoreChange> {
    const snapshot = this.#snapshot()
    try {
      // The records of heads survive compaction: the oldest ones are from before it.
      const head = snapshot.page(key, { entries: 1, bytes: 1, keysOnly: true }).entries[0]
      const oldest = head?.key === key ? Math.min(head.revision, snapshot.compacted) : snapshot.compacted
      for (let from = asRevision(oldest); ; ) {
        const records = snapshot.records(from, recordsMax)
        for (const record of records) if (record.key === key) yield record
        const last = records.at(-1)
        if (!last || records.length < recordsMax) return
        from = asRevision(last.revision + 1)
      }
    } finally {
      snapshot.close()
    }
  }

  async *changes(first: Revision): AsyncIterable<ChangeBatch> {
    for (let from = first; ; ) {
      const snapshot = this.#snapshot()
      let batch: ChangeBatch
      try {
        if (from < snapshot.compacted) throw new StoreToolError(`revision ${from} is compacted: its history is gone`)
        const records = from > snapshot.revision ? [] : snapshot.records(from, recordsMax)
        const nowMs = this.#clock.now()
        const changes = records.map((record) => ({ ...record, ttlSeconds: restOf(record.expiresAtMs, nowMs) }))
        const isAll = records.length < recordsMax
        batch = { changes, revision: isAll ? snapshot.revision : (records.at(-1)?.revision ?? snapshot.revision) }
      } finally {
        snapshot.close()
      }
      yield batch
      from = asRevision(Math.max(from, batch.revision + 1))
      if (batch.changes.length < recordsMax) await this.#clock.sleep(pollMs)
    }
  }

  owner(): { readonly pid: number } | undefined {
    return this.reader.owner()
  }

  async close(): Promise<void> {
    await this.reader.close()
  }

  #survey(options: Parameters<ReturnType<EmbeddedReader['survey']>['entries']>[0]): Scan {
    try {
      const survey = this.reader.survey()
      return {
        revision: survey.revision,
        pages: () => inPages(survey.entries(options)),
        close: () => survey.close(),
      }
    } catch (error) {
      throw new StoreToolError(reasonOf(error), { cause: error })
    }
  }

  #snapshot(): EmbeddedSnapshot {
    try {
      return this.reader.snapshot()
    } catch (error) {
      throw new StoreToolError(reasonOf(error), { cause: error })
    }
  }
}

interface PageOptions {
  readonly start: string
  readonly end: string | undefined
  readonly keysOnly: boolean
  readonly lifetimes: boolean
  readonly nowMs: number
}

async function* pages(
  snapshot: EmbeddedSnapshot,
  { start, end, keysOnly, lifetimes, nowMs }: PageOptions,
): AsyncIterable<readonly StoredEntry[]> {
  for (let from: string | undefined = start; from !== undefined; ) {
    const { entries, next } = snapshot.page(from, { ...pageLimits, keysOnly })
    const wanted = end === undefined ? entries : entries.filter(({ key }) => key < end)
    if (wanted.length > 0) yield wanted.map((entry) => entryOf(entry, lifetimes ? nowMs : 0))
    from = wanted.length < entries.length ? undefined : next
  }
}

async function* inPages(entries: Iterable<EmbeddedEntry>): AsyncIterable<readonly StoredEntry[]> {
  let page: StoredEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    page.push(entryOf(entry, 0))
    bytes += entry.value.length
    if (page.length < pageLimits.entries && bytes < pageLimits.bytes) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/**
 * The state of a key before it was written or deleted after a revision: the first later record names the one that it
 * replaced.
 */
function pastEntry(snapshot: EmbeddedSnapshot, key: string, asked: Revision): StoredEntry | undefined {
  for (let from = asRevision(asked + 1); ; ) {
    const records = snapshot.records(from, recordsMax)
    const first = records.find((record) => record.key === key)
    if (first) return first.previous === noRevision ? undefined : recordAt(snapshot, first.previous)
    const last = records.at(-1)
    if (!last || records.length < recordsMax) return undefined
    from = asRevision(last.revision + 1)
  }
}

function recordAt(snapshot: EmbeddedSnapshot, revision: Revision): StoredEntry | undefined {
  const [record] = snapshot.records(revision, 1)
  if (!record || record.revision !== revision) return undefined
  const { key, value, createRevision } = record
  return { key, value, createRevision, modRevision: revision, ttlSeconds: 0 }
}

function entryOf({ key, value, createRevision, revision, expiresAtMs }: EmbeddedEntry, nowMs: number): StoredEntry {
  const ttlSeconds = nowMs > 0 ? restOf(expiresAtMs, nowMs) : 0
  return { key, value, createRevision, modRevision: revision, ttlSeconds }
}

function restOf(expiresAtMs: number, nowMs: number): number {
  return expiresAtMs > 0 ? Math.max(1, Math.ceil((expiresAtMs - nowMs) / 1000)) : 0
}
