import { createPublicKey, type KeyObject } from 'node:crypto'
import { type AlternativeNames, readAlternativeNames } from './alternativenames.ts'
import { DerError, DerReader, derTags } from './derreader.ts'
import { PemError, readOnlyBlock } from './pem.ts'
import { type RequestedSubject, readRequestedSubject } from './requestsubject.ts'
import { signatureFinding } from './signature.ts'

/** A certificate signing request, for admission, approvers and signers. */
export interface SigningRequest extends AlternativeNames {
  readonly subject: RequestedSubject
  /** The last one if there are several; '' for none. */
  readonly commonName: string
  /** In the order of the request. */
  readonly organizations: readonly string[]
  /** undefined: its type or curve is not supported. */
  readonly publicKey: KeyObject | undefined
  /** The error of the request's own signature, which proves possession of the key; '' when it is valid. */
  signatureFinding(): string
}

/** An unreadable request; the message has the words of stock servers. */
export class SigningRequestError extends Error {
  override readonly name = 'SigningRequestError'
}

/**
 * Reads a PEM certificate signing request (RFC 2986). Admission checks the result, and signers sign nothing else: there
 * is no other reader of requests. Throws a SigningRequestError; the signature is not checked.
 */
export function readSigningRequest(pem: string): SigningRequest {
  try {
    return parse(readOnlyBlock(pem, 'CERTIFICATE REQUEST'))
  } catch (cause) {
    if (cause instanceof PemError) throw new SigningRequestError(cause.message, { cause })
    if (cause instanceof DerError)
      throw new SigningRequestError('asn1: structure error: not a certification request', { cause })
    throw cause
  }
}

function parse(bytes: Uint8Array): SigningRequest {
  const reader = new DerReader(bytes)
  const request = reader.enter(derTags.sequence)
  if (reader.more) throw new SigningRequestError('asn1: syntax error: trailing data')
  const info = request.next(derTags.sequence)
  const algorithm = request.next(derTags.sequence)
  const signature = request.next(derTags.bitString)
  const members = new DerReader(info.content)
  members.next(derTags.integer) // version
  const subject = readRequestedSubject(members.enter(derTags.sequence))
  const publicKey = readKey(members.next(derTags.sequence).whole)
  const attributes = members.more ? members.enter(derTags.attributes) : new DerReader(new Uint8Array())
  const alternatives = readAlternativeNames(requestedExtensions(attributes).get(subjectAltName))
  if (members.more || request.more) throw new DerError('malformed DER: a request with further members')
  return {
    ...alternatives,
    subject,
    commonName: subject.commonName[0] ?? '',
    organizations: subject.organization,
    publicKey,
    signatureFinding() {
      if (!publicKey) return 'x509: unsupported or malformed public key'
      if (signature.content[0] !== 0) return 'asn1: structure error: a signature of incomplete bytes'
      return signatureFinding({ algorithm, signed: info.whole, signature: signature.content.subarray(1), publicKey })
    },
  }
}

/** Object identifiers, in hexadecimal. */
const extensionRequest = '2a864886f70d01090e'
const subjectAltName = '551d11'

/** Values of the requested extensions, by object identifier. */
function requestedExtensions(attributes: DerReader): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  while (attributes.more) {
    const attribute = attributes.enter(derTags.sequence)
    const type = hexOf(attribute.next(derTags.objectIdentifier).content)
    const values = attribute.enter(derTags.set)
    if (type !== extensionRequest || !values.more) continue
    const extensions = values.enter(derTags.sequence)
    while (extensions.more) {
      const extension = extensions.enter(derTags.sequence)
      const name = hexOf(extension.next(derTags.objectIdentifier).content)
      let value = extension.next()
      if (value.tag === derTags.boolean) value = extension.next()
      if (value.tag !== derTags.octetString || extension.more) throw new DerError('malformed DER: not an extension')
      if (found.has(name))
        throw new SigningRequestError('x509: certificate request contains duplicate requested extensions')
      found.set(name, value.content)
    }
  }
  return found
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

const curves = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1'])

function readKey(spki: Uint8Array): KeyObject | undefined {
  let key: KeyObject
  try {
    key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  // A curve with explicit parameters has no name.
  const isKnown = type === 'rsa' || type === 'ed25519' || (type === 'ec' && curves.has(details?.namedCurve ?? ''))
  return isKnown ? key : undefined
}
