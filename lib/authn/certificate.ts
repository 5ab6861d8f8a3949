import { hash } from 'node:crypto'
import type { Clock } from '../base/index.ts'
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
}

const none: AuthenticationResult = { outcome: 'none' }

/**
 * A verified client certificate's common name is the user, its organizations are the groups. Verification is remembered
 * per connection (whose chain is one array) and per chain.
 */
export function createCertificateAuthenticator(
  { clock }: { clock: Clock },
  verifier: ChainVerifier,
  { entriesMax = 8192, ttlMs = 600_000 }: CertificateAuthenticatorOptions = {},
): Authenticator {
  const byConnection = new WeakMap<readonly Uint8Array[], Known>()
  const byChain = new Map<string, Known>()

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
    if (!verified.ok) return { result: { outcome: 'invalid', reason: verified.reason }, untilMs: nowMs + 1000 }
    const { commonName, organizations, uids } = readSubject(verified.leaf)
    const untilMs = Math.min(verified.validToMs, nowMs + ttlMs)
    if (commonName === '') return { result: none, untilMs }
    if (uids.length > 1) return { result: { outcome: 'invalid', reason: 'the certificate has several uids' }, untilMs }
    const fingerprint = verified.leaf.fingerprint256.replaceAll(':', '').toLowerCase()
    const user = {
      name: commonName,
      uid: uids[0] ?? '',
      groups: organizations,
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    }
    return { result: { outcome: 'authenticated', user }, untilMs }
  }

  return {
    name: 'certificate',
    authenticate(call) {
      const chain = call.clientCertificates()
      if (chain.length === 0) return none
      const nowMs = clock.now()
      const found = byConnection.get(chain)
      if (found !== undefined && nowMs < found.untilMs) return found.result
      const known = look(chain, nowMs)
      byConnection.set(chain, known)
      return known.result
    },
  }
}
