import {
  type AuthenticationConfiguration,
  completeAuthenticationConfiguration,
  createJwtAuthenticator,
  type FetchDocument,
  hashForMetrics,
  type JwsAlgorithm,
  type JwtAuthenticator,
  type ParsedConfiguration,
  parseAuthenticationConfiguration,
  type TokenAuthenticator,
} from '../../authn/index.ts'
import { type Clock, type Closable, followFiles, type Logger, type Metrics } from '../../base/index.ts'
import { createEndpointClient, type EndpointClient } from '../../client/index.ts'
import type { Dialer, Egress } from '../../egress/index.ts'
import { createConfigCodec } from '../configcodec.ts'
import { reasonOf, StartError } from '../process/failure.ts'

/** The issuers of tokens: in a file that may change, or in flags. */
export type IssuersConfig =
  | {
      readonly file: string
      readonly pollMs: number
      /** --anonymous-auth was given: the file must not configure anonymous requests, too. */
      readonly anonymousIsSet: boolean
    }
  | { readonly configuration: AuthenticationConfiguration; readonly algorithms: readonly JwsAlgorithm[] }

/** Tokens of issuers, and which requests may be anonymous, by the present file. */
export interface Issuers extends Closable {
  readonly authenticator: TokenAuthenticator
  /** Undefined: the configuration doesn't decide. */
  anonymous(path: string): boolean | undefined
}

interface Services {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly egress: Egress
}

interface Current {
  readonly parsed: ParsedConfiguration
  readonly authenticator: JwtAuthenticator
  close(): void
}

/** Rejects with StartError for an invalid configuration. Does not wait for issuers that don't answer yet. */
export async function openIssuers(
  config: IssuersConfig | undefined,
  { disallowedIssuers, serverId }: { disallowedIssuers: readonly string[]; serverId: string },
  services: Services,
): Promise<Issuers | undefined> {
  if (config === undefined) return undefined
  const log = services.log.named('authentication')
  const serverIdHash = hashForMetrics(serverId)
  const make = (parsed: ParsedConfiguration): Current => createCurrent(parsed, { ...services, log, serverIdHash })
  if (!('file' in config)) {
    const first = await attempt('--oidc-issuer-url', () =>
      make(completeAuthenticationConfiguration(config.configuration, disallowedIssuers, config.algorithms)),
    )
    first.authenticator.warm().catch(() => {}) // logged; tried again with the first token
    return issuersOf(() => first, first.close)
  }
  const codec = createConfigCodec()
  const parse = (text: string): ParsedConfiguration => {
    const parsed = parseAuthenticationConfiguration(text, codec, disallowedIssuers)
    if (parsed.anonymous !== undefined && config.anonymousIsSet)
      throw new Error(
        '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
      )
    return parsed
  }
  return await followFile(config, { ...services, log, serverIdHash }, (text) => make(parse(text)))
}

async function followFile(
  { file, pollMs }: { file: string; pollMs: number },
  services: Services & { serverIdHash: string },
  make: (text: string) => Current,
): Promise<Issuers> {
  let isFirst = true
  const followed = await attempt(`--authentication-config: ${file}`, () =>
    followFiles<Current>(services, {
      what: 'authentication configuration',
      paths: [file],
      pollMs,
      retryMs: pollMs,
      retireAfterMs: fetchTimeoutMs,
      metrics: {
        prefix: 'apiserver_authentication_config_controller',
        stability: 'BETA',
        labels: { apiserver_id_hash: services.serverIdHash },
      },
      async load(textOf, _paths, signal) {
        const next = make(textOf(file))
        if (!isFirst) await warm(next, signal)
        isFirst = false
        return next
      },
      retire: (former) => former.close(),
    }),
  )
  followed
    .current()
    .authenticator.warm()
    .catch(() => {}) // logged; tried again with the first token
  return issuersOf(
    () => followed.current(),
    () => followed.close(),
  )
}

/** Resolves when all issuers have answered. Rejects, and closes, when one does not. */
async function warm(next: Current, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', next.close, { once: true })
  try {
    await next.authenticator.warm()
  } catch (error) {
    next.close()
    throw error
  } finally {
    signal.removeEventListener('abort', next.close)
  }
}

function issuersOf(current: () => Current, close: () => void | Promise<void>): Issuers {
  return {
    authenticator: {
      name: 'jwt',
      authenticateToken: (token, context) => current().authenticator.authenticateToken(token, context),
    },
    anonymous(path) {
      const { anonymous } = current().parsed
      if (anonymous === undefined) return undefined
      const { enabled, conditions = [] } = anonymous
      return enabled && (conditions.length === 0 || conditions.some((condition) => condition.path === path))
    },
    close,
  }
}

const fetchTimeoutMs = 10_000

type Issuer = Parameters<Parameters<typeof createJwtAuthenticator>[0]['fetcher']>[0]

function createCurrent(parsed: ParsedConfiguration, services: Services & { serverIdHash: string }): Current {
  const clients: EndpointClient[] = []
  const fetcher = ({ certificateAuthority: ca = '', egressSelectorType = '' }: Issuer): FetchDocument => {
    const dialer = dialerFor(egressSelectorType, services.egress)
    const client = createEndpointClient(
      { clock: services.clock },
      { url: 'https://', dialer, ...(ca === '' ? {} : { ca }) },
      { timeoutMs: fetchTimeoutMs, bodyBytesMax: 1024 * 1024, socketsMax: 2 },
    )
    clients.push(client)
    return (url, signal) => client.get(url, signal)
  }
  const authenticator = createJwtAuthenticator({ ...services, fetcher }, parsed.jwt)
  return { parsed, authenticator, close: () => clients.forEach((client) => client.close()) }
}

/** An issuer that names no network is connected to directly. The type has been checked. */
function dialerFor(egressSelectorType: string, { cluster, controlplane }: Egress): Dialer | undefined {
  return egressSelectorType === 'cluster' ? cluster : egressSelectorType === 'controlplane' ? controlplane : undefined
}

async function attempt<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`${what}: ${reasonOf(error)}`, { cause: error })
  }
}
