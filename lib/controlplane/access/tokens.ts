import {
  createServiceAccountAuthenticator,
  discoveryDocument,
  keySetDocument,
  type Lookup,
  signToken,
  type TokenAuthenticator,
} from '../../authn/index.ts'
import type { Clock, Logger, Metrics, Random } from '../../base/index.ts'
import { createTokenRequestHandler, type VirtualHandler } from '../../endpoints/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { NonResourceRoute } from '../../server/index.ts'
import type { ApiserverConfig, ServiceAccountConfig } from '../config.ts'
import { createLegacyNotes } from './lookup.ts'

/**
 * The parts of service account tokens: the authenticator, the issuing handlers, and the documents for other verifiers.
 */
export interface ServiceAccountTokens {
  readonly authenticator: TokenAuthenticator
  readonly virtual: readonly VirtualHandler[]
  readonly routes: readonly NonResourceRoute[]
}

/** Undefined without a key. */
export function composeServiceAccountTokens(
  { serviceAccounts, apiAudiences, externalHost }: ApiserverConfig,
  services: { clock: Clock; random: Random; log: Logger; metrics: Metrics },
  { registry, lookup, port }: { registry: Registry; lookup: Lookup; port: () => number },
): ServiceAccountTokens | undefined {
  if (serviceAccounts === undefined) return undefined
  const { clock, random, metrics } = services
  const { issuers, keys, signingKey, expirationSecondsMax, extendExpiration } = serviceAccounts
  const authenticator = createServiceAccountAuthenticator(
    { clock, metrics, lookup, onLegacyUse: createLegacyNotes(registry, services.log.named('tokens')) },
    { issuers, keys, audiences: apiAudiences, lookup: serviceAccounts.lookup },
  )
  const [issuer] = issuers
  if (issuer === undefined) return { authenticator, virtual: [], routes: [] }
  const virtual =
    signingKey === undefined
      ? []
      : [
          createTokenRequestHandler(
            { clock, random, lookup, sign: (claims) => signToken(claims, signingKey) },
            { issuer, audiences: apiAudiences, expirationSecondsMax, extendExpiration },
          ),
        ]
  return { authenticator, virtual, routes: keyRoutes(serviceAccounts, issuer, () => `${externalHost}:${port()}`) }
}

const cacheControl = 'public, max-age=3600'

/** Only issuers that are https URLs can be discovered. */
function keyRoutes({ keys, keysUri }: ServiceAccountConfig, issuer: string, address: () => string): NonResourceRoute[] {
  if (!issuer.startsWith('https://')) return []
  const keySet = Buffer.from(keySetDocument(keys))
  return [
    {
      pattern: '/.well-known/openid-configuration',
      handle(call) {
        const document = discoveryDocument({ issuer, keys, keysUri: keysUri || `https://${address()}/openid/v1/jwks` })
        const headers = { 'content-type': 'application/json', 'cache-control': cacheControl }
        return call.responder.send(200, headers, Buffer.from(document))
      },
    },
    {
      pattern: '/openid/v1/jwks',
      handle(call) {
        const headers = { 'content-type': 'application/jwk-set+json', 'cache-control': cacheControl }
        return call.responder.send(200, headers, keySet)
      },
    },
  ]
}
