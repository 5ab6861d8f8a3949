import { RE2JS } from 're2js'

/** Settings of the server: the operator's flags in the units of the code. */
export interface ServerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Other processes may listen on the same port (SO_REUSEPORT); the system spreads connections. */
  readonly portSharing: boolean
  readonly requestTimeoutMs: number
  /** 0: no limit. */
  readonly maxRequestsInFlight: number
  readonly maxMutatingRequestsInFlight: number
  readonly bodyBytesMax: number
  readonly urlBytesMax: number
  /** All headers of a request in total, including the request line of HTTP/1.1. */
  readonly headerBytesMax: number
  readonly headerCountMax: number
  /** From the first byte of a request (or of the connection) to the end of its headers. */
  readonly headersTimeoutMs: number
  /** How long a connection may stay open without a request. */
  readonly idleTimeoutMs: number
  readonly handshakeTimeoutMs: number
  /** A client that reads none of its waiting bytes for so long is disconnected. */
  readonly stallTimeoutMs: number
  /** Maximum number of bytes that may wait for one client on one stream. */
  readonly pendingBytesMax: number
  readonly connectionsMax: number
  readonly http2: boolean
  readonly http2StreamsMax: number
  /** Number of streams that an HTTP/2 client may cancel at once, and per second afterwards. */
  readonly http2ResetBurst: number
  readonly http2ResetsPerSecond: number
  /** From 0 to 0.02. */
  readonly goawayChance: number
  readonly corsAllowedOrigins: readonly string[]
  readonly strictTransportSecurityDirectives: readonly string[]
  readonly compressResponses: boolean
  readonly profiling: boolean
  readonly livezGracePeriodMs: number
  readonly shutdownDelayMs: number
  readonly shutdownSendRetryAfter: boolean
  readonly shutdownWatchGracePeriodMs: number
  /** Time from the end of the delay until open connections are cut off. */
  readonly shutdownLimitMs: number
}

export const defaultServerOptions: ServerOptions = Object.freeze({
  host: '0.0.0.0',
  port: 6443,
  portSharing: false,
  requestTimeoutMs: 60_000,
  maxRequestsInFlight: 400,
  maxMutatingRequestsInFlight: 200,
  bodyBytesMax: 3 * 1024 * 1024,
  urlBytesMax: 64 * 1024,
  headerBytesMax: 128 * 1024,
  headerCountMax: 256,
  headersTimeoutMs: 32_000,
  idleTimeoutMs: 190_000,
  handshakeTimeoutMs: 10_000,
  stallTimeoutMs: 60_000,
  pendingBytesMax: 64 * 1024 * 1024,
  connectionsMax: 20_000,
  http2: true,
  http2StreamsMax: 1000,
  http2ResetBurst: 1000,
  http2ResetsPerSecond: 100,
  goawayChance: 0,
  corsAllowedOrigins: [],
  strictTransportSecurityDirectives: [],
  compressResponses: true,
  profiling: true,
  livezGracePeriodMs: 0,
  shutdownDelayMs: 0,
  shutdownSendRetryAfter: false,
  shutdownWatchGracePeriodMs: 0,
  shutdownLimitMs: 60_000,
})

/** Fills in defaults and checks ranges. Throws RangeError with the flag's name. */
export function validateServerOptions(given: Partial<ServerOptions>): ServerOptions {
  const options: ServerOptions = { ...defaultServerOptions, ...given }
  const check = (right: boolean, message: string): void => {
    if (!right) throw new RangeError(message)
  }
  check(
    options.goawayChance >= 0 && options.goawayChance <= 0.02,
    '--goaway-chance can not be less than 0 or greater than 0.02',
  )
  check(options.requestTimeoutMs > 0, '--request-timeout can not be negative value')
  check(options.maxRequestsInFlight >= 0, '--max-requests-inflight can not be negative value')
  check(options.maxMutatingRequestsInFlight >= 0, '--max-mutating-requests-inflight can not be negative value')
  check(
    options.port >= 0 && options.port <= 65_535,
    `--secure-port ${options.port} must be between 0 and 65535, inclusive`,
  )
  check(options.livezGracePeriodMs >= 0, '--livez-grace-period can not be a negative value')
  check(options.shutdownDelayMs >= 0, '--shutdown-delay-duration can not be negative value')
  check(
    options.shutdownWatchGracePeriodMs >= 0,
    '--shutdown-watch-termination-grace-period, if provided, can not be a negative value',
  )
  check(options.http2StreamsMax > 0, '--http2-max-streams-per-connection can not be less than 1')
  for (const pattern of options.corsAllowedOrigins) {
    const problem = originProblem(pattern)
    check(problem === undefined, `--cors-allowed-origins has an invalid regular expression: ${problem}`)
  }
  check(
    options.strictTransportSecurityDirectives.every((directive) => hstsDirective.test(directive)),
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  )
  return Object.freeze(options)
}

const hstsDirective = /^(includeSubDomains|preload|max-age=[^=]*)$/

/** An unanchored pattern would match example.com.evil.org. */
function originProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return /\^|\/\//.test(pattern) && /\$|:/.test(pattern)
    ? undefined
    : 'regular expression does not pin to start/end of host in the origin header'
}
