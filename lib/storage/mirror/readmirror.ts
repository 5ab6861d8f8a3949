import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parseJsonText } from '../../object/index.ts'
import { refuseShared } from './folder.ts'
import {
  decodeFooter,
  footerLengthOf,
  type MirrorFooter,
  type MirrorPart,
  type MirrorSection,
  partsOf,
  trailerBytes,
} from './footer.ts'
import { readAt, readParts } from './readparts.ts'
import { SectionTable } from './sectionindex.ts'

export interface ReadMirror {
  readonly footer: MirrorFooter
  readonly sections: ReadonlyMap<string, ReadSection>
}

export interface ReadSection {
  readonly isSealed: boolean
  readonly table: SectionTable
}

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
    return isWanted(footer) ? { footer, sections: await readSections(file, footer.sections) } : undefined
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

async function readSections(
  file: FileHandle,
  sections: readonly MirrorSection[],
): Promise<ReadonlyMap<string, ReadSection>> {
  const read = await readParts(file, sections.flatMap(partsOf))
  const bytesOf = (part: MirrorPart): Buffer => read.get(part) ?? Buffer.alloc(0)
  return new Map(
    sections.map((section) => {
      // The checksum is that of texts of this format.
      const texts = parseJsonText(bytesOf(section.texts).toString()) as string[][]
      const bytes = { blocks: section.blocks.map(bytesOf), index: bytesOf(section.index), texts }
      return [section.prefix, { isSealed: section.isSealed, table: new SectionTable(section, bytes) }]
    }),
  )
}
