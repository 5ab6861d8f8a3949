/** Collects a body. A single chunk, the usual case, is not copied; many small ones don't keep a buffer each. */
export class Collected {
  bytes = 0
  #buffer: Uint8Array = new Uint8Array(0)

  add(chunk: Uint8Array): void {
    const end = this.bytes + chunk.byteLength
    if (this.bytes === 0) this.#buffer = chunk
    else {
      if (end > this.#buffer.length) this.#grow(end)
      this.#buffer.set(chunk, this.bytes)
    }
    this.bytes = end
  }

  whole(): Uint8Array {
    return this.#buffer.length === this.bytes ? this.#buffer : this.#buffer.subarray(0, this.bytes)
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes * 2)
    larger.set(this.#buffer.subarray(0, this.bytes))
    this.#buffer = larger
  }
}
