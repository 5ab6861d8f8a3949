import { readFileSync } from 'node:fs'
import type { Database, RootDatabase } from 'lmdb'
import { parseJsonText } from '../../object/index.ts'
import { StoreError } from '../contract.ts'

/** The process that has a data folder open. */
interface Owner {
  pid: number
  /** Distinguishes this process from a later one with the same pid; empty where the system doesn't provide it. */
  started: string
  /** Distinguishes the stores of one process. */
  instance: string
}

const ownerKey = 'owner'

/**
 * Makes this store the only one on the folder. The check and the claim are one step under the database's write lock,
 * which the system frees when its holder dies; a killed owner doesn't block. Throws StoreError `internal`.
 */
export function claimOwnership(
  root: RootDatabase<Buffer, string>,
  meta: Database<Buffer, string>,
  instance: string,
): void {
  const mine: Owner = { pid: process.pid, started: startOf(process.pid), instance }
  const other = root.transactionSync(() => {
    const former = readOwner(meta)
    if (former && isAlive(former)) return former
    meta.putSync(ownerKey, Buffer.from(JSON.stringify(mine)))
    return undefined
  })
  if (!other) return
  const who = other.pid === process.pid ? 'this process' : `process ${other.pid}`
  throw new StoreError('internal', `the data folder is in use by ${who}; only one server may use it at a time`)
}

export async function releaseOwnership(meta: Database<Buffer, string>, instance: string): Promise<void> {
  if (readOwner(meta)?.instance === instance) await meta.remove(ownerKey)
}

/** The process that has the store open. */
export function ownerOf(meta: Database<Buffer, string>): { readonly pid: number } | undefined {
  const owner = readOwner(meta)
  return owner && isAlive(owner) ? owner : undefined
}

function readOwner(meta: Database<Buffer, string>): Owner | undefined {
  const stored = meta.getBinary(ownerKey)
  return stored && (parseJsonText(stored.toString()) as Owner)
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    // EPERM: the process lives, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(owner.pid) === owner.started
}

/** When a process started: boot id and clock ticks since boot (proc(5), field 22 of stat). */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The second field is a name in parentheses that may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${boot}/${fields[19]}`
  } catch {
    return ''
  }
}
