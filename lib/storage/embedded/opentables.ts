import type { Clock, Logger, Random } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import {
  createFileDataKey,
  type DataEncryptionKeys,
  type FileDataKey,
  openDataKey,
  rewrapDataKey,
} from '../dataencryption/keys.ts'
import { createRecordCipher } from '../dataencryption/recordcipher.ts'
import type { Tables } from '../local/tables.ts'
import { openEncryptedTables } from './encryptedtables.ts'
import { type LmdbEnvironment, openingError, openLmdbEnvironment } from './environment.ts'
import { createPlainTables } from './plaintables.ts'
import { encodeNumber } from './record.ts'

export const formats = { plain: 1, encrypted: 2 } as const
/** The entry of the table `meta` that holds the wrapped data key. */
export const dataKeyName = 'data-key'

interface OpenTablesOptions {
  readonly directory: string
  /** A new folder is encrypted exactly when there are keys. An existing folder must match. */
  readonly keys?: DataEncryptionKeys | undefined
  readonly onDamage?: ((error: StoreError) => void) | undefined
}

/** The tables in a folder, which is created when it is missing. Throws StoreError when it can't be used. */
export async function openTables(
  dependencies: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  { directory, keys, onDamage }: OpenTablesOptions,
): Promise<Tables> {
  const { clock, random } = dependencies
  const environment = await openLmdbEnvironment(directory, random.uuid(), onDamage)
  try {
    if (environment.number('format') === 0) begin(environment, keys, random)
    const format = environment.number('format')
    if (format > formats.encrypted)
      throw new StoreError('internal', `the data folder has format ${format}, made by a later release`)
    if (format === formats.plain) {
      if (keys) throw new StoreError('internal', 'the data folder is not encrypted, and data encryption keys are given')
      return createPlainTables(environment)
    }
    const { secret } = currentDataKey(environment, keys, dependencies)
    return await openEncryptedTables(environment, createRecordCipher(secret, random), clock)
  } catch (error) {
    await environment.close()
    throw openingError(directory, error)
  }
}

function begin(environment: LmdbEnvironment, keys: DataEncryptionKeys | undefined, random: Random): void {
  const first = encodeNumber(1)
  const numbers = { revision: first, compacted: first, swept: first }
  environment.setNow(
    keys
      ? { ...numbers, format: encodeNumber(formats.encrypted), [dataKeyName]: createFileDataKey(keys, random).wrapped }
      : { ...numbers, format: encodeNumber(formats.plain) },
  )
}

/** The folder's data key. If an older key of the operator wrapped it, it is wrapped again with the first key. */
function currentDataKey(
  environment: LmdbEnvironment,
  keys: DataEncryptionKeys | undefined,
  { random, log }: { readonly random: Random; readonly log: Logger },
): FileDataKey {
  const opened = openStoredDataKey(environment.bytes(dataKeyName), keys)
  if (opened.isCurrent || !keys) return opened
  const rewrapped = rewrapDataKey(keys, opened, random)
  environment.setNow({ [dataKeyName]: rewrapped.wrapped })
  log.info('the embedded store is encrypted with the first key of the file now')
  return rewrapped
}

/** Throws StoreError `internal` when the folder is encrypted and no key opens its data key. */
export function openStoredDataKey(wrapped: Uint8Array | undefined, keys: DataEncryptionKeys | undefined): FileDataKey {
  if (!keys) throw new StoreError('internal', 'the data folder is encrypted, and no data encryption key is given')
  if (!wrapped) throw new StoreError('internal', 'the data folder is encrypted, and has lost its data key')
  return openDataKey(keys, wrapped)
}
