import type { Writable } from 'node:stream'
import { pieceBytes } from './transport.ts'

/** Bytes in a body. */
export function bodyLength(body: Uint8Array | readonly Uint8Array[] | undefined): number {
  if (body === undefined) return 0
  if (body instanceof Uint8Array) return body.byteLength
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

/**
 * Writes a large body piece by piece, waiting whenever the client is behind. Between two pieces other requests get
 * their turn: a list of megabytes never holds the event loop. Resolves to false when the client went away.
 */
export async function writePieces(target: Writable, body: Uint8Array | readonly Uint8Array[]): Promise<boolean> {
  for (const piece of pieces(body)) {
    if (target.destroyed) return false
    if (!target.write(piece) && !(await drained(target))) return false
  }
  return !target.destroyed
}

/** Cuts what is larger than a piece, and packs what is much smaller. */
export function* pieces(body: Uint8Array | readonly Uint8Array[]): Generator<Uint8Array> {
  let pack: Uint8Array[] = []
  let packed = 0
  for (const chunk of body instanceof Uint8Array ? [body] : body) {
    if (packed + chunk.byteLength <= pieceBytes) {
      pack.push(chunk)
      packed += chunk.byteLength
      continue
    }
    if (packed > 0) yield joined(pack)
    pack = []
    packed = 0
    if (chunk.byteLength < pieceBytes) {
      pack.push(chunk)
      packed = chunk.byteLength
      continue
    }
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
  if (packed > 0) yield joined(pack)
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
