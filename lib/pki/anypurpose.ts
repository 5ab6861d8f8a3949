import type { X509Certificate } from 'node:crypto'
import { oids } from './certificatebody.ts'
import { der } from './der.ts'
import { DerError, DerReader, derTags } from './derreader.ts'

const anyUsage = '2.5.29.37.0'
/** Authorities of one name are distinguished by their signatures; a bundle has few of them. */
const signatureChecksMax = 16

/**
 * Until when a certificate for any purpose (anyExtendedKeyUsage) is valid for a client; undefined: it isn't. Stock
 * servers accept such clients, OpenSSL refuses them, and its refusal may hide an earlier one. So OpenSSL's result is
 * ignored here: the certificate must be signed by an authority of `bundle` directly, both must be valid now, and
 * neither may have a critical extension that is not checked here.
 */
export function anyPurposeUntil(
  leaf: X509Certificate,
  bundle: readonly X509Certificate[],
  nowMs: number,
): number | undefined {
  if (!leaf.keyUsage?.includes(anyUsage) || !isValid(leaf, nowMs) || !isUnderstood(leaf)) return undefined
  const issuer = bundle
    .filter((authority) => leaf.checkIssued(authority))
    .slice(0, signatureChecksMax)
    .find((authority) => isAuthority(authority, nowMs) && isSignedBy(leaf, authority))
  return issuer && Math.min(leaf.validToDate.getTime(), issuer.validToDate.getTime())
}

function isAuthority(authority: X509Certificate, nowMs: number): boolean {
  const usages = authority.keyUsage ?? []
  const isForClients = usages.length === 0 || usages.includes(anyUsage) || usages.includes(oids.clientAuth)
  return authority.ca && isForClients && isValid(authority, nowMs) && isUnderstood(authority)
}

function isValid({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime()
}

function isSignedBy(leaf: X509Certificate, authority: X509Certificate): boolean {
  try {
    return leaf.verify(authority.publicKey)
  } catch {
    return false
  }
}

const understood: readonly Buffer[] = [
  oids.keyUsage,
  oids.extendedKeyUsage,
  oids.basicConstraints,
  oids.subjectAltName,
].map(der.objectId)

/** Whether no other extension is critical. */
function isUnderstood({ raw }: X509Certificate): boolean {
  try {
    const body = new DerReader(raw).enter(derTags.sequence).enter(derTags.sequence)
    const wrapped = body.rest().find(({ tag }) => tag === derTags.extensions)
    if (wrapped === undefined) return true
    const extensions = new DerReader(wrapped.content).enter(derTags.sequence).rest()
    return extensions.every(({ content }) => {
      const [name, second] = new DerReader(content).rest()
      const isCritical = second?.tag === derTags.boolean && second.content[0] !== 0
      return !isCritical || understood.some((known) => known.equals(name?.whole ?? Buffer.alloc(0)))
    })
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
