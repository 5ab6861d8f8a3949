import {
  createServiceAccountAuthenticator,
  discoveryDocument,
  fixedKeys,
  keySetDocument,
  type Lookup,
  signToken,
  type TokenAuthenticator,
  type TokenClaims,
  type TokenKeySource,
} from '../../authn/index.ts'
import type { Clock, Logger, Metrics, Random } from '../../base/index.ts'
import { createTokenRequestHandler, type VirtualHandler } from '../../endpoints/index.ts'
import { formatDuration, StatusError } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { NonResourceRoute } from '../../server/index.ts'
import type { ApiserverConfig, ServiceAccountConfig } from '../config.ts'
import { StartError } from '../process/failure.ts'
import { type ExternalSigner, openExternalSigner } from './externalsigner.ts'
import { createLegacyNotes } from './lookup.ts'

/**
 * The parts of service account tokens: the authenticator, the issuing handlers, and the documents for other verifiers.
 */
export interface ServiceAccountTokens {
  readonly authenticator: TokenAuthenticator
  readonly virtual: readonly VirtualHandler[]
  readonly routes: readonly NonResourceRoute[]
}

/** Undefined without a key. Rejects with StartError where an external signer does not name its keys. */
export async function composeServiceAccountTokens(
  { serviceAccounts, apiAudiences, externalHost }: ApiserverConfig,
  services: { clock: Clock; random: Random; log: Logger; metrics: Metrics },
  { registry, lookup, port }: { registry: Registry; lookup: Lookup; port: () => number },
  opened: AsyncDisposableStack,
): Promise<ServiceAccountTokens | undefined> {
  if (serviceAccounts === undefined) return undefined
  const { clock, random, metrics } = services
  const { issuers, extendExpiration } = serviceAccounts
  const signer = await openSigner(serviceAccounts, services, opened)
  const keys = signer?.keys ?? fixedKeys(serviceAccounts.keys)
  const authenticator = createServiceAccountAuthenticator(
    { clock, metrics, lookup, onLegacyUse: createLegacyNotes(registry, services.log.named('tokens')) },
    { issuers, keys, audiences: apiAudiences, lookup: serviceAccounts.lookup },
  )
  const [issuer] = issuers
  if (issuer === undefined) return { authenticator, virtual: [], routes: [] }
  const sign = signing(serviceAccounts, signer)
  const lifetimes = lifetimesOf(serviceAccounts, signer)
  const virtual =
    sign === undefined
      ? []
      : [
          createTokenRequestHandler(
            { clock, random, lookup, sign },
            { issuer, audiences: apiAudiences, extendExpiration, ...lifetimes },
          ),
        ]
  const address = (): string => `${externalHost}:${port()}`
  return { authenticator, virtual, routes: keyRoutes(serviceAccounts, { issuer, keys, address }) }
}

async function openSigner(
  { signingEndpoint, expirationSecondsMax }: ServiceAccountConfig,
  services: { clock: Clock; log: Logger; metrics: Metrics },
  opened: AsyncDisposableStack,
): Promise<ExternalSigner | undefined> {
  if (signingEndpoint === undefined) return undefined
  const signer = await openExternalSigner({ ...services, log: services.log.named('tokens') }, signingEndpoint)
  opened.defer(() => signer.close())
  if (expirationSecondsMax <= signer.expirationSecondsMax) return signer
  const [asked, offered] = [expirationSecondsMax, signer.expirationSecondsMax].map((seconds) =>
    formatDuration(BigInt(seconds) * 1_000_000_000n),
  )
  const cannot = 'service-account-max-token-expiration cannot be set longer than the token expiration supported by'
  throw new StartError(`${cannot} service-account-signing-endpoint: ${asked} > ${offered}`)
}

/** Undefined: tokens are checked, not issued. */
function signing(
  { signingKey }: ServiceAccountConfig,
  signer: ExternalSigner | undefined,
): ((claims: TokenClaims) => Promise<string>) | undefined {
  if (!signer) return signingKey && ((claims) => signToken(claims, signingKey))
  return (claims) =>
    signer.sign(claims).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new StatusError(500, 'InternalError', `Internal error occurred: failed to generate token: ${why}`, {
        cause,
      })
    })
}

/** Tokens of an external signer are extended to a day at most. */
const externalExtendedSeconds = 86_400

function lifetimesOf(
  { expirationSecondsMax }: ServiceAccountConfig,
  signer: ExternalSigner | undefined,
): { expirationSecondsMax: number; extendedSecondsMax?: number } {
  if (!signer) return { expirationSecondsMax }
  return {
    expirationSecondsMax: expirationSecondsMax || signer.expirationSecondsMax,
    extendedSecondsMax: Math.min(externalExtendedSeconds, signer.expirationSecondsMax),
  }
}

interface PublishedKeys {
  readonly issuer: string
  readonly keys: TokenKeySource
  address(): string
}

/** Only issuers that are https URLs can be discovered. */
function keyRoutes({ keysUri }: ServiceAccountConfig, { issuer, keys, address }: PublishedKeys): NonResourceRoute[] {
  if (!issuer.startsWith('https://')) return []
  const headersOf = (type: string) => ({
    'content-type': type,
    'cache-control': `public, max-age=${keys.publishedSeconds()}`,
  })
  return [
    {
      pattern: '/.well-known/openid-configuration',
      handle(call) {
        const uri = keysUri || `https://${address()}/openid/v1/jwks`
        const document = discoveryDocument({ issuer, keys: keys.published(), keysUri: uri })
        return call.responder.send(200, headersOf('application/json'), Buffer.from(document))
      },
    },
    {
      pattern: '/openid/v1/jwks',
      handle(call) {
        const keySet = Buffer.from(keySetDocument(keys.published()))
        return call.responder.send(200, headersOf('application/jwk-set+json'), keySet)
      },
    },
  ]
}
