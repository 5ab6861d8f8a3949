import { hash } from 'node:crypto'
import type { Clock, Logger, Metrics } from '../../base/index.ts'
import type { AuthenticationResult, TokenAuthenticator } from '../authenticator.ts'
import { hasSigned, type JwsAlgorithm, type ParsedToken, parseToken, readAudiences, readSeconds } from '../jws.ts'
import type { JwtAuthenticatorSettings } from './configuration.ts'
import { createIssuerKeys, type FetchDocument, type IssuerKey, type IssuerKeys } from './keys.ts'
import { ClaimError, userOf } from './mappings.ts'

interface JwtDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** The API server's own id, for metrics. */
  readonly serverIdHash: string
  /** A client for the issuer, by its authority (PEM; '': the system's authorities) and its network. */
  fetcher(issuer: JwtAuthenticatorSettings['config']['issuer']): FetchDocument
}

export interface JwtAuthenticator extends TokenAuthenticator {
  /** Fetches all issuers' keys; rejects when an issuer does not answer. */
  warm(): Promise<void>
}

const none: AuthenticationResult = { outcome: 'none' }
const notBeforeLeewaySeconds = 300
const latencyBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The digest `sha256:…` of an issuer or a server for metrics, since the name may be confidential. */
export function hashForMetrics(text: string): string {
  return text === '' ? '' : `sha256:${hash('sha256', text)}`
}

/** Tokens of the configured issuers, verified by the issuers' keys. */
export function createJwtAuthenticator(
  dependencies: JwtDependencies,
  settings: readonly JwtAuthenticatorSettings[],
): JwtAuthenticator {
  const { clock } = dependencies
  const latency = dependencies.metrics.histogram({
    name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
    help: 'Time that the check of a token took.',
    labels: ['result', 'jwt_issuer_hash'],
    buckets: latencyBuckets,
    stability: 'ALPHA',
  })
  const byIssuer = new Map(
    settings.map((each) => {
      const { url } = each.config.issuer
      return [url, { settings: each, hash: hashForMetrics(url), keys: keysOf(dependencies, each) }]
    }),
  )
  return {
    name: 'jwt',
    authenticateToken(token) {
      const parsed = parseToken(token)
      const issuer = parsed && byIssuer.get(parsed.issuer)
      if (parsed === undefined || issuer === undefined) return none
      const startedMs = clock.monotonicMs()
      return verify(parsed, issuer.settings, issuer.keys, clock.now()).then((result) => {
        const label = result.outcome === 'authenticated' ? 'success' : 'failure'
        latency.observe([label, issuer.hash], (clock.monotonicMs() - startedMs) / 1000)
        return result
      })
    },
    async warm() {
      await Promise.all([...byIssuer.values()].map(({ keys }) => keys.find('')))
    },
  }
}

function keysOf(
  { clock, log, metrics, serverIdHash, fetcher }: JwtDependencies,
  { config: { issuer } }: JwtAuthenticatorSettings,
): IssuerKeys {
  const fetched = metrics.gauge({
    name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
    help: "When an issuer's keys were asked for last, by whether they came.",
    labels: ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
    stability: 'ALPHA',
  })
  const discoveryUrl = issuer.discoveryURL || `${issuer.url.replace(/\/$/, '')}/.well-known/openid-configuration`
  return createIssuerKeys(
    {
      clock,
      fetch: fetcher(issuer),
      onFetch(ok) {
        const result = ok ? 'success' : 'failure'
        fetched.set([result, hashForMetrics(issuer.url), serverIdHash], clock.now() / 1000)
        if (!ok) log.warn("an issuer's keys could not be fetched", { issuer: issuer.url })
      },
    },
    { issuer: issuer.url, discoveryUrl },
  )
}

async function verify(
  parsed: ParsedToken,
  { config, mappings, algorithms }: JwtAuthenticatorSettings,
  keys: IssuerKeys,
  nowMs: number,
): Promise<AuthenticationResult> {
  const { claims } = parsed
  const audiences = readAudiences(claims['aud']) ?? []
  if (!config.issuer.audiences.some((audience) => audiences.includes(audience)))
    return invalid('the token is for other audiences')
  const [exp, nbf] = [readSeconds(claims['exp']), readSeconds(claims['nbf'] ?? 0)]
  if (exp === undefined || nowMs >= exp * 1000) return invalid('the token has expired')
  if (readSeconds(claims['iat'] ?? 0) === undefined) return invalid('the token was issued at no time')
  if (nbf === undefined || nowMs + notBeforeLeewaySeconds * 1000 < nbf * 1000)
    return invalid('the token is not valid yet')
  const algorithm = algorithms.find((each) => each === parsed.algorithm)
  if (algorithm === undefined) return invalid('the token is signed by an algorithm that is not allowed')
  try {
    const candidates = await keys.find(parsed.keyId)
    if (!(await isSigned(parsed, candidates, algorithm)))
      return invalid("none of the issuer's keys has signed the token")
    return { outcome: 'authenticated', user: userOf(claims, config, mappings) }
  } catch (error) {
    if (error instanceof ClaimError) return invalid(error.message)
    return invalid(error instanceof Error ? error.message : "the issuer's keys are not known")
  }
}

async function isSigned(
  parsed: ParsedToken,
  candidates: readonly IssuerKey[],
  algorithm: JwsAlgorithm,
): Promise<boolean> {
  for (const { key } of candidates) if (await hasSigned(parsed, key, algorithm)) return true
  return false
}

function invalid(reason: string): AuthenticationResult {
  return { outcome: 'invalid', reason }
}
