import { createPrivateKey } from 'node:crypto'
import type { Random } from '../base/index.ts'
import { encodeAlternativeNames } from './alternativenames.ts'
import type { KeyPair } from './authority.ts'
import {
  bitString,
  encodedSubject,
  extension,
  oids,
  serialNumber,
  signCertificate,
  subjectKeyId,
} from './certificatebody.ts'
import { readCertificate } from './certificates.ts'
import { der } from './der.ts'
import type { SigningRequest } from './request.ts'
import { encodeRequestedSubject } from './requestsubject.ts'

export interface CertificateTerms {
  /** As in `spec.usages` of a CertificateSigningRequest; unknown ones throw. */
  readonly usages: readonly string[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

/**
 * The certificate for a request, PEM. It is built from the result of `readSigningRequest`: subject, key and alternative
 * names, and nothing else of the request's bytes. Throws an Error for an invalid signature, and for unsupported keys
 * and usages.
 */
export function signRequest(
  random: Random,
  request: SigningRequest,
  authority: KeyPair,
  { usages, notBeforeMs, notAfterMs }: CertificateTerms,
): string {
  const unknown = usages.find((usage) => !Object.hasOwn(keyUsages, usage) && !Object.hasOwn(extendedUsages, usage))
  if (unknown !== undefined) throw new Error(`unrecognized usage values: ["${unknown}"]`)
  const finding = request.signatureFinding()
  if (finding !== '' || !request.publicKey)
    throw new Error(`unable to verify certificate request signature: ${finding}`)
  const issuer = readCertificate(authority.certificate)
  const issuerKeyId = subjectKeyId(issuer)
  const subject = encodeRequestedSubject(request.subject)
  const alternatives = encodeAlternativeNames(request)
  const extensions = [
    ...usageExtensions(usages),
    extension(oids.basicConstraints, true, der.sequence()),
    ...(issuerKeyId ? [extension(oids.authorityKeyId, false, der.sequence(der.implicit(0, issuerKeyId)))] : []),
    // RFC 5280, 4.2.1.6: the names are critical without a subject.
    ...(alternatives ? [extension(oids.subjectAltName, subject.equals(der.sequence()), alternatives)] : []),
  ]
  const body = {
    serial: serialNumber(random),
    issuer: encodedSubject(issuer),
    subject,
    startMs: notBeforeMs,
    endMs: notAfterMs,
    publicKey: request.publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  }
  return signCertificate(body, createPrivateKey(authority.key))
}

function usageExtensions(usages: readonly string[]): Buffer[] {
  const bits = usages.flatMap((usage) => keyUsages[usage] ?? [])
  const asked = new Set(usages.map((usage) => extendedUsages[usage]))
  const purposes = [...new Set(Object.values(extendedUsages))].filter((oid) => asked.has(oid))
  return [
    ...(bits.length === 0 ? [] : [extension(oids.keyUsage, true, bitString(bits))]),
    ...(purposes.length === 0
      ? []
      : [extension(oids.extendedKeyUsage, false, der.sequence(...purposes.map(der.objectId)))]),
  ]
}

/** Bits of KeyUsage (RFC 5280, 4.2.1.3). */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
}

/** In the order of a certificate. */
const extendedUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': oids.serverAuth,
  'client auth': oids.clientAuth,
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
}
