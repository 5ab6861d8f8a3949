import { FileError } from '../../base/index.ts'
import { FlagError } from '../../flags/index.ts'
import { StoreError } from '../../storage/index.ts'

/** The server can't start for a reason that its operator can correct; the message is one line for them. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** One line for the operator; for an unexpected error, with the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof FlagError || error instanceof StartError) return error.message
  if (error instanceof StoreError) return `the store failed: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A readable reason: `permission denied` for EACCES. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof FileError) return systemReasons[code] ?? error.reason
  return systemReasons[code] ?? (error instanceof Error ? error.message : String(error))
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is no folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
}
