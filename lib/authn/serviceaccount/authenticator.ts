import type { Clock, Metrics } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import type { AuthenticationResult, TokenAuthenticator } from '../authenticator.ts'
import { hasSigned, type ParsedToken, parseToken, readAudiences } from '../jws.ts'
import { readBoundClaims, validateBound } from './bound.ts'
import { legacyIssuer, serviceAccountGroups, serviceAccountName } from './claims.ts'
import type { TokenKey } from './keys.ts'
import type { TokenKeySource } from './keysource.ts'
import { type LegacyUse, readLegacyClaims, validateLegacy } from './legacy.ts'
import type { Lookup } from './lookup.ts'
import { createTokenMetrics } from './metrics.ts'

interface ServiceAccountDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly lookup: Lookup
  /** A legacy token was used: its secret records that once a day. */
  readonly onLegacyUse?: ((use: LegacyUse) => void) | undefined
}

interface ServiceAccountOptions {
  /** Accepted issuers; the first one issues our own tokens. */
  readonly issuers: readonly string[]
  readonly keys: TokenKeySource
  /** The API's own audiences. */
  readonly audiences: readonly string[]
  /** False: legacy tokens are valid even if their secret and account no longer exist. */
  readonly lookup: boolean
}

const none: AuthenticationResult = { outcome: 'none' }

/** The claims of a valid token that are needed after its verification. */
interface Validated {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly extra: UserInfo['extra']
  readonly annotations: Readonly<Record<string, string>>
}

/** The token's account, or the reason why there is none. */
export type Validation = Validated | { readonly reason: string }

/**
 * Service account tokens: signed by one of our keys, from one of our issuers, for an accepted audience, and bound to
 * objects that still exist.
 */
export function createServiceAccountAuthenticator(
  dependencies: ServiceAccountDependencies,
  options: ServiceAccountOptions,
): TokenAuthenticator {
  const record = createTokenMetrics(dependencies.metrics)
  const issuers = new Set([...options.issuers, legacyIssuer])
  const { clock, lookup } = dependencies

  async function validate(parsed: ParsedToken, signal: AbortSignal): Promise<Validation> {
    const nowMs = clock.now()
    if (parsed.issuer !== legacyIssuer) {
      const claims = readBoundClaims(parsed.claims)
      if (claims === undefined) return { reason: 'the token lacks claims' }
      return await validateBound(claims, { nowMs, lookup, signal, record })
    }
    const claims = readLegacyClaims(parsed.claims)
    if (claims === undefined) return { reason: 'the token lacks claims' }
    const asks = options.lookup ? lookup : undefined
    return await validateLegacy(claims, parsed.token, {
      nowMs,
      lookup: asks,
      signal,
      record,
      onUse: dependencies.onLegacyUse,
    })
  }

  async function authenticate(
    parsed: ParsedToken,
    signal: AbortSignal,
    wanted: readonly string[] | undefined,
  ): Promise<AuthenticationResult> {
    if (!(await isSigned(parsed, await options.keys.find(parsed.keyId))))
      return invalid('no key of ours has signed the token')
    const inToken = readAudiences(parsed.claims['aud'])
    if (inToken === undefined) return invalid('the audiences of the token are no strings')
    // Legacy tokens name no audience: they are for the API itself.
    const isFor = inToken.length === 0 ? options.audiences : inToken
    const targets = wanted ?? options.audiences
    const audiences = targets.filter((audience) => isFor.includes(audience))
    if (audiences.length === 0 && options.audiences.length > 0)
      return invalid(`token audiences ${quoteAll(isFor)} is invalid for the target audiences ${quoteAll(targets)}`)
    const validated = await validate(parsed, signal)
    if ('reason' in validated) return invalid(validated.reason)
    const { namespace, name, uid, extra, annotations } = validated
    const user = { name: serviceAccountName(namespace, name), uid, groups: serviceAccountGroups(namespace), extra }
    return { outcome: 'authenticated', user, audiences, annotations }
  }

  return {
    name: 'service-account',
    authenticateToken(token, { signal, audiences: wanted }) {
      const parsed = parseToken(token)
      return parsed === undefined || !issuers.has(parsed.issuer) ? none : authenticate(parsed, signal, wanted)
    },
  }
}

function invalid(reason: string): AuthenticationResult {
  return { outcome: 'invalid', reason }
}

function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** Verifies by the keys with the token's key id, or by all where it names none. */
async function isSigned(parsed: ParsedToken, keys: readonly TokenKey[]): Promise<boolean> {
  for (const { keyId, key, algorithm } of keys) {
    if (parsed.keyId !== '' && parsed.keyId !== keyId) continue
    if (algorithm === parsed.algorithm && (await hasSigned(parsed, key, algorithm))) return true
  }
  return false
}
