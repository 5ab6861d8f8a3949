import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { Head, LogRecord, RecordHeader } from '../local/tables.ts'

export interface RecordDecoder {
  /** The caller may reuse `stored` afterwards. Throws for bytes that are no record of that revision. */
  decode(revision: Revision, stored: Buffer): LogRecord
  /** The same without the value. */
  decodeHeader(revision: Revision, stored: Buffer): RecordHeader
}

/** How records are stored. */
export interface RecordForm extends RecordDecoder {
  encode(record: LogRecord): Buffer
}

// A record: type (1 put, 2 delete), createRevision, previous, expiresAtMs as doubles, length of the key, key, value.
const headerBytes = 27
// A head: revision, createRevision, expiresAtMs as doubles.
export const headBytes = 24

function encodeRecord(record: LogRecord): Buffer {
  const { key, value } = record
  const keyBytes = Buffer.byteLength(key)
  const buffer = Buffer.allocUnsafe(headerBytes + keyBytes + value.length)
  buffer[0] = record.type === 'put' ? 1 : 2
  buffer.writeDoubleLE(record.createRevision, 1)
  buffer.writeDoubleLE(record.previous, 9)
  buffer.writeDoubleLE(record.expiresAtMs, 17)
  buffer.writeUInt16LE(keyBytes, 25)
  buffer.write(key, headerBytes)
  buffer.set(value, headerBytes + keyBytes)
  return buffer
}

/** The record's parts are copied. Throws for bytes that are no record. */
function decodeRecord(revision: Revision, buffer: Buffer): LogRecord {
  const { type, key, previous } = decodeRecordHeader(revision, buffer)
  const valueAt = valueAtOf(buffer)
  const value = Buffer.allocUnsafeSlow(buffer.length - valueAt)
  buffer.copy(value, 0, valueAt, buffer.length)
  return {
    type,
    key,
    value,
    createRevision: asRevision(buffer.readDoubleLE(1)),
    revision,
    previous,
    expiresAtMs: buffer.readDoubleLE(17),
  }
}

function decodeRecordHeader(revision: Revision, buffer: Buffer): RecordHeader {
  if (buffer[0] !== 1 && buffer[0] !== 2) throw new Error(`record ${revision} is of no known type`)
  return {
    type: buffer[0] === 1 ? 'put' : 'delete',
    key: buffer.toString('utf8', headerBytes, valueAtOf(buffer)),
    revision,
    previous: asRevision(buffer.readDoubleLE(9)),
  }
}

function valueAtOf(buffer: Buffer): number {
  return headerBytes + buffer.readUInt16LE(25)
}

/** Unencrypted records. */
export const plainRecords: RecordForm = {
  encode: encodeRecord,
  decode: decodeRecord,
  decodeHeader: decodeRecordHeader,
}

export function encodeHead(record: Head): Buffer {
  const buffer = Buffer.allocUnsafe(headBytes)
  buffer.writeDoubleLE(record.revision, 0)
  buffer.writeDoubleLE(record.createRevision, 8)
  buffer.writeDoubleLE(record.expiresAtMs, 16)
  return buffer
}

export function decodeHead(key: string, buffer: Buffer): Head {
  return {
    key,
    revision: asRevision(buffer.readDoubleLE(0)),
    createRevision: asRevision(buffer.readDoubleLE(8)),
    expiresAtMs: buffer.readDoubleLE(16),
  }
}

/** How the heads of a folder are stored. */
export interface HeadForm {
  readonly table: string
  /** The table keeps the heads in the order of the store's keys. */
  readonly isInOrderOfKeys: boolean
  /** Throws for bytes that are not the head at that place. */
  decode(place: unknown, stored: Buffer): Head
  /** The head's key in the table. */
  placeOf(record: Head): string | number
}

export const plainHeads: HeadForm = {
  table: 'head',
  isInOrderOfKeys: true,
  decode(key, stored) {
    if (typeof key !== 'string' || stored.length !== headBytes) throw new Error('its index entry is invalid')
    return decodeHead(key, stored)
  },
  placeOf: ({ key }) => key,
}

export function encodeNumber(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(8)
  buffer.writeDoubleLE(value, 0)
  return buffer
}

export function decodeRevision(buffer: Buffer | undefined): Revision {
  return buffer ? asRevision(buffer.readDoubleLE(0)) : noRevision
}
