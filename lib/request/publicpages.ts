import type { Call } from './call.ts'

/** Pages that everybody may read, without credentials: they hold nothing of the cluster. */
export interface PublicPages {
  /** Whether the path, percent-decoded, is one of these pages. */
  serves(path: string): boolean
  handle(call: Call): void | Promise<void>
}
