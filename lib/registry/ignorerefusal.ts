import { StatusError } from '../object/index.ts'

/**
 * Ignores one reason for a refused write and throws all other errors: another replica was first, or this one was
 * earlier, since the cache may be behind.
 */
export function ignoreRefusal(reason: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof StatusError && error.reason === reason)) throw error
  }
}
