import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../contract.ts'

/** Offsets of the checked fields in a meta page, as LMDB's data version 2 writes it: two such pages begin the file. */
const at = { magic: 24, version: 28, pageSize: 48, freeRoot: 88, mainRoot: 136, transaction: 152, end: 160 } as const
const magic = 0xbe_ef_c0_de
const knownVersion = 2
const noPage = 0xffff_ffff_ffff_ffffn

/** Offset of the number of transactions in a lock file, which outlives the processes that use it. */
const inLock = { magic: 0, transaction: 8, end: 16 } as const

/**
 * Checks the beginning of a folder's data file. LMDB ends the process without a message on a damaged or truncated file;
 * this throws StoreError `internal` instead. A missing file is created, and so is an empty one that was never written
 * to.
 */
export function checkDataFile(directory: string): void {
  const path = join(directory, 'data.mdb')
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    const { size } = fstatSync(file)
    if (size === 0) {
      if (wasWrittenTo(join(directory, 'lock.mdb'))) throw damaged(path, 'it is empty, and was not')
      return
    }
    const first = readMeta(file, 0)
    const pageSize = first?.readUInt32LE(at.pageSize) ?? 0
    const second = pageSize === 0 ? undefined : readMeta(file, pageSize)
    if (!first || !second) throw damaged(path, 'its beginning is no database')
    if (first.readUInt32LE(at.version) !== knownVersion) return
    const newest = first.readBigUInt64LE(at.transaction) > second.readBigUInt64LE(at.transaction) ? first : second
    for (const root of [newest.readBigUInt64LE(at.freeRoot), newest.readBigUInt64LE(at.mainRoot)])
      if (root !== noPage && (root + 1n) * BigInt(pageSize) > BigInt(size)) throw damaged(path, 'its end is missing')
  } finally {
    closeSync(file)
  }
}

function wasWrittenTo(lockPath: string): boolean {
  try {
    const lock = readFileSync(lockPath)
    return (
      lock.length >= inLock.end &&
      lock.readUInt32LE(inLock.magic) === magic &&
      lock.readBigUInt64LE(inLock.transaction) > 0n
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function readMeta(file: number, position: number): Buffer | undefined {
  const page = Buffer.alloc(at.end)
  const isWhole = readSync(file, page, 0, at.end, position) === at.end
  return isWhole && page.readUInt32LE(at.magic) === magic ? page : undefined
}

/** The error for a damaged data file. */
export function damaged(path: string, how: string, cause?: unknown): StoreError {
  return new StoreError('internal', `the data file ${path} is damaged (${how}): restore it from a copy`, { cause })
}
