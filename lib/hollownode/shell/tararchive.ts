import {
  blockBytes,
  extensionBytesMax,
  nameBytesMax,
  paddingOf,
  readHeader,
  readRecords,
  type TarHeader,
  textOf,
  writeHeader,
} from '../../tar/index.ts'

/** An archive that can't be read; the message is for the user. */
export class BadArchive extends Error {}

export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly bytes: number
}

/** The header of an entry, whose content and `paddingAfter` follow. A long name is an entry before it, as GNU's tar has it. */
export function archiveHeader({ name, kind, bytes }: ArchiveEntry, modifiedMs: number): Uint8Array {
  const encoded = Buffer.from(name)
  const about = { type: kind === 'folder' ? '5' : '0', bytes, modifiedMs }
  if (encoded.length <= nameBytesMax) return writeHeader(encoded, about)
  const content = Buffer.concat([encoded, Buffer.of(0)])
  return Buffer.concat([
    writeHeader(Buffer.from('././@LongLink'), { type: 'L', bytes: content.length, modifiedMs }),
    content,
    paddingAfter(content.length),
    writeHeader(encoded.subarray(0, nameBytesMax), about),
  ])
}

/** Fills the last block of a content. */
export function paddingAfter(bytes: number): Uint8Array {
  return Buffer.alloc(paddingOf(bytes))
}

export const archiveEnd: Uint8Array = Buffer.alloc(2 * blockBytes)

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
      this.#paddingBytes = paddingOf(bytes)
      if (type === 'L' || type === 'x' || type === 'K' || type === 'g') {
        if (bytes > extensionBytesMax) throw new BadArchive('a name in the archive is too long')
        const content = await this.content(bytes)
        if (type === 'L') longName = textOf(content)
        if (type === 'x') longName = recordsOf(content).get('path') ?? longName
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

function headerOf(block: Uint8Array): TarHeader {
  const header = readHeader(block)
  if (typeof header === 'string') throw new BadArchive('This does not look like a tar archive')
  return header
}

function recordsOf(content: Uint8Array): ReadonlyMap<string, string> {
  const records = readRecords(content)
  if (!records) throw new BadArchive('Malformed extended header')
  return records
}
