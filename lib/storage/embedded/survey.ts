import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { Head, LogRecord } from '../local/tables.ts'
import { type LeafNode, PageError, PageFile, type Table } from './pages.ts'
import { decodeRevision, type HeadForm, type RecordDecoder } from './record.ts'

/** A damaged part of a data file. */
export interface Damage {
  /** The key whose state is damaged; empty: no key is known. */
  readonly key: string
  readonly revision: Revision
  readonly message: string
}

/** A key with its newest record. */
export interface EmbeddedEntry extends Head {
  readonly value: Uint8Array
}

/** How a folder's tables are stored. */
export interface FolderForm {
  readonly keys: KeyCoding
  readonly heads: HeadForm
  readonly records: RecordDecoder
}

interface SurveyOptions {
  /** First key; empty: that of the store. */
  readonly start: string
  /** First key beyond; undefined: none. */
  readonly end: string | undefined
  onDamage(damage: Damage): void
}

/** The encoding of table keys. */
export interface KeyCoding {
  encode(key: string | number): Buffer
  decode(bytes: Buffer): unknown
}

/** Keys of damaged index pages whose newest records are searched for. */
const recoveredMax = 100_000

const emptyTable: Table = { root: undefined, entries: 0 }

/**
 * Reads a data file that may be damaged to its end: returns the readable entries and reports the damage. Where an index
 * page is lost, its keys are found in the log. Their entries come last, out of the order of keys.
 */
export class Survey {
  readonly revision: Revision
  readonly #pages: PageFile
  readonly #form: FolderForm
  readonly #heads: Table
  readonly #log: Table

  /** Throws PageError when neither the list of tables nor the revision can be read. */
  constructor(directory: string, form: FolderForm) {
    this.#form = form
    this.#pages = new PageFile(directory)
    try {
      this.#heads = this.#table(form.heads.table)
      this.#log = this.#table('log')
      this.revision = decodeRevision(this.#pages.find(this.#table('meta'), form.keys.encode('revision')))
    } catch (error) {
      this.#pages.close()
      throw error
    }
  }

  /** The entries of a range. Without bounds it covers the whole file. */
  *entries({ start, end, onDamage }: SurveyOptions): Iterable<EmbeddedEntry> {
    const isWhole = start === '' && end === undefined
    const lost: LostPlaces[] = []
    /** Damaged records that were reported with their keys. */
    const told = new Set<Revision>()
    let count = 0
    for (const walked of this.#pages.walk(this.#heads, this.#bounds(start, end))) {
      if (walked.problem !== undefined) {
        lost.push(walked)
        const sorted = this.#form.heads.isInOrderOfKeys ? 'keys' : 'revisions of creation'
        const message = `the index of ${sorted} ${this.#span(walked)} can't be read: page ${walked.page}: ${walked.problem}`
        onDamage({ key: '', revision: noRevision, message })
        continue
      }
      for (const node of walked.nodes) {
        count++
        const entry = this.#entry(node, told, onDamage)
        if (entry && entry.key >= start && (end === undefined || entry.key < end)) yield entry
      }
    }
    if (!isWhole) return
    if (lost.length === 0 && count !== this.#heads.entries) {
      const message = `the index has ${count} keys, and is to have ${this.#heads.entries}`
      onDamage({ key: '', revision: noRevision, message })
    }
    yield* this.#lookAtLog(lost, told, onDamage)
    this.#lookAtRest(onDamage)
  }

  close(): void {
    this.#pages.close()
  }

  #table(name: string): Table {
    return this.#pages.tables.get(name) ?? emptyTable
  }

  #bounds(start: string, end: string | undefined): { readonly start?: Buffer; readonly end?: Buffer } {
    const { keys, heads } = this.#form
    if (!heads.isInOrderOfKeys) return {}
    return {
      ...(start === '' ? {} : { start: keys.encode(start) }),
      ...(end === undefined ? {} : { end: keys.encode(end) }),
    }
  }

  #entry(node: LeafNode, told: Set<Revision>, onDamage: (damage: Damage) => void): EmbeddedEntry | undefined {
    const place = this.#form.keys.decode(node.key)
    let head: Head | undefined
    try {
      head = this.#form.heads.decode(place, node.value())
      return { ...head, value: this.#recordOf(head.key, head.revision).value }
    } catch (error) {
      const key = head?.key ?? (typeof place === 'string' ? place : '')
      const revision = head?.revision ?? noRevision
      told.add(revision)
      onDamage({ key, revision, message: messageOf(error) })
      return undefined
    }
  }

  /** The record that should hold the state of a key. Throws when it doesn't. */
  #recordOf(key: string, revision: Revision): LogRecord {
    const bytes = this.#pages.find(this.#log, this.#form.keys.encode(revision))
    if (!bytes) throw new Error('its record is missing')
    const record = this.#form.records.decode(revision, bytes)
    if (record.type !== 'put' || record.key !== key) throw new Error('its record is that of another key')
    return record
  }

  /** Yields every record, and the newest record of each key whose index page is lost. */
  *#lookAtLog(
    lost: readonly LostPlaces[],
    told: ReadonlySet<Revision>,
    onDamage: (damage: Damage) => void,
  ): Iterable<EmbeddedEntry> {
    /** Lost keys and their newest revisions; a deletion removes its key. */
    const newest = new Map<string, Revision>()
    for (const walked of this.#pages.walk(this.#log)) {
      if (walked.problem !== undefined) {
        const message = `the records of revisions ${this.#span(walked)} can't be read: page ${walked.page}: ${walked.problem}`
        onDamage({ key: '', revision: noRevision, message })
        continue
      }
      for (const node of walked.nodes) {
        const revision = asRevision(Number(this.#form.keys.decode(node.key)))
        try {
          const record = this.#form.records.decode(revision, node.value())
          const { key } = record
          if (record.type === 'delete') newest.delete(key)
          else if (this.#isLost(record, lost) && (newest.has(key) || newest.size < recoveredMax))
            newest.set(key, revision)
        } catch (error) {
          if (!told.has(revision)) onDamage({ key: '', revision, message: messageOf(error) })
        }
      }
    }
    for (const [key, revision] of newest) {
      const { value, createRevision, expiresAtMs } = this.#recordOf(key, revision)
      onDamage({ key, revision, message: 'its index entry is on a page that is damaged' })
      yield { key, revision, createRevision, expiresAtMs, value }
    }
  }

  #lookAtRest(onDamage: (damage: Damage) => void): void {
    for (const name of ['expiry', 'meta'])
      for (const walked of this.#pages.walk(this.#table(name))) {
        if (walked.problem === undefined) continue
        const message = `the table ${name} can't be read: page ${walked.page}: ${walked.problem}`
        onDamage({ key: '', revision: noRevision, message })
      }
  }

  #isLost(head: Head, lost: readonly LostPlaces[]): boolean {
    if (lost.length === 0) return false
    const bytes = this.#form.keys.encode(this.#form.heads.placeOf(head))
    return lost.some(({ from, to }) => (!from || bytes.compare(from) >= 0) && (!to || bytes.compare(to) < 0))
  }

  #span({ from, to }: LostPlaces): string {
    const shown = (bytes: Buffer): string => JSON.stringify(this.#form.keys.decode(bytes)).slice(0, 300)
    const first = from ? `from ${shown(from)}` : 'from the first'
    return to ? `${first} to before ${shown(to)}` : `${first} to the last`
  }
}

interface LostPlaces {
  readonly from: Buffer | undefined
  readonly to: Buffer | undefined
}

function messageOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof PageError ? `its record can't be read: ${reason}` : reason
}
