import type { StoredValue } from '../contract.ts'

/** A value of a mirror. */
export type MirrorValue = Omit<StoredValue, 'unreadable' | 'stale'> & {
  /** The value is not in the mirror: it is read from the store. */
  readonly isAbsent?: boolean
  /** Its texts in the columns of its section; undefined: not known. Only of values that are written. */
  readonly texts?: readonly (string | undefined)[]
}
