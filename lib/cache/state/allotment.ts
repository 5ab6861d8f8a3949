/** Counts bytes that are kept without eviction: what does not fit is not kept. */
export class Allotment {
  #bytesMax: number
  #usedBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Sets the maximum. Bytes beyond it stay counted until their owners return them. */
  resize(bytesMax: number): void {
    this.#bytesMax = bytesMax
  }

  /** Returns false when the bytes do not fit; the owner must not keep them then. */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#bytesMax) return false
    this.#usedBytes += bytes
    return true
  }

  /** The owner no longer keeps bytes that it took. */
  giveBack(bytes: number): void {
    this.#usedBytes -= bytes
  }
}
