import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { type Agent, request } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import {
  type Clock,
  createFakeClock,
  silentLogger,
  silentMetrics,
  systemClock,
  systemRandom,
} from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { type Call, parseRequestInfo } from '../../../lib/request/index.ts'
import {
  createServer,
  fixedCertificates,
  type Server,
  type ServerDependencies,
  type ServerOptions,
  versionRoute,
} from '../../../lib/server/index.ts'

const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'test authority' })

/** A certificate for `name`, of an authority that nobody trusts. */
export function makeCertificate(name: string): { cert: string; key: string } {
  const { certificate, key } = authority.issue({ commonName: name, usage: 'both', names: [name, '127.0.0.1'] })
  return { cert: certificate, key }
}

let pair: { cert: string; key: string } | undefined
export function testCertificate(): { cert: string; key: string } {
  pair ??= makeCertificate('localhost')
  return pair
}

export const alice = { name: 'alice', uid: '', groups: ['system:authenticated'], extra: {} }
export const small = Buffer.from('{"kind":"ConfigMap"}')

export interface Running {
  readonly server: Server
  readonly port: number
}

/** A server's dependencies: everybody is alice, and alice may do everything. */
export function dependenciesFor(given: Partial<ServerDependencies>): ServerDependencies {
  return {
    log: silentLogger,
    metrics: silentMetrics,
    clock: systemClock,
    random: systemRandom,
    certificates: fixedCertificates({ serving: testCertificate(), named: [], clientAuthorities: '' }),
    authenticator: { name: 'test', authenticate: () => ({ outcome: 'authenticated', user: alice }) },
    authorizer: { name: 'test', authorize: () => ({ decision: 'allow', reason: '' }) },
    resources: { handle: (call) => call.responder.send(200, { 'content-type': 'application/json' }, small) },
    routes: [versionRoute({ major: '1', minor: '33' })],
    healthChecks: [],
    postStartHooks: [],
    parseRequestInfo,
    ...given,
  }
}

/** Until the socket is closed; a reset by the other side is one way of closing. */
export function closed(socket: Socket): Promise<void> {
  socket.on('error', () => {})
  return new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))
}

/** A server on a free port whose chain lets alice do everything; `handle` takes the resource requests. */
export async function run(
  handle: (call: Call) => void | Promise<void> = (call) =>
    call.responder.send(200, { 'content-type': 'application/json' }, small),
  options: Partial<ServerOptions> = {},
  dependencies: Partial<ServerDependencies> = {},
): Promise<Running> {
  const server = createServer(dependenciesFor({ resources: { handle }, ...dependencies }), {
    host: '127.0.0.1',
    port: 0,
    ...options,
  })
  const { port } = await server.start()
  return { server, port }
}

/** A clock that moves only by `pass`, on the event loop of the process: a slow machine exceeds none of a server's time limits. */
export interface SteppedClock extends Clock {
  /** Advances in small steps; between two of them sockets are served. */
  pass(ms: number): Promise<void>
}

const stepMs = 20
/** Turns of the event loop in which a write to a socket ends. */
const turnsOfStep = 3

export function steppedClock(): SteppedClock {
  const { soon, turn } = systemClock
  const fake = createFakeClock(Date.now())
  return {
    ...fake,
    soon,
    turn,
    async pass(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
        for (let count = 0; count < turnsOfStep; count++) await new Promise((resolve) => setImmediate(resolve))
        fake.advance(Math.min(stepMs, leftMs))
      }
    },
  }
}

/** Makes servers as `run` does, each closed after the test that made it; called within a suite. Answers their port. */
export function serving(): (
  handle?: (call: Call) => void | Promise<void>,
  options?: Partial<ServerOptions>,
  dependencies?: Partial<ServerDependencies>,
) => Promise<number> {
  const servers: Server[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  return async (handle, options, dependencies) => {
    const { server, port } = await run(handle, options, dependencies)
    servers.push(server)
    return port
  }
}

/** A connection for HTTP/1.1 as it is written. */
export function raw(port: number): TLSSocket {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => {})
  return socket
}

/** Everything that comes until the server closes. */
export async function received(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await closed(socket)
  return text
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body as it came. */
  readonly bytes: Buffer
}

interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
  readonly agent?: Agent
  readonly servername?: string
}

/** One request over HTTP/1.1. */
export function get1(port: number, path: string, ask: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: ask.method ?? 'GET',
        headers: ask.headers ?? {},
        rejectUnauthorized: false,
        ...(ask.agent ? { agent: ask.agent } : { agent: false }),
        ...(ask.servername ? { servername: ask.servername } : {}),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes.toString(), bytes })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(ask.body)
  })
}

export function session2(port: number, options: object = {}): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ...options })
  session.on('error', () => {})
  return session
}

/** One request over an HTTP/2 session. */
export function on2(session: ClientHttp2Session, path: string, ask: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ':method': ask.method ?? 'GET', ...ask.headers })
    let status = 0
    let headers: IncomingHttpHeaders = {}
    const chunks: Buffer[] = []
    stream.on('response', (given) => {
      status = Number(given[':status'])
      headers = given
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks)
      if (status === 0) reject(new Error('ended without an answer'))
      else resolve({ status, headers, body: bytes.toString(), bytes })
    })
    stream.end(ask.body)
  })
}

/** One request over HTTP/2, on a session of its own. */
export async function get2(port: number, path: string, ask: Ask = {}): Promise<Answer> {
  const session = session2(port)
  try {
    return await on2(session, path, ask)
  } finally {
    session.destroy()
  }
}

/** The same question by either protocol. */
export const protocols = [
  { protocol: 'HTTP/1.1', get: get1 },
  { protocol: 'HTTP/2', get: get2 },
] as const
