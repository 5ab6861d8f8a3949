import { crc32 } from 'node:zlib'
import { parseJsonText, type Revision } from '../../object/index.ts'

/** A key that was created for one mirror alone: it proves that a store has the history up to its revision. */
export interface MirrorFence {
  readonly key: string
  readonly revision: Revision
}

export interface MirrorPart {
  readonly at: number
  readonly bytes: number
  readonly crc: number
}

/** All values of one prefix: blocks of values, then their index, then the texts of the columns as JSON. */
export interface MirrorSection {
  readonly prefix: string
  /** The values have the form of an encrypted store. */
  readonly isSealed: boolean
  /** Names of the texts that are saved with each value. */
  readonly columns: readonly string[]
  readonly blocks: readonly (MirrorPart & { readonly count: number })[]
  readonly index: MirrorPart
  readonly texts: MirrorPart
}

/** The last part of a mirror's file: what it holds, and of which store. */
export interface MirrorFooter {
  /** Version of the program that wrote it. */
  readonly program: string
  /** The store's cluster. */
  readonly cluster: string
  readonly revision: Revision
  readonly fence: MirrorFence
  readonly sections: readonly MirrorSection[]
}

/** Changes with every change of the format. */
const magic = Buffer.from('PHMIRR02')
/** Behind the footer: its length and checksum, and the magic bytes. */
export const trailerBytes = 4 + 4 + magic.length
/** Some 60 bytes for each block of a mebibyte, and some 50 for each resource. */
const footerBytesMax = 64 * 1024 * 1024

export function encodeFooter(footer: MirrorFooter): Buffer {
  const text = Buffer.from(JSON.stringify(footer))
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(text.length, 0)
  trailer.writeUInt32LE(crc32(text), 4)
  return Buffer.concat([text, trailer, magic])
}

/** The length of the footer before the trailer. Throws RangeError. */
export function footerLengthOf(trailer: Buffer): number {
  if (trailer.length !== trailerBytes || !trailer.subarray(8).equals(magic))
    throw new RangeError('it is not complete, or of another format')
  const length = trailer.readUInt32LE(0)
  if (length > footerBytesMax) throw new RangeError('its footer is too long')
  return length
}

/** Throws RangeError or SyntaxError for bytes that `encodeFooter` did not write. `dataBytes`: the length before it. */
export function decodeFooter(text: Buffer, trailer: Buffer, dataBytes: number): MirrorFooter {
  if (crc32(text) !== trailer.readUInt32LE(4)) throw new RangeError('its footer is damaged')
  // The checksum is that of a footer of this format.
  const footer = parseJsonText(text.toString()) as MirrorFooter
  let at = 0
  for (const part of footer.sections.flatMap(partsOf)) {
    if (part.at !== at) throw new RangeError('its parts are out of order')
    at += part.bytes
  }
  if (at !== dataBytes) throw new RangeError('it has another length than its parts')
  return footer
}

/** The parts of a section, in order. */
export function partsOf({ blocks, index, texts }: MirrorSection): readonly MirrorPart[] {
  return [...blocks, index, texts]
}
