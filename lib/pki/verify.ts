import { X509Certificate } from 'node:crypto'
import type { Clock } from '../base/index.ts'
import { readCertificates } from './pem.ts'

export type VerifiedChain =
  | { readonly ok: true; readonly leaf: X509Certificate; readonly validToMs: number }
  | { readonly ok: false; readonly reason: string }

export interface ChainVerifier {
  /** `chain`: DER, leaf first, as the client sent it; certificates between leaf and authority may be among it. */
  verify(chain: readonly Uint8Array[]): VerifiedChain
}

const clientAuth = '1.3.6.1.5.5.7.3.2'
const anyUsage = '2.5.29.37.0'
const chainMax = 8

interface Dated {
  readonly certificate: X509Certificate
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Verifies client certificates against the authorities of a PEM bundle: every link signed by the next, every certificate
 * within its time, the leaf for clients, the others authorities. Throws an Error when the bundle has no certificate.
 */
export function createChainVerifier(clock: Clock, bundle: string): ChainVerifier {
  const roots = readCertificates(bundle).map(dated)
  if (roots.length === 0) throw new Error('the bundle of certificate authorities holds no certificate')

  /** End of the time in which the way from `from` to an authority holds; undefined: there is no way. */
  function reach(from: Dated, between: readonly Dated[], nowMs: number, depth: number): number | undefined {
    if (nowMs < from.fromMs || nowMs > from.toMs) return undefined
    for (const root of roots) {
      if (from.certificate.fingerprint256 === root.certificate.fingerprint256) return from.toMs
      if (nowMs >= root.fromMs && nowMs <= root.toMs && isSignedBy(from, root)) return Math.min(from.toMs, root.toMs)
    }
    if (depth >= chainMax) return undefined
    for (const next of between) {
      if (next === from || !isSignedBy(from, next)) continue
      const toMs = reach(
        next,
        between.filter((other) => other !== next),
        nowMs,
        depth + 1,
      )
      if (toMs !== undefined) return Math.min(toMs, from.toMs)
    }
    return undefined
  }

  return {
    verify(chain) {
      const parsed = parse(chain.slice(0, chainMax))
      const leaf = parsed?.[0]
      if (parsed === undefined || leaf === undefined) return { ok: false, reason: 'the certificate is malformed' }
      const nowMs = clock.now()
      if (nowMs < leaf.fromMs) return { ok: false, reason: 'the certificate is not yet valid' }
      if (nowMs > leaf.toMs) return { ok: false, reason: 'the certificate has expired' }
      if (!isForClients(leaf)) return { ok: false, reason: 'the certificate is not for clients' }
      const validToMs = reach(leaf, parsed.slice(1), nowMs, 0)
      if (validToMs === undefined) return { ok: false, reason: 'the certificate is signed by an unknown authority' }
      return { ok: true, leaf: leaf.certificate, validToMs }
    },
  }
}

function parse(chain: readonly Uint8Array[]): Dated[] | undefined {
  try {
    return chain.map((bytes) => dated(new X509Certificate(bytes)))
  } catch {
    return undefined
  }
}

function dated(certificate: X509Certificate): Dated {
  return { certificate, fromMs: Date.parse(certificate.validFrom), toMs: Date.parse(certificate.validTo) }
}

/** Of an authority: what it signs may be for clients. Without the extension everything is allowed. */
function isForClients({ certificate }: Dated): boolean {
  // Node calls the extended key usages this; its types forget that there may be none.
  const usages: readonly string[] | undefined = certificate.keyUsage
  return usages === undefined || usages.includes(clientAuth) || usages.includes(anyUsage)
}

function isSignedBy({ certificate }: Dated, issuer: Dated): boolean {
  try {
    return (
      issuer.certificate.ca &&
      isForClients(issuer) &&
      certificate.checkIssued(issuer.certificate) &&
      certificate.verify(issuer.certificate.publicKey)
    )
  } catch {
    return false
  }
}
