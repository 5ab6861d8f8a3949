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
  const request = new Reader(Buffer.from(match[1] ?? '', 'base64')).enter(sequence)
  const info = request.enter(sequence)
  info.read(integer) // version
  const name = info.enter(sequence)
  let commonName = ''
  const organizations: string[] = []
  while (name.more) {
    const attributes = name.enter(set)
    while (attributes.more) {
      const attribute = attributes.enter(sequence)
      const type = attribute.read(objectIdentifier)
      const value = attribute.readText()
      if (type.equals(commonNameType)) commonName = value
      else if (type.equals(organizationType)) organizations.push(value)
    }
  }
  return { commonName, organizations, publicKey: info.readWhole() }
}

const integer = 0x02
const objectIdentifier = 0x06
const sequence = 0x30
const set = 0x31
const wideString = 0x1e
/** 2.5.4.3 */
const commonNameType = Buffer.from([0x55, 0x04, 0x03])
/** 2.5.4.10 */
const organizationType = Buffer.from([0x55, 0x04, 0x0a])

/** Reads DER one value after the other. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get more(): boolean {
    return this.#at < this.#bytes.length
  }

  enter(tag: number): Reader {
    return new Reader(this.read(tag))
  }

  /** A string of any type; BMPString is the one that is not written as ASCII or UTF-8. */
  readText(): string {
    const isWide = this.#bytes[this.#at] === wideString
    const value = this.read()
    return isWide ? Buffer.from(value).swap16().toString('utf16le') : value.toString('utf8')
  }

  /** The next value with its tag and length. */
  readWhole(): Buffer {
    const start = this.#at
    this.read()
    return this.#bytes.subarray(start, this.#at)
  }

  read(tag?: number): Buffer {
    const found = this.#byte()
    if (tag !== undefined && found !== tag) throw new Error(`malformed request: tag ${found} in the place of ${tag}`)
    let length = this.#byte()
    if (length >= 0x80) {
      const octets = length & 0x7f
      if (octets === 0 || octets > 4) throw new Error('malformed request: a length is too long')
      length = 0
      for (let octet = 0; octet < octets; octet++) length = length * 256 + this.#byte()
    }
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Error('malformed request: a value is cut off')
    const value = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return value
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new Error('malformed request: it is cut off')
    return byte
  }
}
