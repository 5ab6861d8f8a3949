import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Clock, Closable } from '../base/index.ts'
import {
  type Credentials,
  createEndpointConnections,
  type EndpointConnections,
  hostPort,
  negotiating,
  type ServiceAddress,
  Unprocessed,
} from '../client/index.ts'
import type { Dialer } from '../egress/index.ts'
import type { RequestHeaders } from './headers.ts'
import { beginOverHttp1 } from './http1.ts'
import { beginOverHttp2 } from './http2.ts'

export interface BackendRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: RequestHeaders
  /** It requests another protocol, which needs its own connection. */
  readonly isUpgrade?: boolean
  /** The request has only a head: it may be sent again when its server has not processed it. */
  readonly isBodiless?: boolean
  readonly signal: AbortSignal
}

/** A request in flight. */
export interface BackendExchange {
  /** Receives the body of a request that has one; the caller ends it. */
  readonly body: Writable
  /** Rejects when there is no answer. */
  readonly answer: Promise<BackendResponse>
}

export interface BackendResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Fails when the answer breaks off. */
  readonly body: Readable
  /** Set when the server has changed to the requested protocol. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** Connections to another server. */
export interface Backend extends Closable {
  readonly address: () => Promise<ServiceAddress>
  /** Uses HTTP/2 where the server supports it. Rejects when no connection is available. */
  begin(address: ServiceAddress, request: BackendRequest): Promise<BackendExchange>
  /** The complete answer to a GET. Rejects beyond `bytesMax` and when `signal` aborts. */
  get(path: string, headers: RequestHeaders, limits: { bytesMax: number; signal: AbortSignal }): Promise<BackendAnswer>
  close(): void
}

export interface BackendAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Maximum number of HTTP/1.1 connections to one address; each watch holds one. */
const socketsMax = 10_000
/** The part of a backend that forwarding needs. */
export type ForwardTarget = Pick<Backend, 'address' | 'begin'>

/** Maximum number of addresses of one backend, such as its endpoints, whose connections are kept. */
const addressesMax = 64
/** Maximum number of attempts of a request whose connections end under it. */
const triesMax = 3
interface BackendOptions {
  readonly clock: Clock
  /** The expected name in its certificate. */
  readonly serverName: string
  /** Its certificate is not verified. */
  readonly insecure?: boolean
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
  /**
   * Called for each request: this server's certificate may be renewed. Requests in flight, watches among them, keep the
   * connections of the former one.
   */
  readonly credentials: () => Credentials
  readonly address: () => Promise<ServiceAddress>
  /** Opens connections through a proxy; absent: they are direct. */
  readonly dialer?: Dialer | undefined
}

export function createBackend({
  clock,
  serverName,
  insecure = false,
  ca,
  credentials,
  address,
  dialer,
}: BackendOptions): Backend {
  const known = new LRUCache<string, EndpointConnections>({
    max: addressesMax,
    dispose: (connections) => connections.retire(),
  })

  function connectionsTo(to: ServiceAddress): EndpointConnections {
    const place = hostPort(to)
    let connections = known.get(place)
    if (!connections) {
      const endpoint = { url: `https://${serverName}`, serverName, insecure, dialer, dial: () => to }
      const trusted = { ...endpoint, ...(ca === undefined ? {} : { ca }) }
      connections = createEndpointConnections(trusted, socketsMax, negotiating(clock))
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
