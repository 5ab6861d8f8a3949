import { constants, type KeyObject, verify } from 'node:crypto'
import { type DerElement, DerReader, derTags } from './derreader.ts'

interface Signed {
  /** AlgorithmIdentifier (RFC 5280, 4.1.1.2). */
  readonly algorithm: DerElement
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  readonly publicKey: KeyObject
}

/** The error of a signature, in the words of stock servers; '' when it is valid. */
export function signatureFinding({ algorithm, signed, signature, publicKey }: Signed): string {
  const known = algorithmOf(algorithm)
  if (known === undefined) return 'x509: cannot verify signature: algorithm unimplemented'
  if (known.insecure !== undefined) return `x509: cannot verify signature: insecure algorithm ${known.insecure}`
  const { keyType } = known
  const { asymmetricKeyType: given = '' } = publicKey
  if (given !== keyType) {
    const type = isKeyType(given) ? keyNames[given].type : given
    return `x509: signature algorithm specifies an ${keyNames[keyType].algorithm} public key, but have public key of type ${type}`
  }
  return holds(known, signed, signature, publicKey) ? '' : keyNames[keyType].failure
}

function holds({ hash, isPss }: Algorithm, signed: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  try {
    return verify(hash, signed, isPss ? { key, ...padding } : key, signature)
  } catch {
    // The key is too short for its hash.
    return false
  }
}

const keyNames = {
  rsa: { algorithm: 'RSA', type: '*rsa.PublicKey', failure: 'crypto/rsa: verification error' },
  ec: { algorithm: 'ECDSA', type: '*ecdsa.PublicKey', failure: 'x509: ECDSA verification failure' },
  ed25519: { algorithm: 'Ed25519', type: 'ed25519.PublicKey', failure: 'x509: Ed25519 verification failure' },
} as const

const isKeyType = (type: string): type is keyof typeof keyNames => Object.hasOwn(keyNames, type)

interface Algorithm {
  readonly keyType: keyof typeof keyNames
  /** Undefined when the key's type determines it. */
  readonly hash?: string
  readonly isPss?: true
  /** Its name, for a hash that proves nothing any more. SHA-1 is still accepted in requests. */
  readonly insecure?: string
}

/** By object identifier, in hexadecimal. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  '2a864886f70d010104': { keyType: 'rsa', insecure: 'MD5-RSA' },
  '2a864886f70d010105': { keyType: 'rsa', hash: 'sha1' },
  '2a864886f70d01010b': { keyType: 'rsa', hash: 'sha256' },
  '2a864886f70d01010c': { keyType: 'rsa', hash: 'sha384' },
  '2a864886f70d01010d': { keyType: 'rsa', hash: 'sha512' },
  '2a8648ce3d0401': { keyType: 'ec', hash: 'sha1' },
  '2a8648ce3d040302': { keyType: 'ec', hash: 'sha256' },
  '2a8648ce3d040303': { keyType: 'ec', hash: 'sha384' },
  '2a8648ce3d040304': { keyType: 'ec', hash: 'sha512' },
  '2b6570': { keyType: 'ed25519' },
}
const rsaPss = '2a864886f70d01010a'
const hashes: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}

function algorithmOf({ content }: DerElement): Algorithm | undefined {
  const [type, parameters] = new DerReader(content).rest()
  const identifier = objectId(type)
  if (identifier !== rsaPss) return algorithms[identifier]
  if (parameters === undefined) return undefined
  // The parameters (RFC 4055, 3.1) begin with the hash's AlgorithmIdentifier, explicitly tagged.
  const tagged = new DerReader(parameters.content).next()
  const hashAlgorithm = new DerReader(tagged.content).next()
  const hash = hashes[objectId(new DerReader(hashAlgorithm.content).next())]
  return hash === undefined ? undefined : { keyType: 'rsa', hash, isPss: true }
}

/** In hexadecimal; '' for other values. */
function objectId(element: DerElement | undefined): string {
  return element?.tag === derTags.objectIdentifier ? Buffer.from(element.content).toString('hex') : ''
}
