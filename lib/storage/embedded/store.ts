import type { Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import { type Store, StoreError } from '../contract.ts'
import type { DataEncryptionKeys } from '../dataencryption/keys.ts'
import { LocalStore, type LocalStoreDependencies } from '../local/store.ts'
import { openTables } from './opentables.ts'

interface EmbeddedStoreDependencies extends LocalStoreDependencies {
  random: Random
  /**
   * Called once, with the first error about a damaged data file; operations that touch the damage are refused with it,
   * too.
   */
  onDamage?: ((error: StoreError) => void) | undefined
}

interface EmbeddedStoreOptions {
  /** Made when it doesn't exist. One store at a time may use it. */
  directory: string
  /** How long history is kept, roughly; default 5 minutes, 0: for good. */
  compactionIntervalMs?: number
  /** Everything in the folder is encrypted, keys included. Refused for a folder that is there and isn't. */
  encryptionKeys?: DataEncryptionKeys | undefined
}

/** A store in a folder. */
export interface EmbeddedStore extends Store {
  /** Makes `to` the newest revision, unless there are newer ones. Nothing else may be read at a revision in between. */
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
