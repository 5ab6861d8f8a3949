import { X509Certificate } from 'node:crypto'

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** The certificates of a PEM bundle, in order; other blocks are passed over. Throws an Error for one that can't be read. */
export function readCertificates(pem: string): X509Certificate[] {
  return Array.from(pem.matchAll(certificate), ([block], index) => {
    try {
      return new X509Certificate(block)
    } catch (cause) {
      throw new Error(`certificate ${index + 1} of the bundle can't be read`, { cause })
    }
  })
}

/** A bundle of trusted authorities. Throws an Error when it has no certificate. */
export function readAuthorities(pem: string): X509Certificate[] {
  const certificates = readCertificates(pem)
  if (certificates.length === 0) throw new Error('the bundle of certificate authorities holds no certificate')
  return certificates
}
