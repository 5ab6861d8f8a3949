const nothing = new Uint8Array(0)
/** The array of chunks is compacted after this many have been sent. */
const sentMax = 1024

/** Bytes waiting to be sent, in the chunks that the caller gave; copied only when they are sent. */
export class SendQueue {
  bytes = 0
  /** Total bytes sent so far. */
  takenBytes = 0
  /** Chunks `#first` to `#end - 1` are waiting. The array is kept when empty, since most streams fill it again. */
  #chunks: Uint8Array[] = []
  #first = 0
  #end = 0
  /** Bytes of the first chunk already sent. */
  #offset = 0

  put(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#chunks[this.#end++] = chunk
    this.bytes += chunk.byteLength
  }

  /** Copies the next `length` bytes into `target` at `at` and drops them; `length` is at most `bytes`. */
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
