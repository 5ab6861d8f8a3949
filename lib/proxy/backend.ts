import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Clock, Closable } from '../base/index.ts'
import {
  type Credentials,
  createEndpointConnections,
  type EndpointConnections,
  hostPort,
  type ServiceAddress,
  Unprocessed,
} from '../client/index.ts'
import type { RequestHeaders } from './headers.ts'
import { beginOverHttp1 } from './http1.ts'
import { beginOverHttp2 } from './http2.ts'

export interface BackendRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: RequestHeaders
  /** It asks for another protocol, which takes a connection of its own. */
  readonly isUpgrade?: boolean
  /** Nothing is sent but the head: such a request may be sent again where its server has not begun with it. */
  readonly isBodiless?: boolean
  readonly signal: AbortSignal
}

/** A request under way. */
export interface BackendExchange {
  /** Takes the body of a request that has one; the caller ends it. */
  readonly body: Writable
  /** Rejects where none comes. */
  readonly answer: Promise<BackendResponse>
}

export interface BackendResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Fails where the answer breaks off. */
  readonly body: Readable
  /** Where the server has changed to the protocol that was asked for. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** Connections to another server. */
export interface Backend extends Closable {
  readonly address: () => Promise<ServiceAddress>
  /** Over HTTP/2 where the server speaks it. Rejects where no connection can be had. */
  begin(address: ServiceAddress, request: BackendRequest): Promise<BackendExchange>
  /** The answer to a GET, whole. Rejects beyond `bytesMax` and when `signal` aborts. */
  get(path: string, headers: RequestHeaders, limits: { bytesMax: number; signal: AbortSignal }): Promise<BackendAnswer>
  close(): void
}

export interface BackendAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Connections over HTTP/1.1 to one address at the same time; watches hold one each. */
const socketsMax = 10_000
/** All that it takes to pass requests on. */
export type ForwardTarget = Pick<Backend, 'address' | 'begin'>

/** Addresses of one backend, such as its endpoints, whose connections are kept. */
const addressesMax = 64
/** Connections that a request may meet at their end. */
const triesMax = 3
interface BackendOptions {
  readonly clock: Clock
  /** The name in its certificate. */
  readonly serverName: string
  /** Its certificate is not checked. */
  readonly insecure?: boolean
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
  /** Asked for each request: the certificate of this server may be renewed. Requests under way, watches among them, keep the connections of the former one. */
  readonly credentials: () => Credentials
  readonly address: () => Promise<ServiceAddress>
}

export function createBackend({
  clock,
  serverName,
  insecure = false,
  ca,
  credentials,
  address,
}: BackendOptions): Backend {
  const known = new LRUCache<string, EndpointConnections>({
    max: addressesMax,
    dispose: (connections) => connections.retire(),
  })

  function connectionsTo(to: ServiceAddress): EndpointConnections {
    const place = hostPort(to)
    let connections = known.get(place)
    if (!connections) {
      const endpoint = { url: `https://${serverName}`, serverName, insecure, dial: () => to }
      connections = createEndpointConnections({ ...endpoint, ...(ca === undefined ? {} : { ca }) }, socketsMax, clock)
      known.set(place, connections)
    }
    return connections
  }

  async function begin(to: ServiceAddress, asked: BackendRequest): Promise<BackendExchange> {
    const request = { ...asked, headers: { ...asked.headers, host: hostPort(to) } }
    const connection = connectionsTo(to).take(credentials())
    const { agent, negotiation } = connection
    const release = once(() => connection.release())
    try {
      let session = asked.isUpgrade === true ? undefined : await negotiation?.session()
      while (session && negotiation && !negotiation.hasRoom(session)) session = await negotiation.session()
      asked.signal.throwIfAborted()
      if (!session || !negotiation) return beginOverHttp1(to, request, { agent, over: release })
      return beginOverHttp2(session, request, (stream) => {
        negotiation.hold(session, stream)
        stream.once('close', release)
      })
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    address,
    async begin(to, request) {
      if (request.isBodiless !== true) return await begin(to, request)
      for (let tries = 1; ; tries++) {
        const exchange = await begin(to, request)
        if (!exchange.body.writableEnded) exchange.body.end()
        try {
          const answer = await exchange.answer
          return { body: exchange.body, answer: Promise.resolve(answer) }
        } catch (error) {
          if (!(error instanceof Unprocessed) || tries === triesMax) throw error
        }
      }
    },
    async get(path, headers, { bytesMax, signal }) {
      const to = await address()
      signal.throwIfAborted()
      const { answer } = await this.begin(to, { method: 'GET', path, headers, isBodiless: true, signal })
      const { status, headers: given, body, upgraded } = await answer
      if (upgraded) {
        upgraded.socket.destroy()
        throw new Error('the answer is an upgrade')
      }
      return { status, headers: given, body: await readWhole(body, bytesMax) }
    },
    close() {
      for (const connections of known.values()) connections.close()
      known.clear()
    },
  }
}

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    call()
  }
}

async function readWhole(response: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytesMax) {
      response.destroy()
      throw new Error(`the answer has more than ${bytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
