/**
 * Frames of the chunked transfer coding (RFC 9112, 7.1). Bytes that are sent to many clients one after the other, such
 * as an event to all its watchers, are framed once: a frame for each would burden the garbage collector.
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

/** The frame of a chunk, in parts as that is. */
export function chunkOf(parts: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  return [Buffer.from(`${length.toString(16)}\r\n`, 'latin1'), ...parts, lineEnd]
}

const lineEnd = Buffer.from('\r\n', 'latin1')
