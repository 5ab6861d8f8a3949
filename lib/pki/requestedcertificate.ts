import type { KeyPair } from './authority.ts'

/** The contents of a certificate signing request, as signers and approvers judge it. */
export interface RequestedCertificate {
  /** The last one where there are several; '' for none. */
  readonly commonName: string
  /** In the order of the request. */
  readonly organizations: readonly string[]
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
  readonly emailAddresses: readonly string[]
  readonly uris: readonly string[]
  /** Checks the request's own signature, and signs. Rejects for a bad signature, and for keys that can't be used. */
  issue(authority: KeyPair, terms: CertificateTerms): Promise<string>
}

export interface CertificateTerms {
  /** As `spec.usages` of a CertificateSigningRequest names them; unknown ones throw. */
  readonly usages: readonly string[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

/**
 * Reads a PEM request (RFC 2986). Rejects with an Error for anything else. The library for it takes a tenth of a second to
 * load, which most processes never need.
 */
export async function readRequestedCertificate(pem: string): Promise<RequestedCertificate> {
  const { parseRequestedCertificate } = await import('./signingrequest.ts')
  return parseRequestedCertificate(pem)
}
