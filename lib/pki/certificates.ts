import { X509Certificate } from 'node:crypto'
import { encodePem, PemError, readPem } from './pem.ts'

/**
 * The certificate of these bytes (DER). Throws an Error for anything else. Node first searches bytes for PEM, so that
 * it would confuse a certificate whose subject contains another one as text with that other one: it gets PEM with one
 * block instead.
 */
export function parseCertificate(der: Uint8Array): X509Certificate {
  const certificate = new X509Certificate(encodePem('CERTIFICATE', der))
  if (!certificate.raw.equals(der)) throw new Error('x509: trailing data')
  return certificate
}

/**
 * The certificates of a PEM bundle, in order; other blocks, and those with headers, are skipped. Throws an Error for an
 * unreadable one.
 */
export function readCertificates(pem: string): X509Certificate[] {
  return readPem(pem)
    .filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)
    .map(({ bytes }, index) => {
      try {
        return parseCertificate(bytes)
      } catch (cause) {
        throw new Error(`certificate ${index + 1} of the bundle can't be read`, { cause })
      }
    })
}

/** The first certificate of a PEM text. Throws an Error when there is none, or one is unreadable. */
export function readCertificate(pem: string): X509Certificate {
  const [certificate] = readCertificates(pem)
  if (certificate === undefined) throw new PemError('the text holds no certificate in PEM')
  return certificate
}

/** A bundle of trusted authorities. Throws an Error when it has no certificate. */
export function readAuthorities(pem: string): X509Certificate[] {
  const certificates = readCertificates(pem)
  if (certificates.length === 0) throw new PemError('the bundle of certificate authorities holds no certificate')
  return certificates
}

/**
 * A bundle of the authorities of other servers for TLS. Unreadable certificates are skipped, as other clients of these
 * bundles do. Throws an Error when none is readable.
 */
export function readableAuthorities(pem: string): string {
  const readable = readPem(pem).filter(
    ({ type, hasHeaders, bytes }) => type === 'CERTIFICATE' && !hasHeaders && isCertificate(bytes),
  )
  if (readable.length === 0) throw new PemError('unable to load root certificates: unable to parse bytes as PEM block')
  return readable.map(({ bytes }) => encodePem('CERTIFICATE', bytes)).join('')
}

function isCertificate(der: Uint8Array): boolean {
  try {
    return parseCertificate(der).raw.length > 0
  } catch {
    return false
  }
}

/**
 * A bundle for TLS: the certificates that `readAuthorities` finds in it and nothing else, so that both trust the same.
 */
export function normalizeAuthorities(pem: string): string {
  return readAuthorities(pem)
    .map(({ raw }) => encodePem('CERTIFICATE', raw))
    .join('')
}
