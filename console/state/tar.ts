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
} from '../../lib/tar/index.ts'

/** An archive that is refused; the message is for the user. */
export class BadArchive extends Error {}

/** An archive beyond the maximum. */
export class TooLargeArchive extends BadArchive {
  constructor() {
    super('the archive is too large')
  }
}

/** Byte range of an archive. */
export interface TarRange {
  readonly start: number
  readonly end: number
}

/** What an archive holds, once it has been read to its end without a problem. */
export interface TarContents {
  /** The bytes of the only file; undefined: the archive is of a folder. */
  readonly file: TarRange | undefined
  /** The entries of files and folders, whole and in order; an archive of them ends with `tarEnd(0)`. */
  readonly kept: readonly TarRange[]
  /** Number of links and devices, which are left out, as `kubectl cp` does. */
  readonly leftOut: number
}

/** The header of one file. Throws BadArchive for a name that is none, or that is too long. */
export function tarHeader(name: string, size: number, modifiedMs: number): Uint8Array<ArrayBuffer> {
  const encoded = new TextEncoder().encode(name)
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
    throw new BadArchive('this is no name of a file')
  if (encoded.length > nameBytesMax)
    throw new BadArchive(`the name is longer than ${nameBytesMax} bytes: give the file a shorter one`)
  return writeHeader(encoded, { type: '0', bytes: size, modifiedMs })
}

/** The bytes behind a last file of this size: what fills its block, and the two empty blocks of the end. */
export function tarEnd(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(paddingOf(size) + 2 * blockBytes)
}

/**
 * Reads an archive of one file or folder, chunk by chunk, and refuses what `tar cf - NAME` does not make: names that
 * lead elsewhere, entries of something else, sums and sizes that are wrong. It keeps no content.
 */
export class TarReader {
  readonly #name: string
  readonly #bytesMax: number
  readonly #block = new Uint8Array(blockBytes)
  #filled = 0
  /** Position in the archive. */
  #at = 0
  /** Where the current entry begins, with its extended headers. */
  #entryAt = 0
  /** Bytes of content, padding included, that are still to come. */
  #content = 0
  #extension: { readonly type: string; readonly bytes: Uint8Array; filled: number } | undefined
  #longName: string | undefined
  #keeps = false
  #emptyBlocks = 0
  #file: TarRange | undefined
  readonly #kept: TarRange[] = []
  #entries = 0
  #leftOut = 0

  /** @param name the file or folder that the archive is of */
  constructor(name: string, bytesMax: number) {
    this.#name = name
    this.#bytesMax = bytesMax
  }

  /** Throws BadArchive; TooLargeArchive once a header promises more than the maximum. */
  add(chunk: Uint8Array): void {
    if (this.#at + chunk.length > this.#bytesMax) throw new TooLargeArchive()
    let at = 0
    while (at < chunk.length) {
      const length = Math.min(chunk.length - at, this.#content > 0 ? this.#content : blockBytes - this.#filled)
      const part = chunk.subarray(at, at + length)
      at += length
      this.#at += length
      if (this.#content > 0) this.#addContent(part)
      else this.#addHeader(part)
    }
  }

  /** Throws BadArchive where the archive is not complete. */
  end(): TarContents {
    if (this.#entries === 0 && this.#at === 0) throw new BadArchive('the container sent nothing')
    if (this.#content > 0 || this.#filled > 0 || this.#emptyBlocks === 0 || this.#longName !== undefined)
      throw new BadArchive('the archive ends too early')
    if (this.#entries === 0) throw new BadArchive('the archive is empty')
    return { file: this.#file, kept: this.#kept, leftOut: this.#leftOut }
  }

  #addContent(part: Uint8Array): void {
    this.#content -= part.length
    if (this.#extension) {
      const { bytes, filled } = this.#extension
      bytes.set(part.subarray(0, bytes.length - filled), filled)
      this.#extension.filled = Math.min(bytes.length, filled + part.length)
    }
    if (this.#content === 0) this.#endContent()
  }

  #addHeader(part: Uint8Array): void {
    this.#block.set(part, this.#filled)
    this.#filled += part.length
    if (this.#filled < blockBytes) return
    this.#filled = 0
    if (this.#block.every((byte) => byte === 0)) {
      this.#emptyBlocks++
      return
    }
    if (this.#emptyBlocks > 0) throw new BadArchive('the archive goes on behind its end')
    this.#begin(headerOf(this.#block))
  }

  #begin({ name, bytes: size, type }: TarHeader): void {
    if (this.#longName === undefined) this.#entryAt = this.#at - blockBytes
    this.#content = size + paddingOf(size)
    if (this.#at + this.#content > this.#bytesMax) throw new TooLargeArchive()
    if (type === 'x' || type === 'L' || type === 'K') {
      if (size === 0) throw new BadArchive('an extended header of the archive is empty')
      if (size > extensionBytesMax) throw new BadArchive('a name in the archive is too long')
      this.#longName ??= ''
      this.#extension = { type, bytes: new Uint8Array(size), filled: 0 }
      return
    }
    this.#check(this.#longName || name)
    this.#longName = undefined
    const isFile = type === '0' || type === '\0' || type === '7'
    if (!isFile && size > 0) throw new BadArchive('an entry that is no file has a size')
    if (this.#file) throw new BadArchive('the archive holds more than the file')
    if (!isFile && type !== '5' && !/[12346]/.test(type))
      throw new BadArchive(`the archive has an entry of an unknown type, ${JSON.stringify(type)}`)
    if (this.#entries === 0 && !isFile && type !== '5')
      throw new BadArchive('it is a link or a device: name the file that is meant')
    if (this.#entries === 0 && isFile) this.#file = { start: this.#at, end: this.#at + size }
    this.#entries++
    this.#keeps = isFile || type === '5'
    if (!this.#keeps) this.#leftOut++
    if (this.#content === 0) this.#endContent()
  }

  #endContent(): void {
    if (this.#extension) {
      const { type, bytes } = this.#extension
      this.#extension = undefined
      const name = type === 'L' ? textOf(bytes) : type === 'x' ? paxPath(bytes) : undefined
      if (name !== undefined) this.#longName = name
      return
    }
    if (!this.#keeps) return
    const last = this.#kept.at(-1)
    if (last?.end === this.#entryAt) this.#kept[this.#kept.length - 1] = { start: last.start, end: this.#at }
    else this.#kept.push({ start: this.#entryAt, end: this.#at })
  }

  #check(name: string): void {
    const path = name.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    const isInside = path === this.#name || path.startsWith(`${this.#name}/`)
    const isFirst = this.#entries === 0
    if (!isInside || path.split('/').includes('..') || (isFirst && path !== this.#name))
      throw new BadArchive(
        `the archive has an entry that is not of ${this.#name}: ${JSON.stringify(name.slice(0, 200))}`,
      )
  }
}

function headerOf(block: Uint8Array): TarHeader {
  const header = readHeader(block)
  if (typeof header !== 'string') return header
  // Sizes of 8 GiB and more, or negative ones, do not belong here.
  if (header === 'large') throw new TooLargeArchive()
  throw new BadArchive(
    header === 'sum' ? 'what the container sent is no archive' : 'the archive has a number that is none',
  )
}

/** The path of pax records. A size there would be another one than the header's. */
function paxPath(bytes: Uint8Array): string | undefined {
  const records = readRecords(bytes)
  if (!records) throw new BadArchive('an extended header of the archive is broken')
  if (records.has('size')) throw new TooLargeArchive()
  return records.get('path')
}
