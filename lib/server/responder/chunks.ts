import type { Piece } from './pieces.ts'

/**
 * Frames of the chunked transfer coding (RFC 9112, 7.1). Bytes that are sent to many clients in succession, such as an
 * event to all its watchers, are framed once: a frame for each would burden the garbage collector.
 */
export class ChunkFrames {
  #chunk: Uint8Array | undefined
  #frame: Uint8Array = new Uint8Array(0)

  /** Frames a chunk, which must not be empty and must not change afterwards. */
  of(chunk: Uint8Array): Uint8Array {
    if (chunk === this.#chunk) return this.#frame
    this.#frame = Buffer.concat(chunkOf([chunk], chunk.byteLength))
    this.#chunk = chunk
    return this.#frame
  }
}

/** The frame of a chunk given in parts, without joining them. */
export function chunkOf(parts: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  return [Buffer.from(`${length.toString(16)}\r\n`, 'latin1'), ...parts, lineEnd]
}

const sizeBytesMax = 6
/** Bytes that a frame adds around a chunk of up to 64 KiB: the size line, and the end of the data. */
export const chunkMargin = { before: sizeBytesMax, behind: 2 } as const

/** Frames a piece in its own buffer, which has that margin. */
export function framedPiece({ buffer, from, length }: Piece): Piece {
  const size = `${length.toString(16)}\r\n`
  buffer.write(size, from - size.length, 'latin1')
  buffer.write('\r\n', from + length, 'latin1')
  return { buffer, from: from - size.length, length: size.length + length + chunkMargin.behind }
}

const lineEnd = Buffer.from('\r\n', 'latin1')

/** The end of an answer without trailers. */
export const lastChunk = '0\r\n\r\n'
