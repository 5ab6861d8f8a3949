import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { type DataEncryptionKeys, parseDataEncryptionKeys } from '../../lib/storage/index.ts'

/** The text of a flag's file; undefined for an empty path. Rejects with FlagError. */
export async function readOptional(flag: string, path: string): Promise<string | undefined> {
  if (path === '') return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FlagError(`--${flag}: can't read ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Adds the flag's name to the errors of `read`. */
export function withFlagName<Result>(flag: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new FlagError(`--${flag}: ${reasonOf(error)}`, { cause: error })
  }
}

/** The keys in the file of --data-encryption-key-file; undefined for an empty path. Rejects with FlagError. */
export async function dataEncryptionKeys(path: string): Promise<DataEncryptionKeys | undefined> {
  const flag = 'data-encryption-key-file'
  const text = await readOptional(flag, path)
  if (text === undefined) return undefined
  return withFlagName(`${flag}: ${path}`, () => parseDataEncryptionKeys(text))
}
