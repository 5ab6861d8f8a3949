import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { BlockWriter } from './block.ts'
import { unfinishedName } from './folder.ts'
import { encodeFooter, type MirrorFooter, type MirrorPart, type MirrorSection } from './footer.ts'
import { SectionIndexWriter } from './sectionindex.ts'
import type { MirrorValue } from './value.ts'

/** The values of one prefix in order of keys, a few at a time. */
export interface MirrorSource extends Pick<MirrorSection, 'prefix' | 'isSealed' | 'columns'> {
  values(): AsyncIterable<readonly MirrorValue[]> | Iterable<readonly MirrorValue[]>
}

/**
 * Writes a mirror in place of the one before, which remains until this one is complete. Each block is written before the
 * next is begun, so the event loop is held for a block at a time. Not synced: a file that a crash of the machine has torn
 * is found by its checksums. Rejects with the system's errors, and when the signal aborts.
 */
export async function writeMirror(
  { directory, name }: { readonly directory: string; readonly name: string },
  about: Omit<MirrorFooter, 'sections'>,
  sources: readonly MirrorSource[],
  signal: AbortSignal,
): Promise<{ readonly bytes: number }> {
  const path = join(directory, unfinishedName(name))
  await rm(path, { force: true })
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    const bytes = await writeAll(file, about, sources, signal)
    await file.close()
    await rename(path, join(directory, name))
    return { bytes }
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}

async function writeAll(
  file: FileHandle,
  about: Omit<MirrorFooter, 'sections'>,
  sources: readonly MirrorSource[],
  signal: AbortSignal,
): Promise<number> {
  const sections: MirrorSection[] = []
  let at = 0
  const append = async (bytes: Buffer): Promise<MirrorPart> => {
    signal.throwIfAborted()
    const part = { at, bytes: bytes.length, crc: crc32(bytes) }
    await write(file, bytes)
    at += bytes.length
    return part
  }
  for (const { prefix, isSealed, columns, values } of sources) {
    const blocks: (MirrorPart & { count: number })[] = []
    const writer = new BlockWriter()
    const section = new SectionIndexWriter(columns.length)
    const flush = async (): Promise<void> => {
      const { count } = writer
      if (count > 0) blocks.push({ ...(await append(writer.take())), count })
    }
    for await (const some of values())
      for (const value of some) {
        let end = writer.add(value.value)
        if (end === undefined) {
          await flush()
          end = writer.add(value.value) ?? 0
        }
        section.add(value, end)
      }
    await flush()
    const { index, texts } = section.finish()
    const parts = { index: await append(index), texts: await append(Buffer.from(JSON.stringify(texts))) }
    sections.push({ prefix, isSealed, columns, blocks, ...parts })
  }
  const footer = encodeFooter({ ...about, sections })
  await write(file, footer)
  return at + footer.length
}

async function write(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done)
    done += bytesWritten
  }
}
