import type { Writable } from 'node:stream'
import { type Clock, Pauses } from '../../base/index.ts'
import { type BufferPool, pieceBytes } from '../bufferpool.ts'

export function bodyLength(body: Uint8Array | readonly Uint8Array[] | undefined): number {
  if (body === undefined) return 0
  if (body instanceof Uint8Array) return body.byteLength
  // Long lists have it as a field.
  const { byteLength } = body as { byteLength?: number }
  if (byteLength !== undefined) return byteLength
  let total = 0
  for (const chunk of body) total += chunk.byteLength
  return total
}

export function chunksOf(body: Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  return body instanceof Uint8Array ? [body] : body
}

export function joined(body: Uint8Array | readonly Uint8Array[]): Uint8Array {
  if (body instanceof Uint8Array) return body
  const only = body[0]
  return body.length === 1 && only !== undefined ? only : Buffer.concat(body)
}

/** Copies chunks that are only valid until the next one is requested. */
export async function copiesOf(chunks: Iterable<Uint8Array>, clock: Clock): Promise<Uint8Array[]> {
  const copies: Uint8Array[] = []
  const pauses = new Pauses(clock)
  await pauses.pause()
  for (const chunk of chunks) {
    copies.push(Buffer.from(chunk))
    if (pauses.isDue) await pauses.pause()
  }
  return copies
}

/** The same chunks; adds each to `bytesSent` when it is requested. */
export function* counted(chunks: Iterable<Uint8Array>, answer: { bytesSent: number }): Generator<Uint8Array> {
  for (const chunk of chunks) {
    answer.bytesSent += chunk.byteLength
    yield chunk
  }
}

/** A part of a buffer: `length` bytes from `from` on. */
export interface Piece {
  readonly buffer: Buffer
  readonly from: number
  readonly length: number
}

/** Bytes left free in each buffer before and after a piece. */
interface Margin {
  readonly before: number
  readonly behind: number
}

interface PieceOptions extends Partial<Margin> {
  /** The chunks stay as they are. Otherwise each is valid until the consumer gives way to others: the rest of it is copied. */
  readonly lasting?: boolean
}

/**
 * Writes a large body piece by piece, waiting whenever the client is behind. Between two pieces other requests are
 * served: a list of megabytes never holds the event loop. Resolves to false when the client went away.
 */
export async function writePieces(
  target: Writable,
  body: Iterable<Piece>,
  buffers: BufferPool,
  clock: Clock,
): Promise<boolean> {
  const pauses = new Pauses(clock)
  // Making the first piece may take as long as any other.
  await pauses.pause()
  for (const piece of body) {
    if (target.destroyed) return false
    if (!writePiece(target, piece, buffers) && !(await drained(target))) return false
    if (pauses.isDue) await pauses.pause()
  }
  return !target.destroyed
}

/** Writes some parts in as few pieces as possible, without waiting. False when the client is behind. */
export function addPieces(target: Writable, parts: readonly Uint8Array[], buffers: BufferPool): boolean {
  let taken = true
  for (const piece of pieces(parts, bodyLength(parts), (bytes) => buffers.take(bytes), { lasting: true }))
    taken = writePiece(target, piece, buffers)
  return taken
}

function writePiece(target: Writable, { buffer, from, length }: Piece, buffers: BufferPool): boolean {
  return target.write(length === buffer.length ? buffer : buffer.subarray(from, from + length), (error) => {
    if (!error) buffers.give(buffer)
  })
}

/**
 * Chunks with `bytes` bytes in total (Infinity when unknown), copied into buffers, all but the last full; `take`
 * returns a buffer of at least so many bytes.
 */
export function* pieces(
  chunks: Iterable<Uint8Array>,
  bytes: number,
  take: (bytes: number) => Buffer,
  { before = 0, behind = 0, lasting = false }: PieceOptions = {},
): Generator<Piece> {
  let left = bytes
  const nextBuffer = (): Buffer => take(Math.min(left + before + behind, pieceBytes))
  let buffer = nextBuffer()
  let length = 0
  for (const next of chunks) {
    let chunk = next
    let isOwn = lasting
    for (let from = 0; from < chunk.length; ) {
      let room = buffer.length - before - behind - length
      if (room === 0) {
        // While the piece is sent, other requests may overwrite this chunk: encoders share their memory.
        if (!isOwn) {
          chunk = Buffer.from(chunk.subarray(from))
          from = 0
          isOwn = true
        }
        yield { buffer, from: before, length }
        left -= length
        buffer = nextBuffer()
        length = 0
        room = buffer.length - before - behind
      }
      const part = Math.min(chunk.length - from, room)
      buffer.set(part === chunk.length ? chunk : chunk.subarray(from, from + part), before + length)
      from += part
      length += part
    }
  }
  if (length > 0) yield { buffer, from: before, length }
}

function drained(target: Writable): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (): void => {
      target.off('drain', settle)
      target.off('close', settle)
      resolve(!target.destroyed)
    }
    target.on('drain', settle)
    target.on('close', settle)
  })
}
