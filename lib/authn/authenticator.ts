import type { Call, UserInfo } from '../request/index.ts'

/** An authenticator's verdict on a request. `none`: the request carries no credential of this kind. */
export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated'
      readonly user: UserInfo
      /** The requested audiences that the credential is for; absent where the authenticator knows no audiences. */
      readonly audiences?: readonly string[]
      /** For the request's audit event. */
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly outcome: 'none' }
  /** A credential of this kind that is not valid; `reason` goes to logs, and to the caller of a TokenReview. */
  | { readonly outcome: 'invalid'; readonly reason: string }

/** The reason for a token that no authenticator knows, or that none gives a reason for. */
export const invalidToken = 'invalid bearer token'

/** Finds and checks one kind of credentials in a request. */
export interface Authenticator {
  readonly name: string
  authenticate(call: Call): AuthenticationResult | Promise<AuthenticationResult>
}

/** The audiences that a token is checked for. */
export interface TokenContext {
  readonly signal: AbortSignal
  /** The token must be for one of these audiences; absent: the API's own. */
  readonly audiences?: readonly string[]
}

/** Checks a bearer token. */
export interface TokenAuthenticator {
  readonly name: string
  authenticateToken(token: string, context: TokenContext): AuthenticationResult | Promise<AuthenticationResult>
}
