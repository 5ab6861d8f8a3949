import { type FileHandle, link, open, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { reasonOf, StoreToolError } from '../contract.ts'

/**
 * Writes a file atomically: it has another name until it is on the disk. Readable by its owner alone. Rejects with
 * StoreToolError, and leaves nothing, when the file exists already.
 */
export async function writeNewFile<Result>(
  path: string,
  work: (write: (chunk: Uint8Array) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const partial = `${path}.partial`
  const file = await create(partial, path)
  try {
    const result = await work(async (chunk) => {
      await writeAll(file, chunk)
    })
    await file.sync()
    await file.close()
    await named(partial, path)
    return result
  } finally {
    await file.close().catch(() => {})
    await rm(partial, { force: true })
  }
}

async function create(partial: string, path: string): Promise<FileHandle> {
  const existing = await open(path, 'r').catch(() => undefined)
  await existing?.close()
  if (existing) throw new StoreToolError(`${path} exists already: it is not overwritten`)
  try {
    return await open(partial, 'wx', 0o600)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = isThere
      ? 'it exists already: another snapshot is being written, or was aborted; in this case remove it'
      : reasonOf(error)
    throw new StoreToolError(`${partial} can't be written: ${why}`, { cause: error })
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten
  } catch (error) {
    throw new StoreToolError(`the file can't be written: ${reasonOf(error)}`, { cause: error })
  }
}

/** Unlike a rename, a link is refused when the name exists. */
async function named(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
    const folder = await open(dirname(resolve(path)), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    throw new StoreToolError(`${path} can't be written: ${reasonOf(error)}`, { cause: error })
  }
}
