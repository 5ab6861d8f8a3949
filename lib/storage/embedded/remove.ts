import { rm } from 'node:fs/promises'
import type { Random } from '../../base/index.ts'
import { openLmdbEnvironment } from './environment.ts'

/**
 * Removes the folder of a store. Rejects with StoreError `internal`, and leaves the folder as it is, when it is in use.
 */
export async function removeEmbeddedStore({ random }: { readonly random: Random }, directory: string): Promise<void> {
  const environment = await openLmdbEnvironment(directory, random.uuid())
  await environment.close()
  await rm(directory, { recursive: true })
}
