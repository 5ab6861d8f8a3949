import type { ConsoleSource } from './source.ts'

export interface ConsoleSettings {
  readonly source: ConsoleSource
  /** Absent: users sign in by a token or a certificate only. */
  readonly issuer?: ConsoleIssuer | undefined
}

/** An OpenID issuer at which the page signs users in, as a client without a secret. The page reads it as JSON. */
export interface ConsoleIssuer {
  /** Https, without query and fragment. */
  readonly url: string
  readonly clientId: string
  readonly scopes: readonly string[]
}
