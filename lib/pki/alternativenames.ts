import { der } from './der.ts'
import { DerError, DerReader, derTags } from './derreader.ts'
import { decodeAddress, encodeAddress } from './names.ts'

/** The alternative names of a subject, of the four types that signers know. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[]
  readonly emailAddresses: readonly string[]
  /** In canonical form. */
  readonly ipAddresses: readonly string[]
  readonly uris: readonly string[]
}

/** Context-specific tags of GeneralName (RFC 5280, 4.2.1.6). */
const tags = { email: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const

/** Reads the extension's value (DER); names of other types are dropped. Throws DerError. */
export function readAlternativeNames(value: Uint8Array | undefined): AlternativeNames {
  const found: Record<keyof AlternativeNames, string[]> = {
    dnsNames: [],
    emailAddresses: [],
    ipAddresses: [],
    uris: [],
  }
  if (value === undefined) return found
  const reader = new DerReader(value)
  const names = reader.enter(derTags.sequence)
  if (reader.more) throw new DerError('malformed DER: data after the alternative names')
  for (const { tag, content } of names.rest()) {
    if (tag === tags.dns) found.dnsNames.push(readName(content))
    else if (tag === tags.email) found.emailAddresses.push(readName(content))
    else if (tag === tags.uri) found.uris.push(readName(content))
    else if (tag === tags.address) found.ipAddresses.push(readAddress(content))
  }
  return found
}

/** The extension's value, in the order of stock signers; undefined without names. */
export function encodeAlternativeNames(names: AlternativeNames): Buffer | undefined {
  const texts = (tag: number, values: readonly string[]): Buffer[] =>
    values.map((value) => der.implicit(tag & 0x1f, Buffer.from(value, 'latin1')))
  const parts = [
    ...texts(tags.dns, names.dnsNames),
    ...texts(tags.email, names.emailAddresses),
    ...names.ipAddresses.map((address) => der.implicit(tags.address & 0x1f, encodeAddress(address))),
    ...texts(tags.uri, names.uris),
  ]
  return parts.length === 0 ? undefined : der.sequence(...parts)
}

/** Printable ASCII: readers of the certificate may print or compare it as text. */
function readName(content: Uint8Array): string {
  const text = Buffer.from(content).toString('latin1')
  if (!/^[\x20-\x7e]*$/.test(text))
    throw new DerError('malformed DER: an alternative name with other characters than ASCII')
  return text
}

/** An IPv4 address in IPv6 form (::ffff:10.0.0.1) is the IPv4 address. */
function readAddress(content: Uint8Array): string {
  if (content.length !== 4 && content.length !== 16)
    throw new DerError(`malformed DER: an address of ${content.length} bytes`)
  const bytes = Buffer.from(content)
  return decodeAddress(bytes.length === 16 && bytes.subarray(0, 12).equals(mapped) ? bytes.subarray(12) : bytes)
}

const mapped = Buffer.from('00000000000000000000ffff', 'hex')
