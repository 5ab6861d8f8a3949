import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Clock, Pauses } from '../../base/index.ts'
import type { ResponseHeaders } from '../../request/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import type { ServerCall } from '../call.ts'
import { pieces } from './pieces.ts'

/** Below this size compression costs more than it saves. */
const gzipBytesMin = 128 * 1024

export const gzipHeaders = ['content-encoding', 'gzip', 'vary', 'Accept-Encoding']

/**
 * Whether to compress this answer: large, successful, and for a client that accepts gzip. An unknown length is
 * Infinity.
 */
export function wantsGzip(call: ServerCall, status: number, headers: ResponseHeaders, length: number): boolean {
  if (length <= gzipBytesMin || status !== 200 || !call.services.compress) return false
  if (headers['content-encoding'] !== undefined || headers['content-length'] !== undefined) return false
  return acceptsGzip(call.headers['accept-encoding'])
}

export function acceptsGzip(accept: string | undefined): boolean {
  if (accept === undefined) return false
  return accept.split(',').some((range) => {
    const [coding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/**
 * Compresses at level 1 on node's worker threads while the client reads. False when the client went away. `lasting`: see
 * `pieces`.
 */
export async function writeGzip(
  target: Writable,
  chunks: Iterable<Uint8Array>,
  clock: Clock,
  { lasting }: { readonly lasting: boolean },
): Promise<boolean> {
  try {
    await pipeline(
      Readable.from(freshPieces(chunks, clock, lasting)),
      createGzip({ level: 1, chunkSize: pieceBytes }),
      target,
    )
    return true
  } catch (error) {
    if (target.destroyed) return false
    throw error
  }
}

/** Each piece has its own buffer, as the compressor does not report when it is done with one. */
async function* freshPieces(chunks: Iterable<Uint8Array>, clock: Clock, lasting: boolean): AsyncGenerator<Uint8Array> {
  const pauses = new Pauses(clock)
  await pauses.pause()
  const take = (): Buffer => Buffer.allocUnsafeSlow(pieceBytes)
  for (const { buffer, from, length } of pieces(chunks, Infinity, take, { lasting })) {
    yield buffer.subarray(from, from + length)
    if (pauses.isDue) await pauses.pause()
  }
}
