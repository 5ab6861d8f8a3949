import type { Revision } from '../object/index.ts'
import { UnreadableObject } from '../storage/index.ts'

/** The result of `read` on a stored object. Throws UnreadableObject. */
export function readStored<Result>(
  { key, revision }: { readonly key: string; readonly revision: Revision },
  read: () => Result,
): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof UnreadableObject ? error : new UnreadableObject(key, revision, error)
  }
}
