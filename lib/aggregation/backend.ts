import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Closable } from '../base/index.ts'
import {
  type Address,
  createConnections,
  type Credentials,
  hostPort,
  type ResolveService,
  serviceHost,
} from '../client/index.ts'
import { type ApiService, specOf } from './apiservice.ts'
import type { RequestHeaders } from './headers.ts'

export interface BackendRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: RequestHeaders
  readonly signal: AbortSignal
}

/** Connections to another API server. */
export interface Backend extends Closable {
  readonly address: () => Promise<Address>
  begin(address: Address, request: BackendRequest): ClientRequest
  /** The answer to a GET, whole. Rejects beyond `bytesMax` and when `signal` aborts. */
  get(path: string, headers: RequestHeaders, limits: { bytesMax: number; signal: AbortSignal }): Promise<BackendAnswer>
  close(): void
}

export interface BackendAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Connections to one backend at the same time; watches hold one each. */
const socketsMax = 10_000
const portDefault = 443

/** The server of an APIService, reached as its spec says. */
export function serviceBackend(
  apiService: ApiService,
  { resolve, credentials }: { resolve: ResolveService; credentials: () => Credentials },
): Backend {
  const { service, caBundle = '', insecureSkipTLSVerify = false } = specOf(apiService)
  const { namespace = '', name = '', port = portDefault } = service ?? {}
  return createBackend({
    serverName: serviceHost({ namespace, name }),
    insecure: insecureSkipTLSVerify,
    ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
    credentials,
    address: async () => await resolve({ namespace, name, port }),
  })
}

interface BackendOptions {
  /** The name in its certificate. */
  readonly serverName: string
  /** Its certificate is not checked. */
  readonly insecure?: boolean
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
  /** Asked for each request: the certificate of this server may be renewed. Requests under way, watches among them, keep the connections of the former one. */
  readonly credentials: () => Credentials
  readonly address: () => Promise<Address>
}

export function createBackend({ serverName, insecure = false, ca, credentials, address }: BackendOptions): Backend {
  const connections = createConnections(
    { url: `https://${serverName}`, serverName, insecure, ...(ca === undefined ? {} : { ca }) },
    socketsMax,
  )

  function begin(to: Address, { method, path, headers, signal }: BackendRequest): ClientRequest {
    const connection = connections.take(credentials())
    const request = https.request({
      agent: connection.agent,
      host: to.host,
      port: to.port,
      method,
      path,
      headers: { ...headers, host: hostPort(to) },
      signal,
      setHost: false,
    })
    request.on('close', () => connection.release())
    return request
  }

  return {
    address,
    begin,
    async get(path, headers, { bytesMax, signal }) {
      const to = await address()
      signal.throwIfAborted()
      const request = begin(to, { method: 'GET', path, headers, signal })
      request.end()
      const response = await new Promise<IncomingMessage>((done, failed) => {
        request.on('response', done)
        request.on('error', failed)
        request.on('upgrade', (_response, socket) => {
          socket.destroy()
          failed(new Error('the answer is an upgrade'))
        })
      })
      return { status: response.statusCode ?? 0, headers: response.headers, body: await readWhole(response, bytesMax) }
    },
    close: () => connections.close(),
  }
}

async function readWhole(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
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
