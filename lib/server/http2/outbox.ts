/** Bytes that wait to be sent, in chunks as they were given; not copied before they leave. */
export class Outbox {
  #chunks: Uint8Array[] = []
  /** The first chunk that has not left, and how much of it has. */
  #at = 0
  #offset = 0
  bytes = 0

  put(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#chunks.push(chunk)
    this.bytes += chunk.byteLength
  }

  /** Moves the next `length` bytes, of those that are there, into `target`. */
  take(target: Buffer, at: number, length: number): void {
    this.bytes -= length
    for (let left = length; left > 0; ) {
      const chunk = this.#chunks[this.#at]
      if (chunk === undefined) return
      const part = Math.min(left, chunk.byteLength - this.#offset)
      target.set(part === chunk.byteLength ? chunk : chunk.subarray(this.#offset, this.#offset + part), at)
      at += part
      left -= part
      this.#offset += part
      if (this.#offset === chunk.byteLength) this.#next()
    }
  }

  clear(): void {
    this.#chunks = []
    this.#at = 0
    this.#offset = 0
    this.bytes = 0
  }

  #next(): void {
    this.#at++
    this.#offset = 0
    // What has left is let go of, now and then.
    if (this.#at === this.#chunks.length || this.#at >= sentMax) {
      this.#chunks.splice(0, this.#at)
      this.#at = 0
    }
  }
}

const sentMax = 1024
