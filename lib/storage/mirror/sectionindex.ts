import { asRevision } from '../../object/index.ts'
import type { StoredBlock, StoredColumn, StoredTable } from '../storedtable.ts'
import type { MirrorSection } from './footer.ts'
import type { MirrorValue } from './value.ts'

const anotherForm = 1
const absent = 2

const keysBytesMin = 4096

/** Columns have so many different texts, of so many characters together; further ones are left out. */
const textsMax = 65_536
const textCharactersMax = 4 * 1024 * 1024

/**
 * Everything about the values of a section but their bytes: an array for each property, so that a start need not read
 * values one by one. In this order, each as long as the section has values: revisions, revisions of creation, ends of keys
 * within all keys, ends of values within their blocks, a text for each column, flags; then all keys.
 */
export class SectionIndexWriter {
  readonly #modRevisions: number[] = []
  readonly #createRevisions: number[] = []
  readonly #keyEnds: number[] = []
  readonly #valueEnds: number[] = []
  readonly #flags: number[] = []
  readonly #columns: readonly ColumnWriter[]
  /** All keys, one after the other, and room for more. */
  #keys = Buffer.allocUnsafeSlow(keysBytesMin)
  #keyBytes = 0

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => new ColumnWriter())
  }

  get count(): number {
    return this.#flags.length
  }

  /** `end`: of the value within its block. */
  add({ key, createRevision, modRevision, isAnotherForm, isAbsent, texts }: MirrorValue, end: number): void {
    this.#modRevisions.push(modRevision)
    this.#createRevisions.push(createRevision)
    this.#addKey(key)
    this.#keyEnds.push(this.#keyBytes)
    this.#valueEnds.push(end)
    this.#flags.push((isAnotherForm ? anotherForm : 0) | (isAbsent ? absent : 0))
    this.#columns.forEach((column, at) => column.add(isAbsent ? undefined : texts?.[at]))
  }

  /** The index, and the texts of each column. */
  finish(): { readonly index: Buffer; readonly texts: readonly (readonly string[])[] } {
    const { count } = this
    const layout = new IndexLayout(count, this.#columns.length)
    const index = Buffer.allocUnsafeSlow(layout.keysAt + this.#keyBytes)
    layout.modRevisions(index).set(this.#modRevisions)
    layout.createRevisions(index).set(this.#createRevisions)
    layout.keyEnds(index).set(this.#keyEnds)
    layout.valueEnds(index).set(this.#valueEnds)
    this.#columns.forEach(({ ids }, at) => layout.column(index, at).set(ids))
    layout.flags(index).set(this.#flags)
    index.set(this.#keys.subarray(0, this.#keyBytes), layout.keysAt)
    return { index, texts: this.#columns.map(({ texts }) => texts) }
  }

  #addKey(key: string): void {
    const bytes = Buffer.byteLength(key)
    if (this.#keyBytes + bytes > this.#keys.length) {
      const before = this.#keys
      this.#keys = Buffer.allocUnsafeSlow(Math.max(before.length * 2, this.#keyBytes + bytes))
      this.#keys.set(before)
    }
    this.#keyBytes += this.#keys.write(key, this.#keyBytes)
  }
}

class ColumnWriter {
  readonly ids: number[] = []
  readonly texts: string[] = []
  readonly #idOf = new Map<string, number>()
  #characters = 0

  add(text: string | undefined): void {
    this.ids.push(text === undefined ? 0 : (this.#idOf.get(text) ?? this.#newId(text)))
  }

  #newId(text: string): number {
    if (this.texts.length >= textsMax || this.#characters + text.length > textCharactersMax) return 0
    this.#characters += text.length
    const id = this.texts.push(text)
    this.#idOf.set(text, id)
    return id
  }
}

/** Places of the arrays in an index. */
class IndexLayout {
  readonly #count: number
  readonly #columns: number

  constructor(count: number, columns: number) {
    this.#count = count
    this.#columns = columns
  }

  get keysAt(): number {
    return this.#count * (2 * 8 + (2 + this.#columns) * 4 + 1)
  }

  modRevisions({ buffer }: Buffer): Float64Array {
    return new Float64Array(buffer, 0, this.#count)
  }

  createRevisions({ buffer }: Buffer): Float64Array {
    return new Float64Array(buffer, this.#count * 8, this.#count)
  }

  keyEnds(index: Buffer): Uint32Array {
    return this.#words(index, 0)
  }

  valueEnds(index: Buffer): Uint32Array {
    return this.#words(index, 1)
  }

  column(index: Buffer, at: number): Uint32Array {
    return this.#words(index, 2 + at)
  }

  flags({ buffer }: Buffer): Uint8Array {
    return new Uint8Array(buffer, this.keysAt - this.#count, this.#count)
  }

  #words({ buffer }: Buffer, at: number): Uint32Array {
    return new Uint32Array(buffer, this.#count * (16 + at * 4), this.#count)
  }
}

/** The bytes of a section as they were read: its blocks, and its index, which has its memory for itself. */
interface SectionBytes {
  readonly blocks: readonly Buffer[]
  readonly index: Buffer
  /** The different texts of each column. */
  readonly texts: readonly (readonly string[])[]
}

/** The values of a section. */
export class SectionTable implements StoredTable {
  readonly size: number
  readonly valueBytes: number
  readonly blocks: readonly StoredBlock[]
  readonly #columns: ReadonlyMap<string, StoredColumn>
  readonly #index: Buffer
  readonly #keysAt: number
  readonly #modRevisions: Float64Array
  readonly #createRevisions: Float64Array
  readonly #keyEnds: Uint32Array
  readonly #valueEnds: Uint32Array
  readonly #flags: Uint8Array
  /** Undefined: none of its values is asked for again. */
  readonly #bytes: (Buffer | undefined)[]
  /** Values of each block that may be asked for. */
  readonly #left: number[]

  /** Throws RangeError for bytes that SectionIndexWriter did not write. */
  constructor(section: MirrorSection, { blocks, index, texts }: SectionBytes) {
    const size = section.blocks.reduce((sum, { count }) => sum + count, 0)
    const layout = new IndexLayout(size, section.columns.length)
    if (index.byteOffset !== 0 || layout.keysAt > index.length) throw new RangeError('an index is cut short')
    this.size = size
    this.#index = index
    this.#keysAt = layout.keysAt
    this.#modRevisions = layout.modRevisions(index)
    this.#createRevisions = layout.createRevisions(index)
    this.#keyEnds = layout.keyEnds(index)
    this.#valueEnds = layout.valueEnds(index)
    this.#flags = layout.flags(index)
    this.#columns = new Map(
      section.columns.map((name, at) => [name, { ids: layout.column(index, at), texts: texts[at] ?? [] }]),
    )
    let from = 0
    this.blocks = section.blocks.map(({ bytes, count }, at) => {
      const block = { memory: blocks[at]?.buffer ?? new ArrayBuffer(0), from, to: (from += count), bytes }
      return block
    })
    this.#bytes = [...blocks]
    this.#left = section.blocks.map(({ count }) => count)
    this.valueBytes = section.blocks.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#validate(section)
  }

  keyAt(index: number): string {
    const start = index === 0 ? 0 : (this.#keyEnds[index - 1] ?? 0)
    return this.#index.toString('utf8', this.#keysAt + start, this.#keysAt + (this.#keyEnds[index] ?? 0))
  }

  revisionAt(index: number): number {
    return this.#modRevisions[index] ?? 0
  }

  valueAt(index: number): MirrorValue {
    const flags = this.#flags[index] ?? 0
    return {
      key: this.keyAt(index),
      value: this.#valueAt(index),
      createRevision: asRevision(this.#createRevisions[index] ?? 0),
      modRevision: asRevision(this.#modRevisions[index] ?? 0),
      isAnotherForm: (flags & anotherForm) !== 0,
      isAbsent: (flags & absent) !== 0,
    }
  }

  values(): readonly MirrorValue[] {
    return Array.from({ length: this.size }, (_, index) => this.valueAt(index))
  }

  get hasAbsent(): boolean {
    return this.#flags.some((flags) => (flags & absent) !== 0)
  }

  release(from: number, to: number): void {
    for (let at = this.#blockOf(from), next = from; next < to; at++) {
      const end = Math.min(to, this.blocks[at]?.to ?? to)
      this.#left[at] = (this.#left[at] ?? 0) - (end - next)
      if (this.#left[at] === 0) this.#bytes[at] = undefined
      next = end
    }
  }

  column(name: string): StoredColumn | undefined {
    return this.#columns.get(name)
  }

  #valueAt(index: number): Uint8Array {
    const at = this.#blockOf(index)
    const bytes = this.#bytes[at]
    if (!bytes) throw new RangeError('the value was released')
    const start = index === this.blocks[at]?.from ? 0 : (this.#valueEnds[index - 1] ?? 0)
    return bytes.subarray(start, this.#valueEnds[index])
  }

  #blockOf(index: number): number {
    let low = 0
    let high = this.blocks.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (index < (this.blocks[middle]?.to ?? 0)) high = middle
      else low = middle + 1
    }
    return low
  }

  #validate({ prefix, blocks }: MirrorSection): void {
    const keyBytes = this.#index.length - this.#keysAt
    const keyEnds = this.#keyEnds
    for (let index = 0, last = 0; index < this.size; index++) {
      const end = keyEnds[index] ?? 0
      if (end < last || end > keyBytes) throw new RangeError('an index has other keys')
      last = end
    }
    this.blocks.forEach(({ from, to }, at) => {
      const bytes = this.#bytes[at]?.length ?? 0
      let last = 0
      for (let index = from; index < to; index++) {
        const end = this.#valueEnds[index] ?? 0
        if (end < last || end > bytes) throw new RangeError(`the block at ${blocks[at]?.at} has other values`)
        last = end
      }
      if (last !== bytes) throw new RangeError(`the block at ${blocks[at]?.at} has other values`)
    })
    for (const { ids, texts } of this.#columns.values())
      if (ids.some((id) => id > texts.length)) throw new RangeError('a column has other texts')
    // Keys ascend.
    for (const index of [0, this.size - 1])
      if (this.size > 0 && !this.keyAt(index).startsWith(prefix)) throw new RangeError('keys are of another prefix')
  }
}
