import { asRevision } from '../../object/index.ts'
import type { StoredValue } from '../contract.ts'

/** A value of a mirror. */
export type MirrorValue = Omit<StoredValue, 'unreadable' | 'stale'> & {
  /** The value is not in the mirror: it is read from the store. */
  readonly isAbsent?: boolean
}

/** Bytes of a block; one of a single longer value may have more. */
const mirrorBlockBytes = 1024 * 1024

/** Lengths of key and value, two revisions, and the flags. */
const headBytes = 4 + 4 + 8 + 8 + 4
const anotherForm = 1
const absent = 2

/** Collects values into blocks: heads, keys and values one after the other. */
export class BlockWriter {
  #buffer = Buffer.allocUnsafeSlow(mirrorBlockBytes)
  #at = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** False: the block is full, and has to be taken first. */
  add({ key, value, createRevision, modRevision, isAnotherForm, isAbsent }: MirrorValue): boolean {
    const keyBytes = Buffer.byteLength(key)
    const wanted = headBytes + keyBytes + value.byteLength
    if (this.#at + wanted > this.#buffer.length) {
      if (this.#count > 0) return false
      this.#buffer = Buffer.allocUnsafeSlow(wanted)
    }
    const buffer = this.#buffer
    let at = buffer.writeUInt32LE(keyBytes, this.#at)
    at = buffer.writeUInt32LE(value.byteLength, at)
    at = buffer.writeDoubleLE(createRevision, at)
    at = buffer.writeDoubleLE(modRevision, at)
    at = buffer.writeUInt32LE((isAnotherForm ? anotherForm : 0) | (isAbsent ? absent : 0), at)
    at += buffer.write(key, at)
    buffer.set(value, at)
    this.#at = at + value.byteLength
    this.#count++
    return true
  }

  /** The block so far, valid until the next value is added. */
  take(): Buffer {
    const block = this.#buffer.subarray(0, this.#at)
    if (this.#buffer.length > mirrorBlockBytes) this.#buffer = Buffer.allocUnsafeSlow(mirrorBlockBytes)
    this.#at = 0
    this.#count = 0
    return block
  }
}

/**
 * Appends the values of a block, which are parts of it. Throws RangeError for bytes that are no block, and for keys that
 * are not below the prefix or not in order.
 */
export function readBlock(block: Buffer, prefix: string, values: MirrorValue[]): void {
  let last = values[values.length - 1]?.key ?? prefix
  for (let at = 0; at < block.length; ) {
    const keyBytes = block.readUInt32LE(at)
    const valueBytes = block.readUInt32LE(at + 4)
    const createRevision = asRevision(block.readDoubleLE(at + 8))
    const modRevision = asRevision(block.readDoubleLE(at + 16))
    const flags = block.readUInt32LE(at + 24)
    const valueAt = at + headBytes + keyBytes
    const end = valueAt + valueBytes
    if (end > block.length) throw new RangeError('a value is cut short')
    const key = block.toString('utf8', at + headBytes, valueAt)
    if (key <= last || !key.startsWith(prefix)) throw new RangeError('keys are out of order')
    const value = block.subarray(valueAt, end)
    values.push({
      key,
      value,
      createRevision,
      modRevision,
      isAnotherForm: (flags & anotherForm) !== 0,
      isAbsent: (flags & absent) !== 0,
    })
    last = key
    at = end
  }
}
