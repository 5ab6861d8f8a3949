import type { X509Certificate } from 'node:crypto'
import { type AlternativeNames, readAlternativeNames } from './alternativenames.ts'
import { DerReader, derTags } from './derreader.ts'

/** Object identifier of the extension subjectAltName, in hexadecimal. */
const subjectAltName = '551d11'
/** Tag of the extensions in a certificate's body (RFC 5280, 4.1). */
const extensionsTag = 0xa3

/** The alternative names of a certificate's subject. Throws DerError for malformed ones. */
export function alternativeNamesOf({ raw }: X509Certificate): AlternativeNames {
  const body = new DerReader(raw).enter(derTags.sequence).enter(derTags.sequence)
  while (body.more) {
    const member = body.next()
    if (member.tag !== extensionsTag) continue
    const extensions = new DerReader(member.content).enter(derTags.sequence)
    while (extensions.more) {
      const extension = extensions.enter(derTags.sequence)
      const name = Buffer.from(extension.next(derTags.objectIdentifier).content).toString('hex')
      if (name !== subjectAltName) continue
      let value = extension.next()
      if (value.tag === derTags.boolean) value = extension.next()
      return readAlternativeNames(value.content)
    }
  }
  return readAlternativeNames(undefined)
}
