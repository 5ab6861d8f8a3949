import type { Clock, Metrics } from '../base/index.ts'
import { type ChainVerifier, type PresentedCertificates, parseCertificate, readSubject } from '../pki/index.ts'
import type { AuthenticationResult, Authenticator } from './authenticator.ts'

interface Known {
  readonly result: AuthenticationResult
  readonly untilMs: number
  /** When the client's own certificate expires. */
  readonly expiresMs: number
}

/** How long a refusal is cached on a connection: authorities may be reloaded. */
const refusedMs = 1000

/** In seconds: half an hour to a year. */
const expirationBuckets = [
  0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000, 7776000, 15552000, 31104000,
]

const none: AuthenticationResult = { outcome: 'none' }

/**
 * Authenticates by the client certificate that OpenSSL has verified: the common name is the user, the organizations are
 * the groups. Read once a connection.
 */
export function createCertificateAuthenticator(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  verifier: ChainVerifier,
): Authenticator {
  const byConnection = new WeakMap<PresentedCertificates, Known>()
  const remaining = metrics
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Time that the client certificates of requests have left, whether they are valid or not.',
      buckets: expirationBuckets,
      stability: 'ALPHA',
    })
    .at([])

  function read(presented: PresentedCertificates, nowMs: number): Known {
    const verified = verifier.verify(presented)
    if (!verified.ok)
      return {
        result: { outcome: 'invalid', reason: verified.reason },
        untilMs: nowMs + refusedMs,
        expiresMs: expiryOf(presented.chain[0]),
      }
    const expiresMs = verified.leaf.validToDate.getTime()
    const { commonName, organizations, uids } = readSubject(verified.leaf)
    const untilMs = verified.validToMs
    if (commonName === '')
      return { result: { outcome: 'invalid', reason: 'the certificate has no common name' }, untilMs, expiresMs }
    if (uids.length > 1)
      return { result: { outcome: 'invalid', reason: 'the certificate has several uids' }, untilMs, expiresMs }
    const fingerprint = verified.leaf.fingerprint256.replaceAll(':', '').toLowerCase()
    const user = {
      name: commonName,
      uid: uids[0] ?? '',
      groups: organizations,
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    }
    return { result: { outcome: 'authenticated', user }, untilMs, expiresMs }
  }

  return {
    name: 'certificate',
    authenticate(call) {
      const presented = call.clientCertificates()
      if (presented === undefined) return none
      const nowMs = clock.now()
      let known = byConnection.get(presented)
      if (known === undefined || nowMs >= known.untilMs) {
        known = read(presented, nowMs)
        byConnection.set(presented, known)
      }
      remaining.observe((known.expiresMs - nowMs) / 1000)
      return known.result
    },
  }
}

/** The expiration of an invalid certificate; long ago, if that can't be read. */
function expiryOf(certificate: Uint8Array | undefined): number {
  try {
    return certificate === undefined ? 0 : parseCertificate(certificate).validToDate.getTime()
  } catch {
    return 0
  }
}
