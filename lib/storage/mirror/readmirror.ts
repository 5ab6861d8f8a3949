import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type MirrorValue, readBlock } from './block.ts'
import { refuseShared } from './folder.ts'
import { decodeFooter, footerLengthOf, type MirrorFooter, type MirrorSection, trailerBytes } from './footer.ts'

export interface ReadMirror {
  readonly footer: MirrorFooter
  /** All values of a prefix, in order of keys. Undefined: the mirror does not have the prefix. */
  valuesOf(prefix: string): readonly MirrorValue[] | undefined
}

const readsAtOnce = 4

/**
 * Reads a mirror; undefined: there is none. Values are parts of its blocks. `isWanted` is asked before the blocks are
 * read. Rejects with Error when the file is another user's, incomplete or damaged.
 */
export async function readMirror(
  path: string,
  isWanted: (footer: MirrorFooter) => boolean,
): Promise<ReadMirror | undefined> {
  const file = await openOwn(path)
  if (!file) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error('it is not a file')
    refuseShared(path, stat)
    const footer = await readFooter(file, stat.size)
    return isWanted(footer) ? { footer, ...(await readSections(file, footer.sections)) } : undefined
  } finally {
    await file.close()
  }
}

async function openOwn(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readFooter(file: FileHandle, fileBytes: number): Promise<MirrorFooter> {
  const trailer = await readAt(file, fileBytes - trailerBytes, trailerBytes)
  const length = footerLengthOf(trailer)
  const dataBytes = fileBytes - trailerBytes - length
  return decodeFooter(await readAt(file, dataBytes, length), trailer, dataBytes)
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  if (at < 0) throw new RangeError('it is cut short')
  const buffer = Buffer.allocUnsafeSlow(bytes)
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, at + done)
    if (bytesRead === 0) throw new RangeError('it is cut short')
    done += bytesRead
  }
  return buffer
}

async function readSections(
  file: FileHandle,
  sections: readonly MirrorSection[],
): Promise<Pick<ReadMirror, 'valuesOf'>> {
  const blocks = sections.flatMap(({ blocks }) => blocks)
  const read = new Map<number, Buffer>()
  let next = 0
  const readOnes = async (): Promise<void> => {
    for (let block = blocks[next++]; block; block = blocks[next++]) {
      const bytes = await readAt(file, block.at, block.bytes)
      if (crc32(bytes) !== block.crc) throw new RangeError(`the block at ${block.at} is damaged`)
      read.set(block.at, bytes)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readOnes))
  const byPrefix = new Map(sections.map((section) => [section.prefix, valuesOf(section, read)]))
  return { valuesOf: (prefix) => byPrefix.get(prefix) }
}

function valuesOf({ prefix, blocks }: MirrorSection, read: ReadonlyMap<number, Buffer>): MirrorValue[] {
  const values: MirrorValue[] = []
  for (const { at, bytes, count } of blocks) {
    const before = values.length
    readBlock(read.get(at) ?? Buffer.alloc(0), prefix, values)
    if (values.length - before !== count || bytes === 0) throw new RangeError(`the block at ${at} is damaged`)
  }
  return values
}
