import type { Clock, Metrics } from '../base/index.ts'
import { anonymousUser, authenticatedGroup, type Call } from '../request/index.ts'
import type { AuthenticationResult, Authenticator, TokenAuthenticator, TokenContext } from './authenticator.ts'
import { bearerToken, createBearerAuthenticator } from './bearer.ts'
import { createTokenCache } from './tokencache.ts'

interface AuthenticatorOptions {
  /** Accepts the headers of a front proxy. Asked first. */
  readonly requestHeader?: Authenticator
  readonly certificates?: Authenticator
  /** Asked in this order, behind one cache. */
  readonly tokens?: readonly TokenAuthenticator[]
  /** The API's own audiences, for tokens that name none. */
  readonly audiences?: readonly string[]
  /** Whether requests without a credential are system:anonymous: all, or those to some paths. */
  readonly anonymous: boolean | ((path: string) => boolean)
}

/** Authenticates requests, and reviews tokens for clients (TokenReview). */
export interface UnionAuthenticator extends Authenticator {
  reviewToken(token: string, context: TokenContext): Promise<AuthenticationResult>
}

const anonymous: AuthenticationResult = { outcome: 'authenticated', user: anonymousUser }
const none: AuthenticationResult = { outcome: 'none' }

/**
 * Asks the authenticators in order until one knows the user. If none does, the first invalid credential decides, even
 * where anonymous requests are allowed. Returns no promise if no authenticator does.
 */
export function createAuthenticator(
  dependencies: { clock: Clock; metrics: Metrics },
  { requestHeader, certificates, tokens = [], audiences = [], anonymous: allowsAnonymous }: AuthenticatorOptions,
): UnionAuthenticator {
  const { clock } = dependencies
  const record = createRecorder(dependencies.metrics)
  const withGroup = createGroupAdder()
  const cache = tokens.length === 0 ? undefined : createTokenCache(dependencies, tokens, { audiences })
  const members = [requestHeader, certificates, cache && createBearerAuthenticator(cache)].filter(
    (member) => member !== undefined,
  )

  function conclude(invalid: AuthenticationResult | undefined, call: Call): AuthenticationResult {
    if (invalid !== undefined) return invalid
    const allowed = typeof allowsAnonymous === 'function' ? allowsAnonymous(call.path) : allowsAnonymous
    return allowed ? anonymous : none
  }

  async function goOn(
    pending: Promise<AuthenticationResult>,
    from: number,
    before: AuthenticationResult | undefined,
    call: Call,
  ): Promise<AuthenticationResult> {
    let invalid = before
    let result = await resultOf(pending)
    for (let next = from; ; next++) {
      if (result.outcome === 'authenticated') return withGroup(result)
      if (result.outcome === 'invalid') invalid ??= result
      const member = members[next]
      if (member === undefined) return conclude(invalid, call)
      result = await resultOf(member.authenticate(call))
    }
  }

  function ask(call: Call): AuthenticationResult | Promise<AuthenticationResult> {
    let invalid: AuthenticationResult | undefined
    for (let at = 0; at < members.length; at++) {
      const result = members[at]?.authenticate(call) ?? none
      if (result instanceof Promise) return goOn(result, at + 1, invalid, call)
      if (result.outcome === 'authenticated') return withGroup(result)
      if (result.outcome === 'invalid') invalid ??= result
    }
    return conclude(invalid, call)
  }

  return {
    name: 'union',
    authenticate(call) {
      const startMs = clock.monotonicMs()
      const result = ask(call)
      if (!(result instanceof Promise)) {
        record(result, clock.monotonicMs() - startMs)
        return result
      }
      return result.then((settled) => {
        record(settled, clock.monotonicMs() - startMs)
        return settled
      })
    },
    async reviewToken(token, context) {
      // As in a request, the token ends at the first space.
      const shown = bearerToken(`Bearer ${token}`)
      if (cache === undefined || shown === undefined) return none
      const result = await resultOf(cache.authenticateToken(shown, context))
      return result.outcome === 'authenticated' ? withGroup(result) : result
    },
  }
}

/** An authenticator that fails could not confirm the credential. */
async function resultOf(result: AuthenticationResult | Promise<AuthenticationResult>): Promise<AuthenticationResult> {
  try {
    return await result
  } catch (error) {
    return { outcome: 'invalid', reason: error instanceof Error ? error.message : 'the authenticator failed' }
  }
}

/**
 * Adds system:authenticated to every user except the anonymous one. Authenticators cache their results, so copies are
 * cached as well.
 */
function createGroupAdder(): (result: AuthenticationResult & { outcome: 'authenticated' }) => AuthenticationResult {
  const copies = new WeakMap<AuthenticationResult, AuthenticationResult>()
  return (result) => {
    const { user } = result
    if (user.groups.includes(authenticatedGroup) || user.name === anonymousUser.name) return result
    let copy = copies.get(result)
    if (copy === undefined) {
      copy = { ...result, user: { ...user, groups: [...user.groups, authenticatedGroup] } }
      copies.set(result, copy)
    }
    return copy
  }
}

const durationBuckets = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power)

function createRecorder(metrics: Metrics): (result: AuthenticationResult, tookMs: number) => void {
  const attempts = metrics.counter({
    name: 'authentication_attempts',
    help: 'Requests by the outcome of their authentication.',
    labels: ['result'],
  })
  const users = metrics.counter({
    name: 'authenticated_user_requests',
    help: 'Authenticated requests by kind of user name.',
    labels: ['username'],
  })
  const duration = metrics.histogram({
    name: 'authentication_duration_seconds',
    help: 'Time that authentication took.',
    labels: ['result'],
    buckets: durationBuckets,
  })
  const [success, failure] = [['success'], ['failure']]
  const durations = { success: duration.at(success), failure: duration.at(failure) }
  return (result, tookMs) => {
    const isSuccess = result.outcome === 'authenticated'
    attempts.add(isSuccess ? success : failure)
    durations[isSuccess ? 'success' : 'failure'].observe(tookMs / 1000)
    if (isSuccess) users.add([kindOfName(result.user.name)])
  }
}

const knownNames = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default'])

/** User names are many and personal: metrics only distinguish a few well-known ones. */
function kindOfName(name: string): string {
  if (knownNames.has(name)) return name
  return name.includes('@') ? 'email_id' : 'other'
}
