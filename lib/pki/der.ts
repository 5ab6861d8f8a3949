/** Writers of the few ASN.1 types in a certificate, in DER (X.690). */
export const der = {
  sequence: (...parts: Uint8Array[]): Buffer => tagged(0x30, ...parts),
  set: (...parts: Uint8Array[]): Buffer => tagged(0x31, ...parts),
  /** A positive integer of big-endian bytes. */
  integer(bytes: Uint8Array): Buffer {
    let start = 0
    while (start < bytes.length - 1 && bytes[start] === 0) start++
    const digits = bytes.subarray(start)
    return tagged(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits)
  },
  boolean: (value: boolean): Buffer => tagged(0x01, Buffer.of(value ? 0xff : 0)),
  octets: (bytes: Uint8Array): Buffer => tagged(0x04, bytes),
  bits: (bytes: Uint8Array, unusedBits = 0): Buffer => tagged(0x03, Buffer.of(unusedBits), bytes),
  utf8: (text: string): Buffer => tagged(0x0c, Buffer.from(text)),
  printable: (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1')),
  objectId,
  time,
  /** Context-specific, constructed. */
  explicit: (tag: number, ...parts: Uint8Array[]): Buffer => tagged(0xa0 | tag, ...parts),
  /** Context-specific, primitive: IMPLICIT of a string type. */
  implicit: (tag: number, bytes: Uint8Array): Buffer => tagged(0x80 | tag, bytes),
} as const

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  if (body.length < 0x80) length.push(body.length)
  else {
    for (let rest = body.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff)
    length.unshift(0x80 | length.length)
  }
  return Buffer.concat([Buffer.of(tag, ...length), body])
}

/** `1.2.840.10045.2.1`: the first two arcs share a byte, the others are in groups of seven bits. */
function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const groups = [arc & 0x7f]
    for (let high = Math.floor(arc / 128); high > 0; high = Math.floor(high / 128)) groups.unshift((high & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return tagged(0x06, Buffer.from(bytes))
}

/** To the second; UTCTime up to 2049, GeneralizedTime after, as RFC 5280 (4.1.2.5) requires. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+Z$|[-:T]/g, '')
  const isFar = Number(digits.slice(0, 4)) > 2049
  return tagged(isFar ? 0x18 : 0x17, Buffer.from(`${isFar ? digits : digits.slice(2)}Z`, 'latin1'))
}
