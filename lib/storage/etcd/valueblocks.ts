/** Bytes of one block. */
const blockBytes = 1024 * 1024
/** Longer values have their own memory. */
const sharedBytesMax = 64 * 1024

/** Memory for the values of one reply, some hundred of them a block. */
export class ValueBlocks {
  #left: number
  #block = Buffer.alloc(0)
  #at = 0

  /** `bytes`: the values have no more than that together. */
  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): Buffer {
    if (bytes > sharedBytesMax) {
      this.#left -= bytes
      return Buffer.allocUnsafeSlow(bytes)
    }
    if (this.#at + bytes > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(blockBytes, this.#left)))
      this.#at = 0
    }
    const taken = this.#block.subarray(this.#at, this.#at + bytes)
    this.#at += bytes
    this.#left -= bytes
    return taken
  }
}
