// The messages of etcd's API that the store uses (etcdserverpb of release 3.4 and later): requests as complete gRPC
// frames, replies from their bytes. Field numbers are those of etcd's rpc.proto.
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { StoredValue, StoreEvent } from '../contract.ts'
import type { Mark } from './marks.ts'
import { type EtcdMessageReader, EtcdMessageWriter, fieldSize, varintSize } from './protobuf.ts'
import { ValueBlocks } from './valueblocks.ts'

export const methods = {
  range: '/etcdserverpb.KV/Range',
  txn: '/etcdserverpb.KV/Txn',
  compact: '/etcdserverpb.KV/Compact',
  watch: '/etcdserverpb.Watch/Watch',
  leaseGrant: '/etcdserverpb.Lease/LeaseGrant',
  status: '/etcdserverpb.Maintenance/Status',
} as const

const empty = new Uint8Array(0)

/** A gRPC frame is a zero byte (not compressed), four bytes of length, and the message. */
export const frameHeaderBytes = 5

export function frame(size: number): EtcdMessageWriter {
  const writer = new EtcdMessageWriter(frameHeaderBytes + size)
  writer.byte(0)
  writer.uint32(size)
  return writer
}

export interface RangeRequest {
  key: string
  /** Absent: one key alone. */
  end?: string
  limit?: number
  revision?: number
  keysOnly?: boolean
  countOnly?: boolean
}

export function encodeRange(request: RangeRequest): Buffer {
  const { key, end = '', limit = 0, revision = 0, keysOnly = false, countOnly = false } = request
  const keyLength = Buffer.byteLength(key)
  const endLength = Buffer.byteLength(end)
  let size = fieldSize(keyLength)
  if (endLength > 0) size += fieldSize(endLength)
  if (limit > 0) size += 1 + varintSize(limit)
  if (revision > 0) size += 1 + varintSize(revision)
  if (keysOnly) size += 2
  if (countOnly) size += 2
  const writer = frame(size)
  writer.text(1, key, keyLength)
  if (endLength > 0) writer.text(2, end, endLength)
  if (limit > 0) writer.number(3, limit)
  if (revision > 0) writer.number(4, revision)
  if (keysOnly) writer.number(8, 1)
  if (countOnly) writer.number(9, 1)
  return writer.finish()
}

/** One guarded write: if the key's mod revision is `expected`, put or delete it, else read it. */
export interface GuardedWrite {
  key: string
  expected: number
  /** Absent: delete the key. */
  value?: Uint8Array
  lease?: number
  /** Another key, which must not exist. */
  fence?: string
  /** Another key, which is written in the same transaction. */
  mark?: Mark | undefined
}

const targetModRevision = 2

export function encodeGuardedWrite(write: GuardedWrite): Buffer {
  const { key, expected, value, lease = 0, fence, mark } = write
  const keyLength = Buffer.byteLength(key)
  const keyField = fieldSize(keyLength)
  const compare = 2 + keyField + 1 + varintSize(expected)
  const fenceLength = fence === undefined ? 0 : Buffer.byteLength(fence)
  const fenceCompare = 2 + fieldSize(fenceLength) + 2
  const put = value ? keyField + fieldSize(value.length) + (lease > 0 ? 1 + varintSize(lease) : 0) : keyField
  const success = fieldSize(put)
  const markLength = mark ? Buffer.byteLength(mark.key) : 0
  const markValueLength = mark ? Buffer.byteLength(mark.value) : 0
  const markPut = fieldSize(markLength) + fieldSize(markValueLength)
  const marking = mark ? fieldSize(fieldSize(markPut)) : 0
  const failure = fieldSize(keyField)
  const compares = fieldSize(compare) + (fence === undefined ? 0 : fieldSize(fenceCompare))
  const writer = frame(compares + fieldSize(success) + marking + fieldSize(failure))
  writer.open(1, compare)
  writer.number(2, targetModRevision)
  writer.text(3, key, keyLength)
  writer.number(6, expected)
  if (fence !== undefined) {
    writer.open(1, fenceCompare)
    writer.number(2, targetModRevision)
    writer.text(3, fence, fenceLength)
    writer.number(6, 0)
  }
  writer.open(2, success)
  writer.open(value ? 2 : 3, put)
  writer.text(1, key, keyLength)
  if (value) writer.bytes(2, value)
  if (value && lease > 0) writer.number(3, lease)
  if (mark) {
    writer.open(2, fieldSize(markPut))
    writer.open(2, markPut)
    writer.text(1, mark.key, markLength)
    writer.text(2, mark.value, markValueLength)
  }
  writer.open(3, failure)
  writer.open(1, keyField)
  writer.text(1, key, keyLength)
  return writer.finish()
}

/** If the key's version is `version`, puts `value`; then reads the key in either case. For the compactor. */
export function encodeVersionedPut(key: string, version: number, value: Uint8Array): Buffer {
  const keyLength = Buffer.byteLength(key)
  const keyField = fieldSize(keyLength)
  const compare = keyField + 1 + varintSize(version)
  const put = keyField + fieldSize(value.length)
  const writer = frame(fieldSize(compare) + fieldSize(fieldSize(put)) + fieldSize(fieldSize(keyField)))
  writer.open(1, compare)
  writer.text(3, key, keyLength)
  writer.number(4, version)
  writer.open(2, fieldSize(put))
  writer.open(2, put)
  writer.text(1, key, keyLength)
  writer.bytes(2, value)
  writer.open(3, fieldSize(keyField))
  writer.open(1, keyField)
  writer.text(1, key, keyLength)
  return writer.finish()
}

export function encodeWatchCreate(start: string, end: string, fromRevision: number): Buffer {
  const startLength = Buffer.byteLength(start)
  const endLength = Buffer.byteLength(end)
  const revisionField = fromRevision > 0 ? 1 + varintSize(fromRevision) : 0
  const create = fieldSize(startLength) + fieldSize(endLength) + revisionField + 4
  const writer = frame(fieldSize(create))
  writer.open(1, create)
  writer.text(1, start, startLength)
  writer.text(2, end, endLength)
  if (fromRevision > 0) writer.number(3, fromRevision)
  writer.number(4, 1)
  writer.number(8, 1)
  return writer.finish()
}

export function encodeWatchProgress(): Buffer {
  const writer = frame(2)
  writer.open(3, 0)
  return writer.finish()
}

export function encodeLeaseGrant(ttlSeconds: number, id: number): Buffer {
  const writer = frame(2 + varintSize(ttlSeconds) + varintSize(id))
  writer.number(1, ttlSeconds)
  writer.number(2, id)
  return writer.finish()
}

export function encodeCompact(revision: number): Buffer {
  const writer = frame(1 + varintSize(revision))
  writer.number(1, revision)
  return writer.finish()
}

export function encodeStatus(): Buffer {
  return frame(0).finish()
}

/** The revision in a reply's header, which is field 1 of every reply. */
function headerRevision(header: EtcdMessageReader): Revision {
  let revision = 0
  while (header.next()) if (header.field === 3) revision = header.number()
  return asRevision(revision)
}

/** A key-value pair with the fields that the contract leaves out. */
interface WireValue extends StoredValue {
  /** Number of writes since the key was created. */
  readonly version: number
}

/** `blocks`: the memory of the value; absent: its own. */
function decodeKeyValue(reader: EtcdMessageReader, blocks?: ValueBlocks): WireValue {
  let key = ''
  let value: Uint8Array = empty
  let createRevision = 0
  let modRevision = 0
  let version = 0
  while (reader.next())
    if (reader.field === 1) key = reader.text()
    else if (reader.field === 2) createRevision = reader.number()
    else if (reader.field === 3) modRevision = reader.number()
    else if (reader.field === 4) version = reader.number()
    else if (reader.field === 5) value = reader.bytes(blocks)
  return { key, value, createRevision: asRevision(createRevision), modRevision: asRevision(modRevision), version }
}

/** Values of a longer reply share blocks of memory: each one's own would cost more than the rest of its decoding. */
const manyBytes = 256 * 1024

export interface RangeReply {
  values: WireValue[]
  more: boolean
  count: number
  revision: Revision
}

export function decodeRange(reader: EtcdMessageReader): RangeReply {
  const reply: RangeReply = { values: [], more: false, count: 0, revision: noRevision }
  const blocks = reader.buffer.length > manyBytes ? new ValueBlocks(reader.buffer.length) : undefined
  while (reader.next())
    if (reader.field === 1) reply.revision = headerRevision(reader.message())
    else if (reader.field === 2) reply.values.push(decodeKeyValue(reader.message(), blocks))
    else if (reader.field === 3) reply.more = reader.bool()
    else if (reader.field === 4) reply.count = reader.number()
  return reply
}

interface WriteReply {
  succeeded: boolean
  revision: Revision
  /** The key's state in the answer to a refused write. */
  current: WireValue | undefined
}

export function decodeWrite(reader: EtcdMessageReader): WriteReply {
  const reply: WriteReply = { succeeded: false, revision: noRevision, current: undefined }
  while (reader.next())
    if (reader.field === 1) reply.revision = headerRevision(reader.message())
    else if (reader.field === 2) reply.succeeded = reader.bool()
    else if (reader.field === 3) {
      const operation = reader.message()
      while (operation.next()) if (operation.field === 1) reply.current = decodeRange(operation.message()).values[0]
    }
  return reply
}

export interface WatchReply {
  revision: Revision
  created: boolean
  canceled: boolean
  compactRevision: Revision
  cancelReason: string
  /** More of the same reply follows. */
  fragment: boolean
  events: StoreEvent[]
}

export function decodeWatch(reader: EtcdMessageReader): WatchReply {
  const reply: WatchReply = {
    revision: noRevision,
    created: false,
    canceled: false,
    compactRevision: noRevision,
    cancelReason: '',
    fragment: false,
    events: [],
  }
  while (reader.next())
    if (reader.field === 1) reply.revision = headerRevision(reader.message())
    else if (reader.field === 3) reply.created = reader.bool()
    else if (reader.field === 4) reply.canceled = reader.bool()
    else if (reader.field === 5) reply.compactRevision = asRevision(reader.number())
    else if (reader.field === 6) reply.cancelReason = reader.text()
    else if (reader.field === 7) reply.fragment = reader.bool()
    else if (reader.field === 11) reply.events.push(decodeEvent(reader.message()))
  return reply
}

function decodeEvent(reader: EtcdMessageReader): StoreEvent {
  let isDelete = false
  let pair: WireValue | undefined
  while (reader.next())
    if (reader.field === 1) isDelete = reader.number() === 1
    else if (reader.field === 2) pair = decodeKeyValue(reader.message())
  if (!pair) throw new RangeError('etcd: an event without a key')
  const { key, value, createRevision, modRevision } = pair
  if (isDelete) return { type: 'delete', key, value: empty, createRevision: noRevision, revision: modRevision }
  return { type: 'put', key, value, createRevision, revision: modRevision }
}

export interface StatusReply {
  version: string
  /** In decimal. */
  clusterId: string
}

export function decodeStatus(reader: EtcdMessageReader): StatusReply {
  const reply: StatusReply = { version: '', clusterId: '' }
  while (reader.next())
    if (reader.field === 1) reply.clusterId = headerClusterId(reader.message())
    else if (reader.field === 2) reply.version = reader.text()
  return reply
}

function headerClusterId(header: EtcdMessageReader): string {
  let id = 0n
  while (header.next()) if (header.field === 1) id = header.id()
  return String(id)
}
