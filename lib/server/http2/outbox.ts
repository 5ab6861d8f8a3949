const nothing = new Uint8Array(0)
/** Chunks that have left are forgotten when there are so many, at the latest. */
const sentMax = 1024

/** Bytes that wait to be sent, in chunks as they were given; not copied before they leave. */
export class Outbox {
  /** How many bytes wait. */
  bytes = 0
  /** All that has left, ever. */
  takenBytes = 0
  /** Those from `#first` to before `#end` wait. The list stays, as most streams fill and empty it all the time. */
  #chunks: Uint8Array[] = []
  #first = 0
  #end = 0
  /** What has left of the first. */
  #offset = 0

  put(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#chunks[this.#end++] = chunk
    this.bytes += chunk.byteLength
  }

  /** Moves the next `length` bytes, of those that are there, into `target`. */
  take(target: Buffer, at: number, length: number): void {
    this.bytes -= length
    this.takenBytes += length
    for (let left = length; left > 0; ) {
      const chunk = this.#chunks[this.#first]
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
    this.#first = 0
    this.#end = 0
    this.#offset = 0
    this.bytes = 0
  }

  #next(): void {
    this.#chunks[this.#first++] = nothing
    this.#offset = 0
    if (this.#first === sentMax) {
      this.#chunks.splice(0, sentMax)
      this.#end -= sentMax
      this.#first = 0
    } else if (this.#first === this.#end) {
      this.#first = 0
      this.#end = 0
    }
  }
}
