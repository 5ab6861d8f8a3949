/**
 * Frames of the chunked transfer coding (RFC 9112, 7.1). What is sent to many clients one after the other, as an event
 * to all its watchers, is framed once: a frame of its own for each would keep the collector busy with them.
 */
export class ChunkFrames {
  #chunk: Uint8Array | undefined
  #frame: Uint8Array = new Uint8Array(0)

  /** Of a chunk that isn't empty, and that nobody changes any more. */
  of(chunk: Uint8Array): Uint8Array {
    if (chunk === this.#chunk) return this.#frame
    this.#frame = frameOf(chunk)
    this.#chunk = chunk
    return this.#frame
  }
}

/** The same of a chunk in parts, which only one client gets. */
export function chunkOf(parts: readonly Uint8Array[], length: number): readonly Uint8Array[] {
  return [Buffer.from(`${length.toString(16)}\r\n`, 'latin1'), ...parts, lineEnd]
}

const lineEnd = Buffer.from('\r\n', 'latin1')

function frameOf(chunk: Uint8Array): Uint8Array {
  const size = `${chunk.byteLength.toString(16)}\r\n`
  const frame = Buffer.allocUnsafe(size.length + chunk.byteLength + 2)
  frame.write(size, 0, 'latin1')
  frame.set(chunk, size.length)
  frame[frame.length - 2] = 0x0d
  frame[frame.length - 1] = 0x0a
  return frame
}
