import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with all that leads to it; one that is there stays as it is. Throws what the system has against it: Node's
 * own recursion calls a read-only file system a missing folder, and never comes back from below /proc.
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
    mkdirSync(path, { mode })
  } catch (error) {
    // A read-only file system says so even of what is there.
    if (codeOf(error) === 'ENOENT' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
