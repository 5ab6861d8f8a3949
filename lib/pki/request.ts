import { DerError, DerReader, derTags } from './derreader.ts'

/** The contents of a certificate signing request. */
interface SigningRequest {
  /** The last one where there are several; '' for none. */
  readonly commonName: string
  /** In the order of the request. */
  readonly organizations: readonly string[]
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
}

/** Reads a PEM certificate signing request (RFC 2986). Throws an Error for what is none; the signature is not looked at. */
export function readSigningRequest(pem: string): SigningRequest {
  const match = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END/.exec(pem)
  if (!match) throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const request = new DerReader(Buffer.from(match[1] ?? '', 'base64')).enter(derTags.sequence)
  const info = request.enter(derTags.sequence)
  info.next(derTags.integer) // version
  const name = info.enter(derTags.sequence)
  let commonName = ''
  const organizations: string[] = []
  while (name.more) {
    const attributes = name.enter(derTags.set)
    while (attributes.more) {
      const attribute = attributes.enter(derTags.sequence)
      const type = attribute.next(derTags.objectIdentifier).content
      const value = readText(attribute)
      if (commonNameType.equals(type)) commonName = value
      else if (organizationType.equals(type)) organizations.push(value)
    }
  }
  return { commonName, organizations, publicKey: info.next(derTags.sequence).whole }
}

/** 2.5.4.3 */
const commonNameType = Buffer.from([0x55, 0x04, 0x03])
/** 2.5.4.10 */
const organizationType = Buffer.from([0x55, 0x04, 0x0a])

/** A string of any type; BMPString is the one that is not written as ASCII or UTF-8. */
function readText(reader: DerReader): string {
  const { tag, content } = reader.next()
  const bytes = Buffer.from(content)
  if (tag !== derTags.bmpString) return bytes.toString('utf8')
  if (bytes.length % 2 === 1) throw new DerError('malformed DER: half a character')
  return bytes.swap16().toString('utf16le')
}
