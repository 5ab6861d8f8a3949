import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Clock, Random } from '../base/index.ts'
import { bitString, encodedSubject, extension, keyId, oids, serialNumber, signCertificate } from './certificatebody.ts'
import { readCertificate } from './certificates.ts'
import { der } from './der.ts'
import { encodeAddress, isAddress } from './names.ts'

/** A certificate and its private key, PEM. The certificate may be followed by its chain. */
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
  /** As `issue`, for the key of another party (SubjectPublicKeyInfo, DER); returns the certificate. */
  certify(publicKey: Uint8Array, options: IssueOptions): string
}

const yearMs = 365 * 24 * 3600 * 1000
const backdateMs = 5 * 60 * 1000

/** Creates an authority, valid for ten years, or uses `existing`. Throws when its key doesn't match its certificate. */
export function createAuthority(
  { clock, random }: { clock: Clock; random: Random },
  options: { commonName: string } | { existing: KeyPair },
): Authority {
  const pair = 'existing' in options ? options.existing : selfSign(clock, random, options.commonName)
  const certificate = readCertificate(pair.certificate)
  const key = createPrivateKey(pair.key)
  if (!certificate.checkPrivateKey(key)) throw new Error("the authority's key does not fit its certificate")
  if (!certificate.ca) throw new Error('the certificate is not that of an authority')
  const issuer = encodedSubject(certificate)
  const authorityKeyId = keyId(createPublicKey(key).export({ type: 'spki', format: 'der' }))
  const endMs = Date.parse(certificate.validTo)

  function certify(publicKey: Uint8Array, options: IssueOptions): string {
    const { commonName, organizations = [], usage, names = [], validMs = yearMs } = options
    const body = {
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
    }
    return signCertificate(body, key)
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

function usages(usage: IssueOptions['usage']): string[] {
  if (usage === 'both') return [oids.serverAuth, oids.clientAuth]
  return [usage === 'server' ? oids.serverAuth : oids.clientAuth]
}

function selfSign(clock: Clock, random: Random, commonName: string): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const name = distinguishedName(commonName, [])
  const body = {
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
  }
  return { certificate: signCertificate(body, privateKey), key: exportKey(privateKey) }
}

function exportKey(key: ReturnType<typeof createPrivateKey>): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Organizations first and in the given order, as other issuers write them. */
function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (oid: string, value: string): Buffer => der.set(der.sequence(der.objectId(oid), der.utf8(value)))
  return der.sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  )
}

function alternativeNames(names: readonly string[]): Buffer {
  return der.sequence(
    ...names.map((name) =>
      isAddress(name) ? der.implicit(7, encodeAddress(name)) : der.implicit(2, Buffer.from(name, 'latin1')),
    ),
  )
}
