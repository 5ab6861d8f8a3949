import type { Duplex } from 'node:stream'
import { isRecord, networkErrorText } from '../../base/index.ts'
import { parseJsonText, StatusError } from '../../object/index.ts'
import type { BackendResponse, RequestHeaders } from '../../proxy/index.ts'
import type { StreamTarget } from './target.ts'

/** A kubelet's connection that speaks SPDY from here on. */
export interface SpdyUpgrade {
  readonly socket: Duplex
  /** The version of the streams' protocol that the kubelet has chosen; '' for none. */
  readonly version: string
}

/** An answer instead of the upgrade. */
export type UpgradeRefusal = Pick<BackendResponse, 'status' | 'headers' | 'body'>

/** Requests SPDY/3.1 from a kubelet. Rejects when it can't be reached. */
export async function upgradeToSpdy(
  { kubelet, path }: StreamTarget,
  headers: RequestHeaders,
  versions: readonly string[],
  signal: AbortSignal,
): Promise<SpdyUpgrade | UpgradeRefusal> {
  const exchange = await kubelet.verified.begin(kubelet.address, {
    method: 'POST',
    path,
    headers: {
      ...headers,
      host: new URL(kubelet.origin).host,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'content-length': '0',
      'x-stream-protocol-version': [...versions],
    },
    isUpgrade: true,
    signal,
  })
  exchange.body.end()
  const { status, headers: given, body, upgraded } = await exchange.answer
  if (!upgraded) return { status, headers: given, body }
  if (upgraded.head.length > 0) upgraded.socket.unshift(upgraded.head)
  return { socket: upgraded.socket, version: String(given['x-stream-protocol-version'] ?? '') }
}

/** The words that clients know for a network error towards a kubelet. */
export function requestFailure({ kubelet, path }: StreamTarget, error: unknown): Error {
  const text = networkErrorText(error)
  return new Error(`error sending request: Post ${JSON.stringify(kubelet.origin + path)}: ${text}`, { cause: error })
}

const explanationBytesMax = 50_000

/** The kubelet's own Status if there is one, else its text. */
export async function refusalOf({ body }: UpgradeRefusal): Promise<Error> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= explanationBytesMax) break
    }
  } catch (error) {
    return new Error('unable to upgrade connection: unable to read error from server response', { cause: error })
  }
  const text = Buffer.concat(chunks).subarray(0, explanationBytesMax).toString()
  return statusIn(text) ?? new Error(`unable to upgrade connection: ${text.trim()}`)
}

function statusIn(text: string): StatusError | undefined {
  try {
    const given: unknown = parseJsonText(text)
    if (!isRecord(given) || given['kind'] !== 'Status' || typeof given['code'] !== 'number') return undefined
    return new StatusError(given['code'], '', String(given['message'] ?? ''))
  } catch {
    return undefined
  }
}
