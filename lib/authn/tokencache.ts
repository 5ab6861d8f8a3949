import { hash } from 'node:crypto'
import { type Clock, createTtlCache, type Metrics } from '../base/index.ts'
import { type AuthenticationResult, invalidToken, type TokenAuthenticator, type TokenContext } from './authenticator.ts'

interface TokenCacheOptions {
  /** How long a valid token is cached. Default 10 s. */
  readonly ttlMs?: number
  /**
   * Maximum number of cached tokens; beyond, the least recently used one is dropped. Also the maximum number of
   * requests in flight that are shared. Default 32 768.
   */
  readonly entriesMax?: number
  /** The API's own audiences, which tokens without audiences are for. Default: audiences are not checked. */
  readonly audiences?: readonly string[]
}

const none: AuthenticationResult = { outcome: 'none' }
const tokenBytesMax = 64 * 1024

/**
 * Asks the authenticators in order and caches the user by the token's digest; the token itself is not kept. Unknown
 * tokens are not cached: they may become valid at any moment. Concurrent requests with the same token share one answer.
 */
export function createTokenCache(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  members: readonly TokenAuthenticator[],
  { ttlMs = 10_000, entriesMax = 32_768, audiences = [] }: TokenCacheOptions = {},
): TokenAuthenticator {
  const known = createTtlCache<AuthenticationResult>(clock, entriesMax)
  const underWay = new Map<string, Promise<AuthenticationResult>>()
  const count = createCounters(metrics)

  function remember(digest: string, result: AuthenticationResult): AuthenticationResult {
    count.fetched(result.outcome !== 'invalid')
    if (result.outcome === 'authenticated') known.set(digest, result, ttlMs)
    return result
  }

  function ask(token: string, call: TokenContext): AuthenticationResult | Promise<AuthenticationResult> {
    let invalid: AuthenticationResult | undefined
    for (const [at, member] of members.entries()) {
      const result = member.authenticateToken(token, call)
      if (result instanceof Promise)
        return askRest(result, token, call, members.slice(at + 1), invalid).then((found) =>
          narrow(found, call, audiences),
        )
      if (result.outcome === 'authenticated') return narrow(result, call, audiences)
      if (result.outcome === 'invalid') invalid ??= result
    }
    return invalid ?? none
  }

  function share(digest: string, pending: Promise<AuthenticationResult>): Promise<AuthenticationResult> {
    if (underWay.size >= entriesMax) return pending.then((result) => remember(digest, orUnknown(result)))
    count.inFlight(1)
    const shared = pending
      .then((result) => remember(digest, orUnknown(result)))
      .finally(() => {
        underWay.delete(digest)
        count.inFlight(-1)
      })
    underWay.set(digest, shared)
    return shared
  }

  return {
    name: 'tokens',
    authenticateToken(token, { audiences: wanted }) {
      if (token.length > tokenBytesMax) return { outcome: 'invalid', reason: 'the token is too long' }
      const startedMs = clock.monotonicMs()
      const own = hash('sha256', token, 'latin1')
      const digest = wanted === undefined ? own : `${own}${JSON.stringify(wanted)}`
      const found = known.get(digest)
      if (found !== undefined) {
        count.hit(clock.monotonicMs() - startedMs)
        return found
      }
      count.miss()
      const finish = (result: AuthenticationResult): AuthenticationResult => {
        count.missTook(clock.monotonicMs() - startedMs)
        return result
      }
      const joined = underWay.get(digest)
      if (joined !== undefined) return joined.then(finish)
      // Several callers may wait for the answer: it must not end when one of them leaves.
      const { signal } = new AbortController()
      const result = ask(token, wanted === undefined ? { signal } : { signal, audiences: wanted })
      return result instanceof Promise
        ? share(digest, result).then(finish)
        : finish(remember(digest, orUnknown(result)))
    },
  }
}

/** Tokens whose authenticator knows no audiences are for the API itself. */
function narrow(
  result: AuthenticationResult,
  { audiences: wanted }: TokenContext,
  own: readonly string[],
): AuthenticationResult {
  if (result.outcome !== 'authenticated' || result.audiences !== undefined || wanted === undefined) return result
  const audiences = wanted.filter((audience) => own.includes(audience))
  return audiences.length === 0 ? { outcome: 'invalid', reason: invalidToken } : { ...result, audiences }
}

/** A token that no authenticator knows is an invalid credential. */
function orUnknown(result: AuthenticationResult): AuthenticationResult {
  return result.outcome === 'none' ? { outcome: 'invalid', reason: invalidToken } : result
}

async function askRest(
  first: Promise<AuthenticationResult>,
  token: string,
  call: TokenContext,
  rest: readonly TokenAuthenticator[],
  before: AuthenticationResult | undefined,
): Promise<AuthenticationResult> {
  let invalid = before
  let failure: unknown
  for (const pending of [() => first, ...rest.map((member) => () => member.authenticateToken(token, call))]) {
    try {
      const result = await pending()
      if (result.outcome === 'authenticated') return result
      if (result.outcome === 'invalid') invalid ??= result
    } catch (error) {
      failure ??= error
    }
  }
  if (invalid !== undefined) return invalid
  if (failure !== undefined) throw failure
  return none
}

function createCounters(metrics: Metrics): {
  hit(tookMs: number): void
  miss(): void
  missTook(tookMs: number): void
  fetched(ok: boolean): void
  inFlight(by: number): void
} {
  const requests = metrics.counter({
    name: 'authentication_token_cache_request_total',
    help: 'Tokens looked up in the cache, by hit or miss.',
    labels: ['status'],
  })
  const fetches = metrics.counter({
    name: 'authentication_token_cache_fetch_total',
    help: 'Tokens that authenticators checked, by whether they were valid.',
    labels: ['status'],
  })
  const active = metrics.gauge({
    name: 'authentication_token_cache_active_fetch_count',
    help: 'Tokens that authenticators are checking.',
    labels: ['status'],
    across: 'sum',
  })
  const duration = metrics.histogram({
    name: 'authentication_token_cache_request_duration_seconds',
    help: 'Time until a token was accepted or not, by whether it was in the cache.',
    labels: ['status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  const durations = { hit: duration.at(['hit']), miss: duration.at(['miss']) }
  const [hits, misses] = [requests.at(['hit']), requests.at(['miss'])]
  const [ok, error, inFlight] = [['ok'], ['error'], ['in_flight']]
  return {
    hit(tookMs) {
      hits.add(1)
      durations.hit.observe(tookMs / 1000)
    },
    miss: () => misses.add(1),
    missTook: (tookMs) => durations.miss.observe(tookMs / 1000),
    fetched: (isOk) => fetches.add(isOk ? ok : error),
    inFlight: (by) => active.add(inFlight, by),
  }
}
