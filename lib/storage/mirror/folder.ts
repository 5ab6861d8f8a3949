import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder } from '../../base/index.ts'

/**
 * Creates the folder of mirrors where it is missing. Rejects with Error unless it is a folder of this user's that no other
 * user may read or write: it holds what the store holds.
 */
export async function prepareMirrorFolder(directory: string): Promise<void> {
  ensureFolder(directory, 0o700)
  const found = await lstat(directory)
  if (!found.isDirectory()) throw new Error(`${directory} is not a folder`)
  refuseShared(directory, found)
}

/** Throws Error where the file or folder is another user's, or others may use it. */
export function refuseShared(path: string, { uid, mode }: { readonly uid: number; readonly mode: number }): void {
  if (uid !== process.getuid?.()) throw new Error(`${path} belongs to another user`)
  if ((mode & 0o077) !== 0) throw new Error(`${path} may be used by others: its mode must be 0700, or 0600 of a file`)
}

/** The name of a file that is being written, by this process. */
export function unfinishedName(name: string): string {
  return `${name}.new-${process.pid}`
}

/** Removes what processes that were killed have left. Never rejects. */
export async function removeUnfinished(directory: string, name: string): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const found of names) {
    const pid = found.startsWith(`${name}.new-`) ? Number(found.slice(name.length + 5)) : 0
    if (pid > 0 && !isRunning(pid)) await rm(join(directory, found), { force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process of this number that was killed before the start of this one.
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
