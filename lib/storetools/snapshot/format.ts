// The snapshot file: a first line, records, and the SHA-256 of all that. A record is its length (uint32, little-endian,
// of the rest), its type, and its body. The first is the header, the last the end; between them is an entry a key, in
// order of keys. An encrypted file has a record with its own wrapped key before all others, and the body of each other
// record is encrypted, bound to its position. Numbers in entries are little-endian: revisions as uint64, the rest of
// the lifetime and the key's length as uint32.
import { asRevision } from '../../object/index.ts'
import { type StoredEntry, StoreToolError } from '../contract.ts'

export const firstLines = {
  plain: Buffer.from('pilothouse-snapshot 1\n'),
  encrypted: Buffer.from('pilothouse-snapshot 2\n'),
} as const
export const digestBytes = 32
export const lengthBytes = 4
/** Longer than any value in a store. */
export const recordBytesMax = 64 * 1024 * 1024

export const recordTypes = { header: 1, entry: 2, end: 3, dataKey: 4 } as const

export interface SnapshotHeader {
  readonly store: 'etcd' | 'embedded'
  readonly revision: number
  readonly takenAt: string
}

export interface SnapshotEnd {
  readonly entries: number
  readonly valueBytes: number
}

const entryHeadBytes = 1 + 8 + 8 + 4 + 4

export function encodeText(type: 1 | 3, content: SnapshotHeader | SnapshotEnd): Buffer {
  const body = Buffer.from(JSON.stringify(content))
  const record = Buffer.allocUnsafe(lengthBytes + 1 + body.length)
  record.writeUInt32LE(1 + body.length, 0)
  record[lengthBytes] = type
  record.set(body, lengthBytes + 1)
  return record
}

/** Throws StoreToolError for an entry that doesn't fit a record. */
export function encodeEntry({ key, value, createRevision, modRevision, ttlSeconds }: StoredEntry): Buffer {
  const keyBytes = Buffer.byteLength(key)
  const length = entryHeadBytes + keyBytes + value.length
  if (length > recordBytesMax) throw new StoreToolError(`${JSON.stringify(key)} has ${value.length} bytes: too many`)
  const record = Buffer.allocUnsafe(lengthBytes + length)
  record.writeUInt32LE(length, 0)
  record[4] = recordTypes.entry
  record.writeBigUInt64LE(BigInt(createRevision), 5)
  record.writeBigUInt64LE(BigInt(modRevision), 13)
  record.writeUInt32LE(ttlSeconds, 21)
  record.writeUInt32LE(keyBytes, 25)
  record.write(key, 29)
  record.set(value, 29 + keyBytes)
  return record
}

/** A record with an encrypted body, or with the wrapped key. */
export function frame(body: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(lengthBytes + body.length)
  record.writeUInt32LE(body.length, 0)
  record.set(body, lengthBytes)
  return record
}

/** Binds an encrypted record to its position, counted from the header on. */
export function contextOf(position: number): string {
  return `snapshot/${position}`
}

/** Decodes a record without its length. The value is a view. Throws RangeError for other bytes. */
export function decodeEntry(record: Buffer): StoredEntry {
  const keyBytes = record.readUInt32LE(21)
  if (entryHeadBytes + keyBytes > record.length) throw new RangeError('a key is longer than its record')
  return {
    key: record.toString('utf8', entryHeadBytes, entryHeadBytes + keyBytes),
    value: record.subarray(entryHeadBytes + keyBytes),
    createRevision: asRevision(Number(record.readBigUInt64LE(1))),
    modRevision: asRevision(Number(record.readBigUInt64LE(9))),
    ttlSeconds: record.readUInt32LE(17),
  }
}
