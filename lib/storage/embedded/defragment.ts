import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { openLmdbEnvironment } from './environment.ts'

/**
 * Writes a store's data file again, without its free space; its history stays. Rejects with StoreError `internal`, and
 * leaves the file as it is, when there is no store or it is in use.
 */
export async function defragmentEmbeddedStore(
  { random }: { readonly random: Random },
  directory: string,
): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number }> {
  const path = join(directory, 'data.mdb')
  if (!existsSync(path)) throw new StoreError('internal', `there is no store in ${directory}`)
  const environment = await openLmdbEnvironment(directory, random.uuid())
  const folder = join(directory, 'defragmented')
  const copy = join(folder, 'data.mdb')
  try {
    const bytesBefore = (await stat(path)).size
    // Left by a defragmentation that was cut short.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    await environment.copyTo(folder)
    await synced(copy)
    const bytesAfter = (await stat(copy)).size
    // Both files name this process as the owner, so that no other process writes while one file replaces the other. The
    // lock file counts the transactions of the old file: it must be removed before the new one is opened.
    await rm(join(directory, 'lock.mdb'))
    await rename(copy, path)
    await synced(directory)
    return { bytesBefore, bytesAfter }
  } catch (error) {
    if (error instanceof StoreError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreError('internal', `${directory} can't be defragmented: ${reason}`, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await environment.close()
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
