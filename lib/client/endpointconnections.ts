import type { Agent } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { type ConnectionOptions, createSecureContext, type TLSSocket } from 'node:tls'
import { type Closable, nodeHttp } from '../base/index.ts'
import { clientTls } from '../pki/index.ts'
import type { Credentials } from './credentials.ts'
import { dialThrough } from './dialthrough.ts'
import type { ServerEndpoint } from './endpoint.ts'
import type { Negotiation } from './negotiation.ts'

/** Finds out whether the server speaks HTTP/2, and keeps the connections for it. */
interface ProtocolChoice extends Closable {
  /** A connection for HTTP/1.1 that was opened to find out the protocol; each is returned once. */
  spare(): TLSSocket | undefined
  close(): void
}

/** `target`: returns the options of a TLS connection, called for each connection. */
type CreateChoice<Choice> = (url: string, target: () => ConnectionOptions | Promise<ConnectionOptions>) => Choice

/** Connections to one endpoint, kept while the client certificate stays the same. */
export interface EndpointConnections<Choice = Negotiation> extends Closable {
  /** Returns a connection pool for one request; call `release` at its end. */
  take(shown: Credentials): { readonly agent: Agent; readonly negotiation: Choice | undefined; release(): void }
  /** The connections end once no request uses them. */
  retire(): void
  close(): void
}

interface Pool<Choice> {
  readonly agent: Agent
  /** Undefined when the server is only spoken to over HTTP/1.1. */
  readonly negotiation: Choice | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  inUse: number
}

export function createEndpointConnections<Choice extends ProtocolChoice = Negotiation>(
  { url, socketPath, ca, serverName, insecure, dial, dialer }: ServerEndpoint,
  socketsMax: number,
  /** Given: the client uses HTTP/2 with servers that support it. */
  negotiate?: CreateChoice<Choice>,
): EndpointConnections<Choice> {
  const options = {
    keepAlive: true,
    maxSockets: socketsMax,
    scheduling: 'lifo' as const,
    ...(socketPath === undefined ? {} : { socketPath }),
  }
  const pools = new Set<Pool<Choice>>()
  const closing = new AbortController()
  let newest: Pool<Choice> | undefined

  function open({ cert, key }: Credentials): Pool<Choice> {
    const isPlain = url.startsWith('http:')
    const tls = {
      // Shared: otherwise each connection would parse the certificates and hold its own context.
      ...(isPlain ? {} : { secureContext: createSecureContext(clientTls({ ca, cert, key })) }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(insecure === true ? { rejectUnauthorized: false } : {}),
    }
    const agent = isPlain ? new (nodeHttp().Agent)(options) : new https.Agent({ ...options, ...tls })
    if (dialer) dialThrough(agent, dialer, isPlain, closing.signal)
    if (dial) dialElsewhere(agent, dial)
    const negotiation =
      negotiate && !isPlain && socketPath === undefined
        ? negotiate(url, () => {
            const place = dial?.() ?? placeAt(url)
            const target = { servername: nameAt(url), ...tls, ...place }
            return dialer ? dialer(place, closing.signal).then((socket) => ({ ...target, socket })) : target
          })
        : undefined
    if (negotiation) useSpares(agent, negotiation)
    const pool = { agent, negotiation, cert, key, inUse: 0 }
    pools.add(pool)
    return pool
  }

  /** Closes the connections of former certificates once no request uses them. */
  function prune(): void {
    for (const pool of pools) {
      if (pool === newest || pool.inUse > 0) continue
      pool.agent.destroy()
      pool.negotiation?.close()
      pools.delete(pool)
    }
  }

  return {
    take(shown) {
      if (!newest || newest.cert !== shown.cert || newest.key !== shown.key) newest = open(shown)
      const pool = newest
      pool.inUse++
      prune()
      return {
        agent: pool.agent,
        negotiation: pool.negotiation,
        release() {
          pool.inUse--
          prune()
        },
      }
    },
    retire() {
      newest = undefined
      prune()
    },
    close() {
      closing.abort(new Error('the client is closed'))
      for (const { agent, negotiation } of pools) {
        agent.destroy()
        negotiation?.close()
      }
    },
  }
}

/** `dial` determines the address; the name that is verified and sent stays the URL's. */
function dialElsewhere(agent: Agent, dial: NonNullable<ServerEndpoint['dial']>): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => connect({ ...options, ...dial() }, done)
}

/** The agent first uses connections that were opened to find out the protocol. */
function useSpares(agent: Agent, negotiation: ProtocolChoice): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => negotiation.spare() ?? connect(options, done)
}

const portDefault = 443

function placeAt(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? portDefault : Number(port) }
}

/** A client may not send an IP address as server name (RFC 6066, section 3). */
function nameAt(url: string): string {
  const { host } = placeAt(url)
  return isIP(host) === 0 ? host : ''
}
