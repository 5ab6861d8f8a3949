// Archives of tar (POSIX.1-2017, pax, "ustar Interchange Format"; GNU's entries for long names).

const blockBytes = 512
/** Bytes of a name in a header; longer ones have an entry of their own. */
const nameBytesMax = 100
/** Bytes of an entry that holds the name of the next one. */
const longNameBytesMax = 64 * 1024

/** An archive that can't be read; the message is for the user. */
export class BadArchive extends Error {}

export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly bytes: number
}

/** The header of an entry, whose content and `paddingAfter` follow. */
export function archiveHeader({ name, kind, bytes }: ArchiveEntry, modifiedMs: number): Uint8Array {
  const encoded = Buffer.from(name)
  if (encoded.length <= nameBytesMax) return header(encoded, kind === 'folder' ? '5' : '0', bytes, modifiedMs)
  const content = Buffer.concat([encoded, Buffer.of(0)])
  return Buffer.concat([
    header(Buffer.from('././@LongLink'), 'L', content.length, modifiedMs),
    content,
    paddingAfter(content.length),
    header(encoded.subarray(0, nameBytesMax), kind === 'folder' ? '5' : '0', bytes, modifiedMs),
  ])
}

/** Fills the last block of a content. */
export function paddingAfter(bytes: number): Uint8Array {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)
}

export const archiveEnd: Uint8Array = Buffer.alloc(2 * blockBytes)

function header(name: Uint8Array, type: string, bytes: number, modifiedMs: number): Uint8Array {
  const block = Buffer.alloc(blockBytes)
  const put = (at: number, text: string): void => void block.write(text, at, 'latin1')
  const octal = (value: number, digits: number): string => `${Math.floor(value).toString(8).padStart(digits, '0')}\0`
  block.set(name)
  put(100, octal(type === '5' ? 0o755 : 0o644, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(bytes, 11))
  put(136, octal(modifiedMs / 1000, 11))
  put(156, type)
  put(257, 'ustar\x0000')
  put(148, `${checksumOf(block).toString(8).padStart(6, '0')}\0 `)
  return block
}

/** Reads the entries of an archive, chunk by chunk. After each entry its content is read, or skipped by the next one. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = Buffer.alloc(0)
  /** Bytes of the current entry's content and padding that were not read. */
  #contentBytes = 0
  #paddingBytes = 0

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#chunks = input[Symbol.asyncIterator]()
  }

  /** Undefined at the end. Throws BadArchive. */
  async next(): Promise<ArchiveEntry | undefined> {
    let longName: string | undefined
    for (;;) {
      await this.#skip(this.#contentBytes + this.#paddingBytes)
      const block = await this.#read(blockBytes)
      // The end, after which writers may fill a record.
      if (block.every((byte) => byte === 0)) return await this.#drain()
      const { name, type, bytes } = headerOf(block)
      this.#contentBytes = bytes
      this.#paddingBytes = paddingAfter(bytes).length
      if (type === 'L' || type === 'x' || type === 'K' || type === 'g') {
        if (bytes > longNameBytesMax) throw new BadArchive('a name in the archive is too long')
        const text = Buffer.from(await this.content(bytes)).toString()
        if (type === 'L') longName = text.replace(/\0.*$/s, '')
        if (type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName
        continue
      }
      const kind = type === '5' ? 'folder' : type === '0' || type === '\0' || type === '7' ? 'file' : 'other'
      return { name: longName ?? name, kind, bytes }
    }
  }

  /** The content of the current entry, which has that many bytes. Throws BadArchive. */
  async content(bytes: number): Promise<Uint8Array> {
    const read = await this.#read(bytes)
    this.#contentBytes -= bytes
    return read
  }

  async #read(bytes: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    let missing = bytes
    for (;;) {
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
      if (missing === 0) return Buffer.concat(parts)
      await this.#fill()
    }
  }

  async #skip(bytes: number): Promise<void> {
    let missing = bytes
    for (;;) {
      const skipped = Math.min(missing, this.#rest.length)
      this.#rest = this.#rest.subarray(skipped)
      missing -= skipped
      if (missing === 0) return
      await this.#fill()
    }
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done === true) throw new BadArchive('Unexpected EOF in archive')
    this.#rest = value
  }

  async #drain(): Promise<undefined> {
    while ((await this.#chunks.next()).done !== true);
  }
}

function headerOf(block: Uint8Array): { name: string; type: string; bytes: number } {
  if (octalOf(block.subarray(148, 156)) !== checksumOf(block))
    throw new BadArchive('This does not look like a tar archive')
  const isUstar = textOf(block.subarray(257, 263)).startsWith('ustar')
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : ''
  const name = textOf(block.subarray(0, nameBytesMax))
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156] ?? 0),
    bytes: octalOf(block.subarray(124, 136)),
  }
}

/** The sum of a header's bytes, its own field taken as spaces. */
function checksumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

/** Sizes in base 256, of 8 GiB and more, are no octal numbers. */
function octalOf(field: Uint8Array): number {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(Buffer.from(field).toString('latin1'))?.[1]
  if (digits === undefined) throw new BadArchive('This does not look like a tar archive')
  return Number.parseInt(digits, 8)
}

function textOf(field: Uint8Array): string {
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString()
}
