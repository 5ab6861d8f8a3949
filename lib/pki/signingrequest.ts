import 'reflect-metadata'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { KeyPair } from './authority.ts'
import type { CertificateTerms, RequestedCertificate } from './requestedcertificate.ts'

/** As `readRequestedCertificate`, at once: loading this file loads the library. */
export function parseRequestedCertificate(pem: string): RequestedCertificate {
  const request = new x509.Pkcs10CertificateRequest(pem)
  const name = request.subjectName
  const alternatives = request.getExtension('2.5.29.17')
  const names = alternatives instanceof x509.SubjectAlternativeNameExtension ? alternatives.names.items : []
  const named = (type: x509.GeneralNameType): string[] =>
    names.filter((each) => each.type === type).map(({ value }) => value)
  return {
    commonName: name.getField('CN').at(-1) ?? '',
    organizations: name.getField('O'),
    dnsNames: named('dns'),
    ipAddresses: named('ip'),
    emailAddresses: named('email'),
    uris: named('url'),
    issue: (authority, terms) => issue(request, alternatives, authority, terms),
  }
}

/** Takes only the alternative names over from the request's extensions. */
async function issue(
  request: x509.Pkcs10CertificateRequest,
  alternatives: x509.Extension | null,
  authority: KeyPair,
  { usages, notBeforeMs, notAfterMs }: CertificateTerms,
): Promise<string> {
  const flags = usages.reduce((all, usage) => all | (keyUsages.get(usage) ?? 0), 0)
  const purposes = usages.flatMap((usage) => extendedUsages.get(usage) ?? [])
  const unknown = usages.find((usage) => !keyUsages.has(usage) && !extendedUsages.has(usage))
  if (unknown !== undefined) throw new Error(`unrecognized usage values: ["${unknown}"]`)
  if (!(await request.verify())) throw new Error('unable to verify certificate request signature')
  const issuer = new x509.X509Certificate(authority.certificate)
  const issuerKeyId = issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId
  const { key, algorithm } = signingKey(createPrivateKey(authority.key))
  const certificate = await x509.X509CertificateGenerator.create({
    subject: request.subjectName,
    issuer: issuer.subjectName,
    publicKey: request.publicKey,
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(notAfterMs),
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: [
      ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
      ...(purposes.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(purposes)]),
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...(issuerKeyId === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(issuerKeyId)]),
      ...(alternatives === null ? [] : [alternatives]),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

interface SigningAlgorithm {
  readonly name: string
  readonly hash?: string
  readonly namedCurve?: string
}

function signingKey(key: KeyObject): { key: CryptoKey; algorithm: SigningAlgorithm } {
  const algorithm = algorithmOf(key)
  return { key: key.toCryptoKey(algorithm, false, ['sign']), algorithm }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningAlgorithm {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' }
  const curve = curves[asymmetricKeyDetails?.namedCurve ?? '']
  if (asymmetricKeyType !== 'ec' || curve === undefined) throw new Error('the authority has a key of an unknown type')
  return { name: 'ECDSA', ...curve }
}

const curves: Readonly<Record<string, { namedCurve: string; hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
}

const {
  digitalSignature,
  nonRepudiation,
  keyEncipherment,
  dataEncipherment,
  keyAgreement,
  keyCertSign,
  cRLSign,
  encipherOnly,
  decipherOnly,
} = x509.KeyUsageFlags

const keyUsages: ReadonlyMap<string, number> = new Map(
  Object.entries({
    signing: digitalSignature,
    'digital signature': digitalSignature,
    'content commitment': nonRepudiation,
    'key encipherment': keyEncipherment,
    'key agreement': keyAgreement,
    'data encipherment': dataEncipherment,
    'cert sign': keyCertSign,
    'crl sign': cRLSign,
    'encipher only': encipherOnly,
    'decipher only': decipherOnly,
  }),
)

const extendedUsages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    any: '2.5.29.37.0',
    'server auth': '1.3.6.1.5.5.7.3.1',
    'client auth': '1.3.6.1.5.5.7.3.2',
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
  }),
)
