import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { noRevision, type Revision } from '../../object/index.ts'
import { createEmbeddedStore, type DataEncryptionKeys, defragmentEmbeddedStore } from '../../storage/index.ts'
import { reasonOf, StoreToolError } from '../contract.ts'
import type { EtcdDependencies } from '../etcd/reader.ts'

/** Makes `asked` (0: the newest revision) the oldest readable one. Refused while a server has the store open. */
export async function compactFolder(
  dependencies: EtcdDependencies,
  directory: string,
  asked: Revision,
  encryptionKeys?: DataEncryptionKeys,
): Promise<Revision> {
  if (!existsSync(join(directory, 'data.mdb'))) throw new StoreToolError(`there is no store in ${directory}`)
  try {
    const store = await createEmbeddedStore(dependencies, { directory, compactionIntervalMs: 0, encryptionKeys })
    try {
      const revision = asked === noRevision ? await store.currentRevision() : asked
      await store.compact(revision)
      return revision
    } finally {
      await store.close()
    }
  } catch (error) {
    throw new StoreToolError(`${reasonOf(error)}`, { cause: error })
  }
}

/** Rejects with StoreToolError, and leaves the folder as it is, while a server has the store open. */
export async function defragmentFolder(
  dependencies: EtcdDependencies,
  directory: string,
): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number }> {
  try {
    return await defragmentEmbeddedStore(dependencies, directory)
  } catch (error) {
    throw new StoreToolError(reasonOf(error), { cause: error })
  }
}
