/** Answers that fit go out in one write; larger ones in pieces of about this many bytes. */
export const pieceBytes = 64 * 1024

/** Sizes of pooled buffers and how many of each are kept: about 3 MiB in total. */
const sizes = [
  { bytes: 4 * 1024, kept: 64 },
  { bytes: 16 * 1024, kept: 64 },
  { bytes: pieceBytes, kept: 32 },
] as const

/** Reuses output buffers: allocating new ones for every large list would trigger a garbage collection for each. */
export class BufferPool {
  /** An empty buffer, so that a field for the current buffer is never undefined. */
  readonly none: Buffer = Buffer.alloc(0)
  readonly #free: Buffer[][] = sizes.map(() => [])

  /** A buffer of at least `bytes` bytes, for at most `pieceBytes`. */
  take(bytes: number): Buffer {
    const size = sizes.findIndex((each) => each.bytes >= bytes)
    return this.#free[size]?.pop() ?? Buffer.allocUnsafeSlow(sizes[size]?.bytes ?? bytes)
  }

  /** Returns a buffer to the pool; the caller must not use it afterwards. */
  give(buffer: Buffer): void {
    const size = sizes.findIndex((each) => each.bytes === buffer.length)
    const free = this.#free[size]
    if (free && free.length < (sizes[size]?.kept ?? 0)) free.push(buffer)
  }
}
