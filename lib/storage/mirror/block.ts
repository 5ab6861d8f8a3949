/** Bytes of a block; one of a single longer value may have more. */
const mirrorBlockBytes = 1024 * 1024

/** Collects values into blocks, one after the other. */
export class BlockWriter {
  #buffer = Buffer.allocUnsafeSlow(mirrorBlockBytes)
  #at = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The end of the value within the block. Undefined: the block is full, and has to be taken first. */
  add(value: Uint8Array): number | undefined {
    if (this.#at + value.byteLength > this.#buffer.length) {
      if (this.#count > 0) return undefined
      this.#buffer = Buffer.allocUnsafeSlow(value.byteLength)
    }
    this.#buffer.set(value, this.#at)
    this.#at += value.byteLength
    this.#count++
    return this.#at
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
