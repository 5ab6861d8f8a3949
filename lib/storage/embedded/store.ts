import type { Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import { type Store, StoreError } from '../contract.ts'
import type { DataEncryptionKeys } from '../dataencryption/keys.ts'
import { LocalStore, type LocalStoreDependencies } from '../local/store.ts'
import { openTables } from './opentables.ts'

interface EmbeddedStoreDependencies extends LocalStoreDependencies {
  random: Random
  /**
   * Called once, with the first error of a damaged data file; operations on the damaged part are refused with it, too.
   */
  onDamage?: ((error: StoreError) => void) | undefined
}

interface EmbeddedStoreOptions {
  /** Created when it doesn't exist. One store at a time may use it. */
  directory: string
  /** Roughly how long history is kept; default 5 minutes, 0: forever. */
  compactionIntervalMs?: number
  /** Encrypts everything in the folder, keys included. Refused for an existing folder that isn't encrypted. */
  encryptionKeys?: DataEncryptionKeys | undefined
}

/** A store on a folder. */
export interface EmbeddedStore extends Store {
  /** Makes `to` the newest revision, unless there are newer ones. No revision in between can be read. */
  raiseRevision(to: Revision): Promise<void>
}

/**
 * A durable Store in a folder of this machine. Rejects with StoreError `internal` when the folder is in use or can't be
 * used.
 */
export async function createEmbeddedStore(
  dependencies: EmbeddedStoreDependencies,
  options: EmbeddedStoreOptions,
): Promise<EmbeddedStore> {
  if (options.directory === '') throw new StoreError('internal', 'the data folder has no name')
  const { directory, encryptionKeys: keys } = options
  const tables = await openTables(dependencies, { directory, keys, onDamage: dependencies.onDamage })
  const compactionIntervalMs = options.compactionIntervalMs ?? 5 * 60_000
  return new LocalStore('embedded', dependencies, tables, { compactionIntervalMs, isCostly: true })
}
