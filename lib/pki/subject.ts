import type { X509Certificate } from 'node:crypto'

/** The subject of a client certificate. */
interface Subject {
  readonly commonName: string
  /** In the order of the certificate. */
  readonly organizations: readonly string[]
  /** Values of 1.3.6.1.4.1.57683.2, which holds a user's uid. */
  readonly uids: readonly string[]
}

const uidType = '1.3.6.1.4.1.57683.2'

/**
 * Reads the subject from its parsed form: Node's text form doesn't distinguish a line break in a value from the next
 * attribute.
 */
export function readSubject(certificate: X509Certificate): Subject {
  const { subject } = certificate.toLegacyObject()
  // Node's types say strings; an attribute that occurs several times is a list.
  const attributes = subject as Readonly<Record<string, string | readonly string[] | undefined>>
  const values = (name: string): readonly string[] => {
    const value = attributes[name]
    return value === undefined ? [] : typeof value === 'string' ? [value] : value
  }
  return { commonName: values('CN').at(-1) ?? '', organizations: values('O'), uids: values(uidType) }
}
