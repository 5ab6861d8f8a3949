import { dirname } from 'node:path'

/**
 * Creates a folder and its parents; an existing one stays as it is. Throws the system's errors: Node's own recursion
 * reports a read-only file system as a missing folder, and never returns for paths below /proc.
 */
export function ensureFolder(path: string, mode: number): void {
  try {
    makeOne(path, mode)
  } catch (error) {
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error
    ensureFolder(parent, mode)
    makeOne(path, mode)
  }
}

function makeOne(path: string, mode: number): void {
  try {
    process.getBuiltinModule('node:fs').mkdirSync(path, { mode })
  } catch (error) {
    // A read-only file system reports this even for existing folders.
    if (codeOf(error) === 'ENOENT' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return process.getBuiltinModule('node:fs').statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
