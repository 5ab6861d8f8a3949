import type { StoredValue } from './contract.ts'

/** All values of a prefix in order of keys. Values and keys are made when they are asked for. */
export interface StoredTable {
  readonly size: number
  /** Bytes of all values together. */
  readonly valueBytes: number
  keyAt(index: number): string
  valueAt(index: number): StoredValue
  /** The memory that neighbouring values share, in order. */
  readonly blocks: readonly StoredBlock[]
  /** The values from an index inclusive to another one exclusive are not asked for again. */
  release(from: number, to: number): void
  /** A text of each value, which was saved with it. Undefined: there are none of this name. */
  column(name: string): StoredColumn | undefined
}

/** All values of a prefix at one revision of the store, as those of a table with what differs from it. */
export interface TableState {
  readonly table: StoredTable
  /** Keys of the table that don't exist then. */
  readonly removed: readonly string[]
  /** Values that the table lacks, or has another one of. A removed key may be among them: it does exist. */
  readonly changed: readonly StoredValue[]
}

export interface StoredBlock {
  readonly memory: ArrayBufferLike
  /** Indexes of its values: the first, and the one behind the last. */
  readonly from: number
  readonly to: number
  /** Bytes of its values. */
  readonly bytes: number
}

export interface StoredColumn {
  /** For each value: 0 where its text is not known, else that of the text, plus 1. */
  readonly ids: Uint32Array
  readonly texts: readonly string[]
}
