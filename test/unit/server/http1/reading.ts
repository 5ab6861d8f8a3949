import { createServer, type IncomingMessage } from 'node:http'
import { duplexPair } from 'node:stream'
import { MalformedRequest } from '../../../../lib/server/http1/malformedrequest.ts'
import { Receiver } from '../../../../lib/server/http1/receiver.ts'
import type { RequestHead } from '../../../../lib/server/http1/requesthead.ts'
import { turns } from '../../../support/turns.ts'

export const limits = { headerBytesMax: 16 * 1024, headerCountMax: 64 }

/** One request as a reader understands it. */
export interface Understood {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reading {
  /** Requests that have come as a whole. */
  readonly requests: readonly Understood[]
  /** Status of the refusal that ended the reading; 0 without one. */
  readonly refusal: number
  readonly why: string
}

/** Reads the pieces of one connection, by `lib/server/http1`. */
export function readOurs(pieces: readonly Buffer[]): Reading {
  const requests: Understood[] = []
  let head: RequestHead | undefined
  let body: Buffer[] = []
  const receiver = new Receiver(
    {
      onHead(given) {
        head = given
        body = []
      },
      onBody: (chunk) => void body.push(Buffer.from(chunk)),
      onEnd() {
        if (head === undefined) throw new Error('an end without a head')
        const { method, target, headers } = head
        const text = Buffer.concat(body).toString('latin1')
        requests.push({ method, target, headers: { ...headers } as Record<string, string>, body: text })
      },
    },
    limits,
  )
  try {
    let ended = 0
    for (const piece of pieces) {
      receiver.push(piece)
      while (requests.length > ended) {
        ended++
        receiver.next()
      }
    }
    return { requests, refusal: 0, why: '' }
  } catch (error) {
    if (!(error instanceof MalformedRequest)) throw error
    return { requests, refusal: error.status, why: error.message }
  }
}

/** Reads the bytes of one connection, by Node's HTTP server. */
export async function readByNode(bytes: Buffer): Promise<Reading> {
  const requests: Understood[] = []
  let [refusal, why] = [0, '']
  const server = createServer({ maxHeaderSize: limits.headerBytesMax })
  const take = (request: IncomingMessage, headers = request.headers): void => {
    const body: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => body.push(chunk))
    request.on('end', () => {
      const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
      requests.push({
        method: request.method ?? '',
        target: request.url ?? '',
        headers: Object.fromEntries(flat) as Record<string, string>,
        body: Buffer.concat(body).toString('latin1'),
      })
    })
  }
  server.on('request', (request, response) => {
    take(request)
    request.on('end', () => response.end())
  })
  server.on('connect', (request: IncomingMessage) => {
    take(request)
    request.push(null)
    request.resume()
  })
  server.on('clientError', (error: Error & { code?: string }) => {
    refusal = 400
    why = `${error.code} ${error.message}`
  })
  const [client, side] = duplexPair()
  let answer = ''
  client.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  side.on('error', () => {})
  server.emit('connection', side)
  client.write(bytes)
  await turns(6)
  side.destroy()
  client.destroy()
  const refused = /HTTP\/1\.1 (4\d\d)/.exec(answer)?.[1]
  if (refusal === 0 && refused !== undefined) [refusal, why] = [Number(refused), 'answered by Node']
  return { requests, refusal, why }
}
