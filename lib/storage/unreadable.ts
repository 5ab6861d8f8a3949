import type { Revision } from '../object/index.ts'
import { NoMatchingPrefix } from './encryption/transformer.ts'

/** A stored object that can't be read. The cause may quote the object, and is for the server's log alone. */
export class UnreadableObject extends Error {
  override readonly name = 'UnreadableObject'
  readonly key: string
  readonly revision: Revision
  /** Why the value can't be decrypted, for clients; undefined: it is plain, but no object of its kind. */
  readonly transformation: string | undefined

  constructor(key: string, revision: Revision, cause: unknown, transformation?: string) {
    super(messageOf(key, revision, cause, transformation), { cause })
    this.key = key
    this.revision = revision
    this.transformation = transformation
  }
}

function messageOf(key: string, revision: Revision, cause: unknown, transformation: string | undefined): string {
  if (transformation === undefined) return `the stored object ${key} can't be read as it is since revision ${revision}`
  return cause instanceof NoMatchingPrefix ? untransformable(key, transformation) : transformation
}

/** The form in which lists name an unreadable object. */
export function untransformable(key: string, transformation: string): string {
  return `unable to transform key ${JSON.stringify(key)}: ${transformation}`
}
