import { readFile } from 'node:fs/promises'
import {
  type AuthenticationConfiguration,
  createJwtAuthenticator,
  type FetchDocument,
  hashForMetrics,
  type JwsAlgorithm,
  type JwtAuthenticator,
  parseAuthenticationConfiguration,
  type ParsedConfiguration,
  settleAuthenticationConfiguration,
  type TokenAuthenticator,
} from '../../authn/index.ts'
import type { Clock, Closable, Logger, Metrics } from '../../base/index.ts'
import { createEndpointClient, type EndpointClient } from '../../client/index.ts'
import { createConfigScheme } from '../configscheme.ts'
import { reasonOf, StartError } from '../failure.ts'

/** Where issuers of tokens are named: in a file that may change, or in flags. */
export type IssuersConfig =
  | {
      readonly file: string
      readonly pollMs: number
      /** --anonymous-auth was given: the file must not speak of anonymous requests, too. */
      readonly anonymousIsSet: boolean
    }
  | { readonly configuration: AuthenticationConfiguration; readonly algorithms: readonly JwsAlgorithm[] }

/** Tokens of issuers, and which requests may be anonymous, as the file has them at the time. */
export interface Issuers extends Closable {
  readonly authenticator: TokenAuthenticator
  /** Undefined: the configuration does not say. */
  anonymous(path: string): boolean | undefined
  close(): void
}

interface Services {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

interface Current {
  readonly parsed: ParsedConfiguration
  readonly authenticator: JwtAuthenticator
  close(): void
}

/** Rejects with StartError when the configuration is none. Issuers that do not answer yet are no reason to wait. */
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
      make(settleAuthenticationConfiguration(config.configuration, disallowedIssuers, config.algorithms)),
    )
    first.authenticator.warm().catch(() => {}) // said in the log; asked again with the first token
    return issuersOf(() => first, first.close)
  }
  const scheme = createConfigScheme()
  const parse = (text: string): ParsedConfiguration => {
    const parsed = parseAuthenticationConfiguration(text, scheme, disallowedIssuers)
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
  { clock, log, metrics, serverIdHash }: Services & { serverIdHash: string },
  make: (text: string) => Current,
): Promise<Issuers> {
  let text = ''
  let current = await attempt(`--authentication-config: ${file}`, async () => {
    text = await readFile(file, 'utf8')
    return make(text)
  })
  current.authenticator.warm().catch(() => {}) // said in the log; asked again with the first token
  const record = createReloadMetrics(clock, metrics, serverIdHash)
  record.configured(text)
  let refused = ''
  let busy = false

  /** A file that can't be used, or an issuer in it that does not answer, leaves everything as it was. */
  async function check(): Promise<void> {
    let next: Current | undefined
    let seen = ''
    try {
      seen = await readFile(file, 'utf8')
      if (seen === text) return
      next = make(seen)
      await next.authenticator.warm()
      current.close()
      current = next
      text = seen
      refused = ''
      record.reloaded(true)
      record.configured(text)
      log.info('authentication configuration reloaded', { file })
    } catch (error) {
      next?.close()
      if (seen !== '' && seen === refused) return
      refused = seen
      record.reloaded(false)
      log.error('authentication configuration not reloaded, the old one stays', { file, error: reasonOf(error) })
    }
  }

  const timer = clock.every(pollMs, () => {
    if (busy) return
    busy = true
    void check().finally(() => (busy = false))
  })
  return issuersOf(
    () => current,
    () => {
      void timer.close()
      current.close()
    },
  )
}

function issuersOf(current: () => Current, close: () => void): Issuers {
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

function createCurrent(parsed: ParsedConfiguration, services: Services & { serverIdHash: string }): Current {
  const clients: EndpointClient[] = []
  const fetcher = (ca: string): FetchDocument => {
    const client = createEndpointClient(
      { clock: services.clock },
      { url: 'https://', ...(ca === '' ? {} : { ca }) },
      { timeoutMs: fetchTimeoutMs, bodyBytesMax: 1024 * 1024, socketsMax: 2 },
    )
    clients.push(client)
    return (url, signal) => client.get(url, signal)
  }
  const authenticator = createJwtAuthenticator({ ...services, fetcher }, parsed.jwt)
  return { parsed, authenticator, close: () => clients.forEach((client) => client.close()) }
}

function createReloadMetrics(
  clock: Clock,
  metrics: Metrics,
  serverIdHash: string,
): { reloaded(ok: boolean): void; configured(text: string): void } {
  const prefix = 'apiserver_authentication_config_controller'
  const labels = ['status', 'apiserver_id_hash']
  const total = metrics.counter({
    name: `${prefix}_automatic_reloads_total`,
    help: 'Changes of the authentication configuration, by whether they were taken.',
    labels,
    stability: 'BETA',
  })
  const last = metrics.gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: 'When the authentication configuration was reloaded last, by whether that worked.',
    labels,
    stability: 'BETA',
  })
  let hash = ''
  metrics
    .gauge({
      name: `${prefix}_last_config_info`,
      help: 'Digest of the authentication configuration in use.',
      labels: ['apiserver_id_hash', 'hash'],
      stability: 'ALPHA',
    })
    .collect(() => [{ labels: [serverIdHash, hash], value: 1 }])
  return {
    reloaded(ok) {
      const values = [ok ? 'success' : 'failure', serverIdHash]
      total.add(values)
      last.set(values, clock.now() / 1000)
    },
    configured(text) {
      hash = hashForMetrics(text)
    },
  }
}

async function attempt<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`${what}: ${reasonOf(error)}`, { cause: error })
  }
}
