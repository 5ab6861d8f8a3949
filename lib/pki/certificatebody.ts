import { createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto'
import type { Random } from '../base/index.ts'
import { der } from './der.ts'
import { DerReader, derTags } from './derreader.ts'
import { encodePem } from './pem.ts'

interface CertificateBody {
  serial: Uint8Array
  /** Names and key as DER. */
  issuer: Uint8Array
  subject: Uint8Array
  publicKey: Uint8Array
  startMs: number
  endMs: number
  extensions: Uint8Array[]
}

export const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  ecdsaWithSha384: '1.2.840.10045.4.3.3',
  ecdsaWithSha512: '1.2.840.10045.4.3.4',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ed25519: '1.3.101.112',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

/** Signs a certificate (RFC 5280, 4.1) and returns its PEM. Throws an Error for an unsupported key. */
export function signCertificate(body: CertificateBody, key: KeyObject): string {
  const { identifier, hash } = signatureAlgorithm(key)
  const unsigned = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(body.serial),
    identifier,
    body.issuer,
    der.sequence(der.time(body.startMs), der.time(body.endMs)),
    body.subject,
    body.publicKey,
    der.explicit(3, der.sequence(...body.extensions)),
  )
  return encodePem('CERTIFICATE', der.sequence(unsigned, identifier, der.bits(sign(hash, unsigned, key))))
}

const ecAlgorithms: Readonly<Record<string, { oid: string; hash: string }>> = {
  prime256v1: { oid: oids.ecdsaWithSha256, hash: 'sha256' },
  secp384r1: { oid: oids.ecdsaWithSha384, hash: 'sha384' },
  secp521r1: { oid: oids.ecdsaWithSha512, hash: 'sha512' },
}

function signatureAlgorithm(key: KeyObject): { identifier: Buffer; hash: string | null } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'rsa')
    return { identifier: der.sequence(der.objectId(oids.sha256WithRsa), Buffer.of(0x05, 0x00)), hash: 'sha256' }
  if (type === 'ed25519') return { identifier: der.sequence(der.objectId(oids.ed25519)), hash: null }
  const known = type === 'ec' ? ecAlgorithms[details?.namedCurve ?? ''] : undefined
  if (known === undefined) throw new Error('the authority has a key of an unknown type')
  return { identifier: der.sequence(der.objectId(known.oid)), hash: known.hash }
}

/** 16 random bytes, positive. */
export function serialNumber(random: Random): Uint8Array {
  const bytes = random.bytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01
  return bytes
}

export function keyId(spki: Uint8Array): Buffer {
  return createHash('sha1').update(spki).digest()
}

/** The subject's original bytes in the certificate: an issuer's name must match byte by byte. */
export function encodedSubject({ raw }: X509Certificate): Uint8Array {
  const body = new DerReader(raw).enter(derTags.sequence).enter(derTags.sequence)
  // version, serial, algorithm, issuer, validity
  for (let member = 0; member < 5; member++) body.next()
  return body.next(derTags.sequence).whole
}

/** The subject key identifier of a certificate; undefined without one. */
export function subjectKeyId({ raw }: X509Certificate): Uint8Array | undefined {
  const body = new DerReader(raw).enter(derTags.sequence).enter(derTags.sequence)
  const wrapped = body.rest().find(({ tag }) => tag === derTags.extensions)
  if (wrapped === undefined) return undefined
  const extensions = new DerReader(wrapped.content).enter(derTags.sequence)
  while (extensions.more) {
    const members = extensions.enter(derTags.sequence).rest()
    const [name, value] = [members[0], members.at(-1)]
    if (name && value && Buffer.from(name.whole).equals(der.objectId(oids.subjectKeyId)))
      return new DerReader(value.content).next(derTags.octetString).content
  }
  return undefined
}

export function extension(oid: string, critical: boolean, value: Uint8Array): Buffer {
  return der.sequence(der.objectId(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value))
}

/** Bits counted from the left, as KeyUsage numbers them; trailing zeros are cut. */
export function bitString(bits: readonly number[]): Buffer {
  const last = Math.max(...bits)
  const bytes = Buffer.alloc((last >>> 3) + 1)
  for (const bit of bits) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (0x80 >>> (bit & 7))
  return der.bits(bytes, 7 - (last & 7))
}
