import { der } from './der.ts'
import { type DerElement, DerError, type DerReader, derTags } from './derreader.ts'

/** The subject of a request: the attributes that a certificate takes over, in its order. */
export type RequestedSubject = Readonly<Record<SubjectField, readonly string[]>>

/** Attributes by their last arc below 2.5.4. A certificate has one common name and one serial number: the last. */
const fields = [
  { name: 'country', arc: 6, isSingle: false },
  { name: 'organization', arc: 10, isSingle: false },
  { name: 'organizationalUnit', arc: 11, isSingle: false },
  { name: 'locality', arc: 7, isSingle: false },
  { name: 'province', arc: 8, isSingle: false },
  { name: 'streetAddress', arc: 9, isSingle: false },
  { name: 'postalCode', arc: 17, isSingle: false },
  { name: 'commonName', arc: 3, isSingle: true },
  { name: 'serialNumber', arc: 5, isSingle: true },
] as const

type SubjectField = (typeof fields)[number]['name']

/** Reads a Name (RFC 5280, 4.1.2.4); attributes of other types are dropped. Throws DerError. */
export function readRequestedSubject(name: DerReader): RequestedSubject {
  const found = new Map<SubjectField, string[]>(fields.map((field) => [field.name, []]))
  while (name.more) {
    const attributes = name.enter(derTags.set)
    while (attributes.more) {
      const attribute = attributes.enter(derTags.sequence)
      const type = attribute.next(derTags.objectIdentifier).content
      const value = textOf(attribute.next())
      if (attribute.more) throw new DerError('malformed DER: an attribute of three members')
      const field = fields.find(({ arc }) => Buffer.of(0x55, 0x04, arc).equals(type))
      if (field !== undefined && value !== undefined) found.get(field.name)?.push(value)
    }
  }
  const of = (field: (typeof fields)[number]): readonly string[] => {
    const values = found.get(field.name) ?? []
    return field.isSingle ? values.slice(-1).filter((value) => value !== '') : values
  }
  return Object.fromEntries(fields.map((field) => [field.name, of(field)])) as RequestedSubject // one entry a field
}

/** The Name of a certificate for this subject, DER: all values of a type are one set, as stock signers write them. */
export function encodeRequestedSubject(subject: RequestedSubject): Buffer {
  return der.sequence(
    ...fields
      .filter(({ name }) => subject[name].length > 0)
      .map(({ name, arc }) => {
        const type = der.objectId(`2.5.4.${arc}`)
        const attributes = subject[name].map((value) => der.sequence(type, encodeText(value)))
        return der.set(...attributes.sort(Buffer.compare))
      }),
  )
}

const printable = /^[A-Za-z0-9 '()+,./:=?-]*$/

function encodeText(value: string): Buffer {
  return printable.test(value) ? der.printable(value) : der.utf8(value)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A string of one of the types that names use; undefined for other values. */
function textOf({ tag, content }: DerElement): string | undefined {
  switch (tag) {
    case derTags.utf8String:
    case derTags.t61String:
      return decodeUtf8(content)
    case derTags.printableString:
      return matching(content, /^[A-Za-z0-9 '()+,./:=?*&-]*$/)
    case derTags.numericString:
      return matching(content, /^[0-9 ]*$/)
    case derTags.ia5String:
      // biome-ignore lint/suspicious/noControlCharactersInRegex: IA5 is all of ASCII.
      return matching(content, /^[\0-\x7f]*$/)
    case derTags.bmpString:
      return decodeBmp(content)
    default:
      return undefined
  }
}

function decodeUtf8(content: Uint8Array): string {
  try {
    return utf8.decode(content)
  } catch (cause) {
    throw new DerError('malformed DER: a string is not UTF-8', { cause })
  }
}

function matching(content: Uint8Array, allowed: RegExp): string {
  const text = Buffer.from(content).toString('latin1')
  if (!allowed.test(text)) throw new DerError("malformed DER: a string has characters that its type doesn't have")
  return text
}

/** Two bytes a character; some encoders add a final zero. */
function decodeBmp(content: Uint8Array): string {
  if (content.length % 2 === 1) throw new DerError('malformed DER: half a character')
  const text = Buffer.from(content).swap16().toString('utf16le').toWellFormed()
  return text.endsWith('\0') ? text.slice(0, -1) : text
}
