import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import type { Clock, Random } from '../base/index.ts'
import { assert } from '../base/index.ts'
import { DerReader, derTags } from './derreader.ts'
import { der } from './der.ts'
import { encodeAddress, isAddress } from './names.ts'

/** A certificate and its private key, PEM. The certificate may be followed by those that signed it. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

interface IssueOptions {
  /** Common name; in a client certificate, the user. */
  readonly commonName: string
  /** Organizations; in a client certificate, the groups. */
  readonly organizations?: readonly string[]
  readonly usage: 'client' | 'server' | 'both'
  /** DNS names and IP addresses. */
  readonly names?: readonly string[]
  /** Default one year. */
  readonly validMs?: number
}

/** A certificate authority that can sign. Keys are ECDSA P-256. */
export interface Authority extends KeyPair {
  /** A new key and its certificate, valid from five minutes ago, and never longer than the authority's own. */
  issue(options: IssueOptions): KeyPair
  /** As `issue`, for the key of another party (SubjectPublicKeyInfo, DER); answers the certificate. */
  certify(publicKey: Uint8Array, options: IssueOptions): string
}

const yearMs = 365 * 24 * 3600 * 1000
const backdateMs = 5 * 60 * 1000

/** Makes an authority, valid for ten years, or takes up `existing`. Throws when its key doesn't fit its certificate. */
export function createAuthority(
  { clock, random }: { clock: Clock; random: Random },
  options: { commonName: string } | { existing: KeyPair },
): Authority {
  const pair = 'existing' in options ? options.existing : selfSign(clock, random, options.commonName)
  const certificate = new X509Certificate(pair.certificate)
  const key = createPrivateKey(pair.key)
  if (!certificate.checkPrivateKey(key)) throw new Error("the authority's key does not fit its certificate")
  if (!certificate.ca) throw new Error('the certificate is not that of an authority')
  const issuer = subjectOf(certificate)
  const authorityKeyId = keyId(createPublicKey(key).export({ type: 'spki', format: 'der' }))
  const endMs = Date.parse(certificate.validTo)

  function certify(publicKey: Uint8Array, options: IssueOptions): string {
    const { commonName, organizations = [], usage, names = [], validMs = yearMs } = options
    const body = certificateBody({
      serial: serialNumber(random),
      issuer,
      subject: distinguishedName(commonName, organizations),
      startMs: clock.now() - backdateMs,
      endMs: Math.min(clock.now() + validMs, endMs),
      publicKey,
      extensions: [
        extension(oids.keyUsage, true, bitString([0])),
        extension(oids.extendedKeyUsage, false, der.sequence(...usages(usage).map(der.objectId))),
        extension(oids.basicConstraints, true, der.sequence()),
        extension(oids.authorityKeyId, false, der.sequence(der.implicit(0, authorityKeyId))),
        ...(names.length === 0 ? [] : [extension(oids.subjectAltName, false, alternativeNames(names))]),
      ],
    })
    return signed(body, key)
  }

  return {
    certificate: pair.certificate,
    key: pair.key,
    certify,
    issue(options) {
      const made = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const certificate = certify(made.publicKey.export({ type: 'spki', format: 'der' }), options)
      return { certificate, key: exportKey(made.privateKey) }
    },
  }
}

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

function usages(usage: IssueOptions['usage']): string[] {
  if (usage === 'both') return [oids.serverAuth, oids.clientAuth]
  return [usage === 'server' ? oids.serverAuth : oids.clientAuth]
}

function selfSign(clock: Clock, random: Random, commonName: string): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const name = distinguishedName(commonName, [])
  const body = certificateBody({
    serial: serialNumber(random),
    issuer: name,
    subject: name,
    startMs: clock.now() - backdateMs,
    endMs: clock.now() + 10 * yearMs,
    publicKey: spki,
    extensions: [
      // digitalSignature, keyEncipherment, keyCertSign
      extension(oids.keyUsage, true, bitString([0, 2, 5])),
      extension(oids.basicConstraints, true, der.sequence(der.boolean(true))),
      extension(oids.subjectKeyId, false, der.octets(keyId(spki))),
    ],
  })
  return { certificate: signed(body, privateKey), key: exportKey(privateKey) }
}

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

/** TBSCertificate (RFC 5280, 4.1) but for its second member, the algorithm, which the signer adds. */
function certificateBody(body: CertificateBody): (algorithm: Uint8Array) => Buffer {
  return (algorithm) =>
    der.sequence(
      der.explicit(0, der.integer(Buffer.of(2))),
      der.integer(body.serial),
      algorithm,
      body.issuer,
      der.sequence(der.time(body.startMs), der.time(body.endMs)),
      body.subject,
      body.publicKey,
      der.explicit(3, der.sequence(...body.extensions)),
    )
}

/** PEM of the body with its signature. An authority that was brought along may have an RSA key. */
function signed(body: (algorithm: Uint8Array) => Buffer, key: ReturnType<typeof createPrivateKey>): string {
  assert(key.asymmetricKeyType === 'ec' || key.asymmetricKeyType === 'rsa', 'authorities have EC or RSA keys')
  const algorithm =
    key.asymmetricKeyType === 'ec'
      ? der.sequence(der.objectId(oids.ecdsaWithSha256))
      : der.sequence(der.objectId(oids.sha256WithRsa), Buffer.of(0x05, 0x00))
  const unsigned = body(algorithm)
  const certificate = der.sequence(unsigned, algorithm, der.bits(sign('sha256', unsigned, key)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function exportKey(key: ReturnType<typeof createPrivateKey>): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** 16 random bytes, positive. */
function serialNumber(random: Random): Uint8Array {
  const bytes = random.bytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01
  return bytes
}

function keyId(spki: Uint8Array): Buffer {
  return createHash('sha1').update(spki).digest()
}

/** Organizations first and in the order given, as issuers write them. */
function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (oid: string, value: string): Buffer => der.set(der.sequence(der.objectId(oid), der.utf8(value)))
  return der.sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  )
}

/** The subject's bytes as they stand in the certificate: an issuer's name must match byte by byte. */
function subjectOf({ raw }: X509Certificate): Uint8Array {
  const body = new DerReader(raw).enter(derTags.sequence).enter(derTags.sequence)
  // version, serial, algorithm, issuer, validity
  for (let member = 0; member < 5; member++) body.next()
  return body.next(derTags.sequence).whole
}

function extension(oid: string, critical: boolean, value: Uint8Array): Buffer {
  return der.sequence(der.objectId(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value))
}

/** Bits counted from the left, as KeyUsage numbers them; trailing zeros are cut. */
function bitString(bits: readonly number[]): Buffer {
  const last = Math.max(...bits)
  const bytes = Buffer.alloc((last >>> 3) + 1)
  for (const bit of bits) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (0x80 >>> (bit & 7))
  return der.bits(bytes, 7 - (last & 7))
}

function alternativeNames(names: readonly string[]): Buffer {
  return der.sequence(
    ...names.map((name) =>
      isAddress(name) ? der.implicit(7, encodeAddress(name)) : der.implicit(2, Buffer.from(name, 'latin1')),
    ),
  )
}
