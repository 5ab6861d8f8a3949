import { createPublicKey } from 'node:crypto'

/**
 * What is wrong with the DER of a certification request (RFC 2986); '' when nothing is. The signature is the signer's to
 * check: only the form and the public key are looked at.
 */
export function pkcs10Finding(der: Uint8Array): string {
  const request = readElement(der, 0)
  if (!request || request.tag !== sequence) return 'asn1: structure error: not a certification request'
  if (request.end !== der.length) return 'asn1: syntax error: trailing data'
  const [info, algorithm, signature] = children(der, request)
  if (info?.tag !== sequence || algorithm?.tag !== sequence || signature?.tag !== bitString)
    return 'asn1: structure error: not a certification request'
  const [version, subject, key] = children(der, info)
  if (version?.tag !== integer || subject?.tag !== sequence || key?.tag !== sequence)
    return 'asn1: structure error: not a certification request'
  try {
    createPublicKey({ key: Buffer.from(der.subarray(key.start, key.end)), format: 'der', type: 'spki' })
    return ''
  } catch {
    return 'x509: unsupported or malformed public key'
  }
}

const integer = 0x02
const bitString = 0x03
const sequence = 0x30

/** One DER element: it spans start..end, its content begins at `content`. */
interface Element {
  readonly tag: number
  readonly start: number
  readonly content: number
  readonly end: number
}

function readElement(bytes: Uint8Array, start: number): Element | undefined {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) return undefined
  let length = first
  let content = start + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) return undefined
    length = 0
    for (let index = 0; index < count; index++) length = length * 256 + (bytes[content + index] ?? 0)
    content += count
  }
  const end = content + length
  return end <= bytes.length ? { tag, start, content, end } : undefined
}

function children(bytes: Uint8Array, parent: Element): Element[] {
  const found: Element[] = []
  for (let at = parent.content; at < parent.end; ) {
    const child = readElement(bytes, at)
    if (!child || child.end > parent.end) return []
    found.push(child)
    at = child.end
  }
  return found
}
