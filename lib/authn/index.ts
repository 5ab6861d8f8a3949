// authn: finds the user of a request: authenticators for each kind of credential and their union. Invariant: an invalid
// credential ends the request unless another one is valid, even where anonymous requests are allowed. Must not know
// what a user may do, nor ever put a token into a log, a metric or an error.
export {
  type AuthenticationResult,
  type Authenticator,
  invalidToken,
  type TokenAuthenticator,
  type TokenContext,
} from './authenticator.ts'
export { createCertificateAuthenticator } from './certificate.ts'
export { createBootstrapAuthenticator } from './bootstrap.ts'
export { createRequestHeaderAuthenticator, type RequestHeaderOptions } from './requestheader.ts'
export { createTokenFileAuthenticator, parseTokenFile, type TokenEntry } from './tokenfile.ts'
export { createTokenCache } from './tokencache.ts'
export { createAuthenticator, type UnionAuthenticator } from './union.ts'
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
export { publicHalfOf, readSigningKey, readVerifyingKeys, type TokenKey } from './serviceaccount/keys.ts'
export { lastUsedLabel, type LegacyUse } from './serviceaccount/legacy.ts'
export type { Lookup } from './serviceaccount/lookup.ts'
export { signToken } from './jws.ts'
export { createJwtAuthenticator, hashForMetrics, type JwtAuthenticator } from './jwt/authenticator.ts'
export {
  allAlgorithms,
  type AuthenticationConfiguration,
  parseAuthenticationConfiguration,
  type ParsedConfiguration,
  settle as settleAuthenticationConfiguration,
} from './jwt/configuration.ts'
export type { FetchDocument } from './jwt/keys.ts'
export type { JwsAlgorithm } from './jws.ts'
export { createWebhookAuthenticator } from './webhook.ts'
