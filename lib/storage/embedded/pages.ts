import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

// Reads a data file of LMDB's data version 2 without LMDB, which mistakes a damaged page for the end of a table, or
// ends the process.
//  A page begins with 24 bytes: its number, the transaction that wrote it, two unused bytes, flags, and either the
//  bounds of its free space (counted from behind these 24 bytes) or the number of pages of a large value. Positions of
//  nodes follow, as 16-bit numbers that are counted in the same way. A node has 8 bytes: the size of its value or the
//  number of a page in the first six, then the size of its key; the key follows, and the value.
const headerBytes = 24
const nodeBytes = 8
const inPage = { number: 0, transaction: 8, flags: 18, lower: 20, upper: 22, pages: 20 } as const
const isBranch = 1
const isLeaf = 2
const isLarge = 4
const inMeta = { pageSize: 48, mainRoot: 136, lastPage: 144, transaction: 152, end: 160 } as const
/** Flags of a node: the value has its own pages; the value is a table. */
const largeValue = 1
const tableValue = 2
/** Offsets in a table as a value of 48 bytes: the number of entries and the root page. */
const inTable = { entries: 32, root: 40, end: 48 } as const
const noPage = 0xffff_ffff_ffff_ffffn
/** In a deeper tree, pages lead back to others. */
const depthMax = 40
const branchesKeptMax = 2000

/** Why a page can't be read. */
export class PageError extends Error {
  override readonly name = 'PageError'
}

/** A table by its root page; without one it is empty. */
export interface Table {
  readonly root: number | undefined
  readonly entries: number
}

export interface LeafNode {
  readonly key: Buffer
  /** Throws PageError. The result owns its memory. */
  value(): Buffer
}

/** A leaf with its nodes, or a page that can't be read, with the bounds of the keys that it covers. */
export type Walked =
  | { readonly nodes: readonly LeafNode[]; readonly problem?: undefined }
  | {
      readonly problem: string
      readonly page: number
      /** Undefined: from the beginning of the table. */
      readonly from: Buffer | undefined
      /** First key beyond; undefined: to the end of the table. */
      readonly to: Buffer | undefined
    }

/** The tables of a data file as its newest transaction left them. The caller keeps their pages from being reused. */
export class PageFile {
  readonly #file: number
  readonly #size: number
  readonly #pageBytes: number
  readonly #lastPage: number
  readonly #transaction: bigint
  readonly #branches = new Map<number, Buffer>()
  readonly tables = new Map<string, Table>()

  /** The caller has checked the beginning of the file. Throws PageError where its list of tables can't be read. */
  constructor(directory: string) {
    this.#file = openSync(join(directory, 'data.mdb'), 'r')
    try {
      this.#size = fstatSync(this.#file).size
      const first = this.#bytes(0, inMeta.end)
      this.#pageBytes = first.readUInt32LE(inMeta.pageSize)
      const second = this.#bytes(this.#pageBytes, inMeta.end)
      const newest =
        first.readBigUInt64LE(inMeta.transaction) > second.readBigUInt64LE(inMeta.transaction) ? first : second
      this.#transaction = newest.readBigUInt64LE(inMeta.transaction)
      this.#lastPage = Number(newest.readBigUInt64LE(inMeta.lastPage))
      for (const walked of this.walk({ root: pageOf(newest, inMeta.mainRoot), entries: 0 })) {
        if (walked.problem !== undefined) throw new PageError(`page ${walked.page}: ${walked.problem}`)
        for (const { key, value } of walked.nodes) {
          const table = value()
          if (table.length !== inTable.end) throw new PageError('its list of tables is invalid')
          const entries = Number(table.readBigUInt64LE(inTable.entries))
          this.tables.set(key.toString('utf8').replaceAll('\0', ''), { root: pageOf(table, inTable.root), entries })
        }
      }
    } catch (error) {
      closeSync(this.#file)
      throw error
    }
  }

  /** Leaves in order of keys; leaves wholly outside of `start` to `end` are left out. */
  *walk(table: Table, range: { readonly start?: Buffer; readonly end?: Buffer } = {}): Iterable<Walked> {
    if (table.root !== undefined) yield* this.#walk(table.root, undefined, undefined, range, 0)
  }

  /** The value of a key. Throws PageError. */
  find(table: Table, key: Buffer): Buffer | undefined {
    if (table.root === undefined) return undefined
    let number = table.root
    for (let depth = 0; depth < depthMax; depth++) {
      const page = this.#tree(number)
      const at = lastNotAfter(page, key)
      if (!isBranchPage(page)) {
        const found = at >= 0 && keyAt(page, at).equals(key)
        return found ? this.#value(page, at) : undefined
      }
      number = childAt(page, Math.max(0, at))
    }
    throw new PageError('its pages lead in a circle')
  }

  close(): void {
    closeSync(this.#file)
  }

  *#walk(
    number: number,
    from: Buffer | undefined,
    to: Buffer | undefined,
    range: { readonly start?: Buffer; readonly end?: Buffer },
    depth: number,
  ): Iterable<Walked> {
    if (from && range.end && from.compare(range.end) >= 0) return
    if (to && range.start && to.compare(range.start) <= 0) return
    let page: Buffer
    try {
      if (depth >= depthMax) throw new PageError('its pages lead in a circle')
      page = this.#tree(number)
    } catch (error) {
      if (!(error instanceof PageError)) throw error
      return yield { problem: error.message, page: number, from, to }
    }
    const count = countOf(page)
    if (!isBranchPage(page))
      return yield {
        nodes: Array.from({ length: count }, (_, at) => ({
          key: keyAt(page, at),
          value: () => this.#value(page, at),
        })),
      }
    for (let at = 0; at < count; at++) {
      // The first child has no key: it begins with the first key of the page.
      const low = at === 0 ? from : keyAt(page, at)
      const high = at + 1 < count ? keyAt(page, at + 1) : to
      yield* this.#walk(childAt(page, at), low, high, range, depth + 1)
    }
  }

  #value(page: Buffer, at: number): Buffer {
    const node = nodeAt(page, at)
    const flags = page.readUInt16LE(node + 4)
    const size = page.readUInt32LE(node)
    const start = node + nodeBytes + page.readUInt16LE(node + 6)
    if ((flags & largeValue) === 0) return Buffer.from(page.subarray(start, start + size))
    const number = pageOf(page, start) ?? 0
    const lead = this.#bytes(number * this.#pageBytes, headerBytes)
    if (pageOf(lead, inPage.number) !== number || (lead.readUInt16LE(inPage.flags) & isLarge) === 0)
      throw new PageError(`page ${number} holds no large value`)
    if (size > lead.readUInt32LE(inPage.pages) * this.#pageBytes - headerBytes)
      throw new PageError(`page ${number} holds another value`)
    return this.#bytes(number * this.#pageBytes + headerBytes, size)
  }

  /** A branch or leaf whose nodes all lie within it. Throws PageError. */
  #tree(number: number): Buffer {
    const kept = this.#branches.get(number)
    if (kept) return kept
    if (number > this.#lastPage) throw new PageError('it is beyond the end')
    const page = this.#bytes(number * this.#pageBytes, this.#pageBytes)
    if (pageOf(page, inPage.number) !== number) throw new PageError('it has the number of another page')
    if (page.readBigUInt64LE(inPage.transaction) > this.#transaction) throw new PageError('it is of a later time')
    const type = page.readUInt16LE(inPage.flags)
    if (type !== isBranch && type !== isLeaf) throw new PageError('it is no page of a table')
    checkNodes(page)
    if (type === isBranch) {
      if (this.#branches.size >= branchesKeptMax) this.#branches.clear()
      this.#branches.set(number, page)
    }
    return page
  }

  #bytes(position: number, length: number): Buffer {
    if (position + length > this.#size) throw new PageError('the file ends before it')
    const buffer = Buffer.allocUnsafeSlow(length)
    for (let read = 0; read < length; ) {
      const count = readSync(this.#file, buffer, read, length - read, position + read)
      if (count === 0) throw new PageError('the file ends within it')
      read += count
    }
    return buffer
  }
}

function checkNodes(page: Buffer): void {
  const room = page.length - headerBytes
  const lower = page.readUInt16LE(inPage.lower)
  const upper = page.readUInt16LE(inPage.upper)
  if (lower % 2 !== 0 || lower > upper || upper > room) throw new PageError('its bounds are none')
  const isTree = isBranchPage(page)
  let last: Buffer | undefined
  for (let at = 0; at < countOf(page); at++) {
    const node = nodeAt(page, at)
    if (node < headerBytes + upper || node + nodeBytes > page.length) throw new PageError('a node is outside of it')
    const flags = isTree ? 0 : page.readUInt16LE(node + 4)
    if ((flags & ~(largeValue | tableValue)) !== 0) throw new PageError('a node has an unknown form')
    const valueBytes = isTree ? 0 : (flags & largeValue) !== 0 ? headerBytes : page.readUInt32LE(node)
    if (node + nodeBytes + page.readUInt16LE(node + 6) + valueBytes > page.length)
      throw new PageError('a node does not end within it')
    const key = keyAt(page, at)
    if (last && !(isTree && at === 1) && last.compare(key) >= 0) throw new PageError('its keys are not in order')
    last = key
  }
  if (isTree && countOf(page) === 0) throw new PageError('it leads nowhere')
}

function isBranchPage(page: Buffer): boolean {
  return page.readUInt16LE(inPage.flags) === isBranch
}

function countOf(page: Buffer): number {
  return page.readUInt16LE(inPage.lower) >> 1
}

function nodeAt(page: Buffer, at: number): number {
  return headerBytes + page.readUInt16LE(headerBytes + at * 2)
}

function keyAt(page: Buffer, at: number): Buffer {
  const start = nodeAt(page, at)
  return page.subarray(start + nodeBytes, start + nodeBytes + page.readUInt16LE(start + 6))
}

/** The page number in a branch node: 48 bits. */
function childAt(page: Buffer, at: number): number {
  const start = nodeAt(page, at)
  return page.readUInt32LE(start) + page.readUInt16LE(start + 4) * 2 ** 32
}

/** The last node whose key is not after `key`; -1: there is none. */
function lastNotAfter(page: Buffer, key: Buffer): number {
  let low = 0
  let high = countOf(page)
  while (low < high) {
    const middle = (low + high) >> 1
    const isFirstChild = middle === 0 && isBranchPage(page)
    if (isFirstChild || keyAt(page, middle).compare(key) <= 0) low = middle + 1
    else high = middle
  }
  return low - 1
}

function pageOf(buffer: Buffer, at: number): number | undefined {
  const number = buffer.readBigUInt64LE(at)
  return number === noPage ? undefined : Number(number)
}
