/**
 * The bytes of bodies that the peer may still send (RFC 9113, section 5.2). An update is due when half of the window
 * has been read, not for each frame.
 */
export class ReceiveWindow {
  readonly #size: number
  #left: number
  #read = 0

  constructor(size: number) {
    this.#size = size
    this.#left = size
  }

  /** False when the peer was not allowed to send so much. */
  take(bytes: number): boolean {
    this.#left -= bytes
    return this.#left >= 0
  }

  /** `bytes` have been read or discarded. Returns the increment for a WINDOW_UPDATE, or 0. */
  release(bytes: number): number {
    this.#read += bytes
    if (this.#read < this.#size / 2) return 0
    const increment = this.#read
    this.#left += increment
    this.#read = 0
    return increment
  }
}
