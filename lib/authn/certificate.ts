import { hash, X509Certificate } from 'node:crypto'
import type { Clock, Metrics } from '../base/index.ts'
import { type ChainVerifier, readSubject } from '../pki/index.ts'
import type { AuthenticationResult, Authenticator } from './authenticator.ts'

export interface CertificateAuthenticatorOptions {
  /** Chains remembered at most; beyond, the oldest goes. Default 8192. */
  readonly entriesMax?: number
  /** How long a verified chain is believed, and never beyond its own time. Default 10 minutes. */
  readonly ttlMs?: number
}

interface Known {
  readonly result: AuthenticationResult
  readonly untilMs: number
  /** When the client's own certificate expires. */
  readonly expiresMs: number
}

/** Seconds: half an hour to a year. */
const expirationBuckets = [
  0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000, 7776000, 15552000, 31104000,
]

const none: AuthenticationResult = { outcome: 'none' }

/**
 * A verified client certificate's common name is the user, its organizations are the groups. Verification is remembered
 * per connection (whose chain is one array) and per chain.
 */
export function createCertificateAuthenticator(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  verifier: ChainVerifier,
  { entriesMax = 8192, ttlMs = 600_000 }: CertificateAuthenticatorOptions = {},
): Authenticator {
  const byConnection = new WeakMap<readonly Uint8Array[], Known>()
  const byChain = new Map<string, Known>()
  const remaining = metrics
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Time that the client certificates of requests have left, whether they are valid or not.',
      buckets: expirationBuckets,
      stability: 'ALPHA',
    })
    .at([])

  function look(chain: readonly Uint8Array[], nowMs: number): Known {
    const digest = chain.map((certificate) => hash('sha256', certificate, 'latin1')).join('')
    const found = byChain.get(digest)
    if (found !== undefined && nowMs < found.untilMs) return found
    byChain.delete(digest)
    const known = verify(chain, nowMs)
    // What is not valid is not remembered: strangers could fill the memory, and time may mend it.
    if (known.result.outcome !== 'authenticated') return known
    if (byChain.size >= entriesMax) {
      const [oldest] = byChain.keys()
      if (oldest !== undefined) byChain.delete(oldest)
    }
    byChain.set(digest, known)
    return known
  }

  function verify(chain: readonly Uint8Array[], nowMs: number): Known {
    const verified = verifier.verify(chain)
    if (!verified.ok)
      return {
        result: { outcome: 'invalid', reason: verified.reason },
        untilMs: nowMs + 1000,
        expiresMs: expiryOf(chain[0]),
      }
    const expiresMs = verified.leaf.validToDate.getTime()
    const { commonName, organizations, uids } = readSubject(verified.leaf)
    const untilMs = Math.min(verified.validToMs, nowMs + ttlMs)
    if (commonName === '') return { result: none, untilMs, expiresMs }
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
      const chain = call.clientCertificates()
      if (chain.length === 0) return none
      const nowMs = clock.now()
      const found = byConnection.get(chain)
      const known = found !== undefined && nowMs < found.untilMs ? found : look(chain, nowMs)
      if (known !== found) byConnection.set(chain, known)
      remaining.observe((known.expiresMs - nowMs) / 1000)
      return known.result
    },
  }
}

/** When a certificate that was not valid expires; long ago, if that can't be read. */
function expiryOf(certificate: Uint8Array | undefined): number {
  try {
    return certificate === undefined ? 0 : new X509Certificate(certificate).validToDate.getTime()
  } catch {
    return 0
  }
}
