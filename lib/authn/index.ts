// authn: finds the user of a request: authenticators for each kind of credential and their union. Invariant: an invalid
// credential ends the request unless another one is valid, even where anonymous requests are allowed. Must not know
// what a user may do, and never puts a token into a log, a metric or an error.
export {
  type AuthenticationResult,
  type Authenticator,
  invalidToken,
  type TokenAuthenticator,
  type TokenContext,
} from './authenticator.ts'
export { createBootstrapAuthenticator } from './bootstrap.ts'
export { createCertificateAuthenticator } from './certificate.ts'
export type { JwsAlgorithm } from './jws.ts'
export { signToken } from './jws.ts'
export { createJwtAuthenticator, hashForMetrics, type JwtAuthenticator } from './jwt/authenticator.ts'
export {
  type AuthenticationConfiguration,
  allAlgorithms,
  completeAuthenticationConfiguration,
  type ParsedConfiguration,
  parseAuthenticationConfiguration,
} from './jwt/configuration.ts'
export type { FetchDocument } from './jwt/keys.ts'
export { createRequestHeaderAuthenticator, type RequestHeaderOptions } from './requestheader.ts'
export { createServiceAccountAuthenticator } from './serviceaccount/authenticator.ts'
export {
  claimOf,
  claimsFor,
  type ObjectClaim,
  serviceAccountGroups,
  serviceAccountName,
  splitServiceAccountName,
  type TokenClaims,
} from './serviceaccount/claims.ts'
export { discoveryDocument, keySetDocument } from './serviceaccount/discovery.ts'
export { type ExternalKeySource, type ExternalKeys, followExternalKeys } from './serviceaccount/externalkeys.ts'
export { signExternally } from './serviceaccount/externalsign.ts'
export { publicHalfOf, readSigningKey, readVerifyingKeys, type TokenKey } from './serviceaccount/keys.ts'
export { fixedKeys, type TokenKeySource } from './serviceaccount/keysource.ts'
export { type LegacyUse, lastUsedLabel } from './serviceaccount/legacy.ts'
export type { Lookup } from './serviceaccount/lookup.ts'
export { createTokenCache } from './tokencache.ts'
export { createTokenFileAuthenticator, parseTokenFile, type TokenEntry } from './tokenfile.ts'
export { createAuthenticator, type UnionAuthenticator } from './union.ts'
export { createWebhookAuthenticator } from './webhook.ts'
