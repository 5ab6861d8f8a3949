import type { Revision } from '../object/index.ts'
import { encryptedProblem, UnreadableObject } from '../storage/index.ts'

/** The result of `read` on a stored object. Throws UnreadableObject. */
export function readStored<Result>(
  of: { readonly key: string; readonly revision: Revision; readonly stored: Uint8Array },
  read: () => Result,
): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableObject) throw error
    throw new UnreadableObject(of.key, of.revision, error, encryptedProblem(of.stored))
  }
}
