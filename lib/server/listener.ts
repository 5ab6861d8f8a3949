import { constants } from 'node:crypto'
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
  type Server as TlsServer,
  type TlsOptions as TlsServerOptions,
} from 'node:tls'
import type { Closable, Logger } from '../base/index.ts'
import type { PresentedCertificates } from '../pki/index.ts'
import { type CallServices, ServerCall } from './call.ts'
import { Flusher } from './flusher.ts'
import { acceptHttp1 } from './http1/accept.ts'
import { Http2Session } from './http2/session.ts'
import type { Http2Stream } from './http2/stream.ts'
import type { ServerMetrics } from './metrics.ts'
import type { OpenConnections } from './openconnections.ts'
import type { ServerOptions } from './options.ts'
import { Http2Responder } from './responder/http2.ts'
import type { CertificateProvider, TlsMaterial } from './tls/certificates.ts'
import { cipherList } from './tls/ciphers.ts'

const usualCiphers = cipherList([])

type SocketOptions = Pick<TcpNetConnectOpts, 'noDelay' | 'keepAlive' | 'keepAliveInitialDelay'>

/** TLS settings from flags, as OpenSSL names them. */
export interface ListenerTlsOptions {
  readonly minVersion?: SecureContextOptions['minVersion']
  readonly ciphers?: string
  readonly curves?: string
}

interface ListenerParts {
  readonly log: Logger
  readonly options: ServerOptions
  readonly tls: ListenerTlsOptions
  readonly certificates: CertificateProvider
  readonly connections: OpenConnections
  readonly metrics: ServerMetrics
  readonly services: CallServices
  serve(call: ServerCall): void
}

interface Listener extends Closable {
  readonly server: TlsServer
}

/** The secure port: HTTP/2, and HTTP/1.1 for clients that don't speak it. */
export function createListener(parts: ListenerParts): Listener {
  const { options, metrics, services } = parts
  const secure = createContexts(parts)
  const protocols = options.http2 ? ['h2', 'http/1.1'] : ['http/1.1']
  const server = createTlsServer({ ...secureOptions(options, secure), ALPNProtocols: protocols })
  server.maxConnections = options.connectionsMax
  const [accept1, accept2] = [acceptHttp1(parts), acceptHttp2(parts)]
  server.on('secureConnection', (socket: TLSSocket) => {
    services.peers.completed(socket, secure.authorities())
    if (socket.alpnProtocol === 'h2') accept2(socket)
    else accept1(socket)
  })
  server.on('tlsClientError', (error, socket) => {
    metrics.handshakeFailed()
    parts.log.verbose(4, 'TLS handshake failed', { source: socket.remoteAddress, error: error.message })
    socket.destroy()
  })

  // The context of clients that send no server name is chosen as the connection opens, before node's own listener
  // begins the handshake. node's setSecureContext would drop `allowPartialTrustChain`, so this sets the field behind
  // it.
  const inner = server as unknown as { _sharedCreds: SecureContext }
  server.prependListener('connection', (socket: Socket) => {
    inner._sharedCreds = secure.haveAddresses ? secure.ofAddress(socket.localAddress ?? '') : secure.fallback
  })
  const watching = parts.certificates.onChange(secure.replace)
  return { server, close: () => watching.close() }
}

function secureOptions(options: ServerOptions, secure: Contexts): TlsServerOptions & SocketOptions {
  return {
    ...secure.initial,
    requestCert: secure.asksForCertificates,
    // OpenSSL's verdict is stored with the connection; the authenticators act on it.
    rejectUnauthorized: false,
    SNICallback: secure.choose,
    handshakeTimeout: options.handshakeTimeoutMs,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  }
}

function acceptHttp2({ options, connections, services, serve }: ListenerParts): (socket: TLSSocket) => void {
  const parts = {
    clock: services.clock,
    options,
    buffers: services.buffers,
    flusher: new Flusher(services.clock),
    onStream(stream: Http2Stream, session: Http2Session) {
      const { method, path, headers } = stream.head
      serve(new ServerCall(services, new Http2Responder(stream, session), method, path, headers))
    },
  }
  return (socket) => {
    connections.addSocket(socket)
    connections.addHttp2(new Http2Session(socket, parts))
  }
}

/** The secure contexts of the current certificates. */
interface Contexts {
  readonly initial: SecureContextOptions
  readonly fallback: SecureContext
  readonly asksForCertificates: boolean
  /** The authorities that a handshake ending now may have trusted. */
  authorities(): PresentedCertificates['authorities']
  /** Some certificates are named by an address. */
  readonly haveAddresses: boolean
  /**
   * For clients that send no server name: the certificate named by the address that they connected to, else the default
   * one.
   */
  ofAddress(address: string): SecureContext
  replace(material: TlsMaterial): void
  choose(name: string, done: (error: Error | null, context?: SecureContext) => void): void
}

/** The authorities of clients and of front proxies; the handshake lists both to every client. */
function authoritiesOf({ clientAuthorities, proxyAuthorities = '' }: TlsMaterial): string {
  return proxyAuthorities === '' ? clientAuthorities : `${clientAuthorities}\n${proxyAuthorities}`.trim()
}

/** How OpenSSL verifies client certificates. */
function verification(material: TlsMaterial): SecureContextOptions {
  return {
    ca: authoritiesOf(material),
    // As in Go, an intermediate authority may be trusted without its root.
    allowPartialTrustChain: true,
    // A resumed session would keep the verdict of its first handshake after the certificate has expired.
    secureOptions: constants.SSL_OP_NO_TICKET,
  }
}

function createContexts({ certificates, tls, options: { handshakeTimeoutMs }, services }: ListenerParts): Contexts {
  const optionsFor = (material: TlsMaterial, pair: { cert: string; key: string }): SecureContextOptions => ({
    cert: pair.cert,
    key: pair.key,
    ...(authoritiesOf(material) === '' ? {} : verification(material)),
    minVersion: tls.minVersion ?? 'TLSv1.2',
    ciphers: tls.ciphers ?? usualCiphers,
    honorCipherOrder: true,
    ecdhCurve: tls.curves,
  })
  const first = certificates.current()
  let initial = optionsFor(first, first.serving)
  let fallback = createSecureContext(initial)
  let named = new Map<string, SecureContext>()
  let addressed = new Map<string, SecureContext>()
  let latest = { pem: authoritiesOf(first) }
  let [transitional, transitionalUntilMs] = [latest, 0]

  function replace(material: TlsMaterial): void {
    const pem = authoritiesOf(material)
    if (pem !== latest.pem) {
      transitional = {
        pem: `${services.clock.monotonicMs() < transitionalUntilMs ? transitional.pem : latest.pem}\n${pem}`,
      }
      transitionalUntilMs = services.clock.monotonicMs() + handshakeTimeoutMs
      latest = { pem }
    }
    initial = optionsFor(material, material.serving)
    fallback = createSecureContext(initial)
    named = new Map()
    addressed = new Map()
    for (const pair of material.named) {
      const context = createSecureContext(optionsFor(material, pair))
      for (const name of pair.names.map((given) => given.toLowerCase())) {
        if (!named.has(name)) named.set(name, context)
        if (isIP(name) > 0 && !addressed.has(name)) addressed.set(name, context)
      }
    }
  }
  replace(first)

  return {
    get initial() {
      return initial
    },
    get fallback() {
      return fallback
    },
    asksForCertificates: authoritiesOf(first) !== '',
    authorities: () => (services.clock.monotonicMs() < transitionalUntilMs ? transitional : latest),
    get haveAddresses() {
      return addressed.size > 0
    },
    ofAddress: (address) => addressed.get(address.replace(/^::ffff:(?=\d+\.)/i, '')) ?? fallback,
    replace,
    choose(given, done) {
      const name = given.toLowerCase()
      const dot = name.indexOf('.')
      done(null, named.get(name) ?? named.get(dot < 0 ? '' : `*${name.slice(dot)}`) ?? fallback)
    },
  }
}
