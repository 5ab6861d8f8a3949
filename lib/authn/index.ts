// authn: who makes a request: authenticators for each kind of credential and their union. Invariant: a credential that
// is there and not valid ends the request, whoever else would have let it pass. Must not know what a user may do.
export type { AuthenticationResult, Authenticator, TokenAuthenticator } from './authenticator.ts'
