import type { Writable } from 'node:stream'
import { type BufferPool, pieceBytes } from '../bufferpool.ts'

/** Bytes in a body. */
export function bodyLength(body: Uint8Array | readonly Uint8Array[] | undefined): number {
  if (body === undefined) return 0
  if (body instanceof Uint8Array) return body.byteLength
  // Long lists know it.
  const { byteLength } = body as { byteLength?: number }
  if (byteLength !== undefined) return byteLength
  let total = 0
  for (const chunk of body) total += chunk.byteLength
  return total
}

/** A small body as one buffer. */
export function joined(body: Uint8Array | readonly Uint8Array[]): Uint8Array {
  if (body instanceof Uint8Array) return body
  const only = body[0]
  return body.length === 1 && only !== undefined ? only : Buffer.concat(body)
}

/** The first `length` bytes of a buffer. */
interface Piece {
  readonly buffer: Buffer
  readonly length: number
}

/**
 * Writes a large body piece by piece, waiting whenever the client is behind. Between two pieces other requests get
 * their turn: a list of megabytes never holds the event loop. Resolves to false when the client went away.
 */
export async function writePieces(
  target: Writable,
  body: Uint8Array | readonly Uint8Array[],
  buffers: BufferPool,
): Promise<boolean> {
  for (const piece of pieces(body, (bytes) => buffers.take(bytes))) {
    if (target.destroyed) return false
    if (!writePiece(target, piece, buffers) && !(await drained(target))) return false
  }
  return !target.destroyed
}

/** Writes some parts in as few pieces as hold them, without waiting. False when the client is behind. */
export function addPieces(target: Writable, parts: readonly Uint8Array[], buffers: BufferPool): boolean {
  let taken = true
  for (const piece of pieces(parts, (bytes) => buffers.take(bytes))) taken = writePiece(target, piece, buffers)
  return taken
}

function writePiece(target: Writable, { buffer, length }: Piece, buffers: BufferPool): boolean {
  return target.write(length === buffer.length ? buffer : buffer.subarray(0, length), (error) => {
    if (!error) buffers.give(buffer)
  })
}

/** The body copied into buffers, all full but the last; `take` hands out one that holds so many bytes, or more. */
export function* pieces(body: Uint8Array | readonly Uint8Array[], take: (bytes: number) => Buffer): Generator<Piece> {
  let left = bodyLength(body)
  let buffer = take(Math.min(left, pieceBytes))
  let length = 0
  for (const chunk of body instanceof Uint8Array ? [body] : body) {
    for (let from = 0; from < chunk.length; ) {
      if (length === buffer.length) {
        yield { buffer, length }
        left -= length
        buffer = take(Math.min(left, pieceBytes))
        length = 0
      }
      const part = Math.min(chunk.length - from, buffer.length - length)
      buffer.set(part === chunk.length ? chunk : chunk.subarray(from, from + part), length)
      from += part
      length += part
    }
  }
  if (length > 0) yield { buffer, length }
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
