/** Answers that fit go out in one write; larger ones in pieces of about this many bytes. */
export const pieceBytes = 64 * 1024

/** Sizes of buffers, and how many of each wait for their next use: some three mebibytes. */
const sizes = [
  { bytes: 4 * 1024, kept: 64 },
  { bytes: 16 * 1024, kept: 64 },
  { bytes: pieceBytes, kept: 32 },
] as const

/** Buffers that serve one answer after the other: fresh ones would cost a collection a list. */
export class Buffers {
  /** Holds nothing; what begins with it needs no check. */
  readonly none: Buffer = Buffer.alloc(0)
  readonly #free: Buffer[][] = sizes.map(() => [])

  /** One that holds so many bytes, at most a piece's. */
  take(bytes: number): Buffer {
    const size = sizes.findIndex((each) => each.bytes >= bytes)
    return this.#free[size]?.pop() ?? Buffer.allocUnsafeSlow(sizes[size]?.bytes ?? bytes)
  }

  /** Nobody looks at it any more. */
  give(buffer: Buffer): void {
    const size = sizes.findIndex((each) => each.bytes === buffer.length)
    const free = this.#free[size]
    if (free && free.length < (sizes[size]?.kept ?? 0)) free.push(buffer)
  }
}
