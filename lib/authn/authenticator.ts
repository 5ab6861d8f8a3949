import type { Call, UserInfo } from '../request/index.ts'

/** What an authenticator found out. `none`: the request carries no credential of this kind. */
export type AuthenticationResult =
  | { readonly outcome: 'authenticated'; readonly user: UserInfo; readonly audiences?: readonly string[] }
  | { readonly outcome: 'none' }
  /** A credential of this kind that is not valid; `reason` goes to logs and metrics, never to the client. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/** Reads credentials off a request. */
export interface Authenticator {
  readonly name: string
  authenticate(call: Call): AuthenticationResult | Promise<AuthenticationResult>
}

/** Checks a bearer token. */
export interface TokenAuthenticator {
  readonly name: string
  authenticateToken(token: string, call: { signal: AbortSignal }): AuthenticationResult | Promise<AuthenticationResult>
}
