import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../lib/controlplane/index.ts'
import { FlagError } from '../../lib/flags/index.ts'

/** The text of the file that a flag names; undefined where it names none. Rejects with FlagError. */
export async function readOptional(flag: string, path: string): Promise<string | undefined> {
  if (path === '') return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FlagError(`--${flag}: can't read ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Names the flag in what `read` throws. */
export function about<Result>(flag: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new FlagError(`--${flag}: ${reasonOf(error)}`, { cause: error })
  }
}
