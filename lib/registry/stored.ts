import type { Revision } from '../object/index.ts'

/** A stored object that can't be read. The cause may quote the object, and is for the server's log alone. */
export class UnreadableObject extends Error {
  override readonly name = 'UnreadableObject'
  constructor(key: string, revision: Revision, cause: unknown) {
    super(`the stored object ${key} can't be read as it is since revision ${revision}`, { cause })
  }
}

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
