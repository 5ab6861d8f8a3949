// Header compression of HTTP/2 (RFC 7541), as far as a client needs it that allows its peer no dynamic table: such a block
// means the same whenever it comes.

/** The static table's names (appendix A), and its values where it has them. */
const staticTable: readonly (readonly [string, string])[] = [
  ['', ''],
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((status) => [':status', status] as const),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...(
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control ' +
    'content-disposition content-encoding content-language content-length content-location content-range content-type ' +
    'cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since ' +
    'last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after ' +
    'server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate'
  )
    .split(' ')
    .map((name) => [name, ''] as const),
]

/**
 * The Huffman code (appendix B) of printable ASCII, the only characters that a header may hold here: those of each length
 * in order. Codes of a length follow each other, and those of the next length follow the last one with zeros appended.
 */
const huffmanLengths: readonly (readonly [bits: number, characters: string])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\0$@[]~'],
  [14, '^}'],
  [15, '<`{'],
  [19, '\\'],
]

/** Characters by their code with a one before it. */
const huffmanCodes: ReadonlyMap<number, string> = buildHuffmanCodes()

function buildHuffmanCodes(): Map<number, string> {
  const codes = new Map<number, string>()
  let next = 0
  let nextBits = 5
  for (const [bits, characters] of huffmanLengths) {
    next <<= bits - nextBits
    nextBits = bits
    for (const character of characters) codes.set((1 << bits) | next++, character)
  }
  return codes
}

/** Headers as literals that leave nothing behind in the peer's table; may be sent again and again. */
export function encodeHeaders(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.of(0), encodeText(name), encodeText(value)]))
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const length = [Math.min(bytes.length, 127)]
  if (bytes.length >= 127) {
    let rest = bytes.length - 127
    for (; rest >= 128; rest >>>= 7) length.push((rest & 127) | 128)
    length.push(rest)
  }
  return Buffer.concat([Buffer.from(length), bytes])
}

/** Throws RangeError for a block that is none, or that needs a dynamic table. */
export function decodeHeaders(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  let at = 0

  function integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1
    let value = byte() & most
    if (value < most) return value
    for (let scale = 1; ; scale *= 128) {
      const next = byte()
      value += (next & 127) * scale
      if (next < 128) return value
      if (scale > 1 << 28) throw new RangeError('hpack: an integer is too long')
    }
  }

  function byte(): number {
    const value = block[at++]
    if (value === undefined) throw new RangeError('hpack: a block is cut short')
    return value
  }

  function text(): string {
    const compressed = ((block[at] ?? 0) & 128) !== 0
    const length = integer(7)
    const bytes = block.subarray(at, at + length)
    if (bytes.length < length) throw new RangeError('hpack: a text is cut short')
    at += length
    return compressed ? decodeHuffman(bytes) : bytes.toString('latin1')
  }

  function entry(index: number): readonly [string, string] {
    const found = index > 0 ? staticTable[index] : undefined
    if (!found) throw new RangeError(`hpack: no entry ${index}`)
    return found
  }

  while (at < block.length) {
    const first = block[at] ?? 0
    if ((first & 0xe0) === 0x20) integer(5)
    else if ((first & 0x80) !== 0) headers.set(...entry(integer(7)))
    else {
      const index = integer((first & 0x40) !== 0 ? 6 : 4)
      const name = index > 0 ? entry(index)[0] : text()
      headers.set(name, text())
    }
  }
  return headers
}

function decodeHuffman(bytes: Buffer): string {
  let decoded = ''
  let code = 1
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      code = (code << 1) | ((byte >>> bit) & 1)
      const character = huffmanCodes.get(code)
      if (character !== undefined) {
        decoded += character
        code = 1
      } else if (code >= 1 << 20) throw new RangeError('hpack: an unknown character')
    }
  // What is left is padding: the beginning of a code of ones.
  if (code > 255 || (code & (code + 1)) !== 0) throw new RangeError('hpack: bad padding')
  return decoded
}
