import { FlagError } from '../../lib/flags/index.ts'
import { StoreError } from '../../lib/storage/index.ts'
import { reasonOf } from './configure.ts'

/** The server can't start for a reason that the person who started it can mend; the message is one line for them. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** One line for the person who started the program; for anything unforeseen, with the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof FlagError || error instanceof StartError) return error.message
  if (error instanceof StoreError) return `the store failed: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export { reasonOf }
