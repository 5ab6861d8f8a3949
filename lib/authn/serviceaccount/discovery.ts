import { type TokenKey, toJsonWebKey } from './keys.ts'

interface DiscoveryOptions {
  readonly issuer: string
  /** Location of the key set. */
  readonly keysUri: string
  readonly keys: readonly TokenKey[]
}

/** The document at /.well-known/openid-configuration (OpenID Connect Discovery 1.0), with the members that apply. */
export function discoveryDocument({ issuer, keysUri, keys }: DiscoveryOptions): string {
  return JSON.stringify({
    issuer,
    jwks_uri: keysUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
  })
}

/** The keys that verify service account tokens, as a JSON Web Key Set. */
export function keySetDocument(keys: readonly TokenKey[]): string {
  return JSON.stringify({ keys: keys.map(toJsonWebKey) })
}
