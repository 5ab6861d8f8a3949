import type { X509Certificate } from 'node:crypto'
import type { Clock } from '../base/index.ts'
import { anyPurposeUntil } from './anypurpose.ts'
import { parseCertificate, readAuthorities, readCertificates } from './certificates.ts'

/** The certificates of a client's TLS handshake, and OpenSSL's result for them. */
export interface PresentedCertificates {
  /** DER, in the order sent: the client's own first. */
  readonly chain: readonly Uint8Array[]
  /** OpenSSL's code for a refused chain; undefined when the chain is valid and leads to one of `authorities`. */
  readonly refusal: string | undefined
  /**
   * Every authority that the handshake may have trusted, PEM. One object for all connections of the same authorities.
   */
  readonly authorities: { readonly pem: string }
  readonly verifiedAtMs: number
}

type VerifiedChain =
  | { readonly ok: true; readonly leaf: X509Certificate; readonly validToMs: number }
  | { readonly ok: false; readonly reason: string }

export interface ChainVerifier {
  verify(presented: PresentedCertificates): VerifiedChain
}

const certificatesMax = 16
const signatureChecksMax = 16
/** As in Go's TLS: checking a signature of a larger key takes too long. */
const rsaBitsMax = 8192

/** OpenSSL's error for a certificate whose extended key usage doesn't name clients. */
const wrongPurpose = 'INVALID_PURPOSE'

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is signed by an unknown authority',
}

const notForClients: VerifiedChain = { ok: false, reason: 'the certificate is not for clients' }
const unknownAuthority: VerifiedChain = { ok: false, reason: 'the certificate is signed by an unknown authority' }

/**
 * Finds out whether a chain that OpenSSL accepted leads to an authority of `bundle`. The handshake trusts the
 * authorities of clients and of front proxies together, and Node doesn't report the one at which the path ended. So
 * this finds every authority at which it can have ended, and requires that all of them are in the bundle: a superset of
 * the truth, never less. See hack/decisions/2026-11-23-certificate-chains.md. Throws an Error when the bundle has no
 * certificate.
 */
export function createChainVerifier(clock: Clock, bundle: string): ChainVerifier {
  const bundled = readAuthorities(bundle)
  const trusted = new Set(bundled.map(({ fingerprint256 }) => fingerprint256))
  const parsed = new WeakMap<object, readonly X509Certificate[]>()

  function authoritiesOf({ authorities }: PresentedCertificates): readonly X509Certificate[] {
    let list = parsed.get(authorities)
    if (list === undefined) {
      list = readCertificates(authorities.pem)
      parsed.set(authorities, list)
    }
    return list
  }

  return {
    verify(presented) {
      const { chain, refusal, verifiedAtMs } = presented
      if (chain.length > certificatesMax) return { ok: false, reason: 'the certificate chain is too long' }
      const certificates = parse(chain)
      const [leaf, ...others] = certificates ?? []
      if (certificates === undefined || leaf === undefined) return { ok: false, reason: 'the certificate is malformed' }
      if (refusal !== undefined && refusal !== wrongPurpose)
        return { ok: false, reason: reasons[refusal] ?? `the certificate is not valid: ${refusal}` }
      if (certificates.some(isOversized)) return { ok: false, reason: 'the certificate has too large a key' }
      if (refusal === wrongPurpose) {
        const validToMs = anyPurposeUntil(leaf, bundled, clock.now())
        return validToMs === undefined ? notForClients : { ok: true, leaf, validToMs }
      }
      const { ends, path } = possibleEnds(leaf, others, authoritiesOf(presented))
      if (ends.length === 0 || !ends.every((end) => trusted.has(end.fingerprint256))) return unknownAuthority
      // A certificate that had expired by then was not part of the path.
      const endsMs = [...path, ...ends].map(({ validToDate }) => validToDate.getTime())
      const validToMs = Math.min(leaf.validToDate.getTime(), ...endsMs.filter((toMs) => toMs > verifiedAtMs))
      if (clock.now() > validToMs) return { ok: false, reason: 'the certificate has expired' }
      return { ok: true, leaf, validToMs }
    },
  }
}

interface PossibleEnds {
  /** Authorities at which OpenSSL's path can have ended. */
  readonly ends: readonly X509Certificate[]
  /** Certificates of the client that can have been part of it. */
  readonly path: readonly X509Certificate[]
}

/** Follows names and key identifiers, as OpenSSL does to find issuers, but every branch of them. */
function possibleEnds(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): PossibleEnds {
  const issuedBy = new Map<X509Certificate, X509Certificate[]>()
  const path = new Set([leaf])
  for (const certificate of path) {
    for (const authority of authorities)
      if (certificate.fingerprint256 === authority.fingerprint256 || certificate.checkIssued(authority))
        issuedBy.set(authority, [...(issuedBy.get(authority) ?? []), certificate])
    for (const other of others) if (certificate.checkIssued(other)) path.add(other)
  }
  if (issuedBy.size <= 1) return { ends: [...issuedBy.keys()], path: [...path] }
  // If authorities share a name, those whose key matches. Beyond the limit all of them count.
  let checksLeft = signatureChecksMax
  const ends = [...issuedBy].filter(([authority, issued]) =>
    issued.some(
      (certificate) =>
        certificate.fingerprint256 === authority.fingerprint256 ||
        checksLeft-- <= 0 ||
        isSigned(certificate, authority),
    ),
  )
  return { ends: ends.map(([authority]) => authority), path: [...path] }
}

function isSigned(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.verify(authority.publicKey)
  } catch {
    return false
  }
}

function parse(chain: readonly Uint8Array[]): X509Certificate[] | undefined {
  try {
    return chain.map(parseCertificate)
  } catch {
    return undefined
  }
}

function isOversized({ publicKey }: X509Certificate): boolean {
  return (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) > rsaBitsMax
}
