// The messages of etcd's API that operators' tools use in addition to the server's: keys as bytes, since a cluster may
// hold any keys, and ids of 64 bits. Field numbers are those of etcd's rpc.proto.
import type { Question } from './ask.ts'
import { encodeStatus, frame, methods } from './messages.ts'
import { type EtcdMessageReader, fieldSize, idSize, varintSize } from './protobuf.ts'

export const operatorMethods = {
  leaseTimeToLive: '/etcdserverpb.Lease/LeaseTimeToLive',
  memberList: '/etcdserverpb.Cluster/MemberList',
  defragment: '/etcdserverpb.Maintenance/Defragment',
  snapshot: '/etcdserverpb.Maintenance/Snapshot',
} as const

export interface RawRange {
  readonly key: Uint8Array
  /** First key beyond; one zero byte: no end. Absent: one key alone. */
  readonly end?: Uint8Array
  readonly limit?: number
  readonly revision?: number
  readonly keysOnly?: boolean
}

export interface RawValue {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly createRevision: number
  readonly modRevision: number
  /** 0n: none. */
  readonly lease: bigint
}

export interface RawRangeReply {
  readonly values: readonly RawValue[]
  readonly more: boolean
  readonly revision: number
}

export interface EtcdMember {
  readonly id: bigint
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
  readonly isLearner: boolean
}

export interface EtcdMemberStatus {
  readonly memberId: bigint
  readonly version: string
  readonly sizeBytes: number
  readonly sizeInUseBytes: number
  /** 0n: none. */
  readonly leader: bigint
  readonly isLearner: boolean
  readonly raftTerm: number
  readonly raftIndex: number
  readonly raftAppliedIndex: number
  readonly revision: number
  readonly errors: readonly string[]
}

const nothing = new Uint8Array(0)

export function rangeQuestion(request: RawRange): Question<RawRangeReply> {
  const { key, end = nothing, limit = 0, revision = 0, keysOnly = false } = request
  const endSize = end.length > 0 ? fieldSize(end.length) : 0
  const writer = frame(fieldSize(key.length) + endSize + 2 + varintSize(limit) + varintSize(revision) + 2)
  writer.bytes(1, key)
  if (end.length > 0) writer.bytes(2, end)
  writer.number(3, limit)
  writer.number(4, revision)
  writer.number(8, keysOnly ? 1 : 0)
  return { path: methods.range, frame: writer.finish(), decode: decodeRange }
}

function decodeRange(reader: EtcdMessageReader): RawRangeReply {
  const values: RawValue[] = []
  let more = false
  let revision = 0
  while (reader.next())
    if (reader.field === 1) revision = decodeHeader(reader.message()).revision
    else if (reader.field === 2) values.push(decodeValue(reader.message()))
    else if (reader.field === 3) more = reader.bool()
  return { values, more, revision }
}

function decodeValue(reader: EtcdMessageReader): RawValue {
  let key: Uint8Array = nothing
  let value: Uint8Array = nothing
  let [createRevision, modRevision, lease] = [0, 0, 0n]
  while (reader.next())
    if (reader.field === 1) key = reader.bytes()
    else if (reader.field === 2) createRevision = reader.number()
    else if (reader.field === 3) modRevision = reader.number()
    else if (reader.field === 5) value = reader.bytes()
    else if (reader.field === 6) lease = reader.id()
  return { key, value, createRevision, modRevision, lease }
}

function decodeHeader(reader: EtcdMessageReader): { readonly memberId: bigint; readonly revision: number } {
  let [memberId, revision] = [0n, 0]
  while (reader.next())
    if (reader.field === 2) memberId = reader.id()
    else if (reader.field === 3) revision = reader.number()
  return { memberId, revision }
}

/** Answered when the space is free for new writes. */
export function compactQuestion(revision: number): Question<void> {
  const writer = frame(1 + varintSize(revision) + 2)
  writer.number(1, revision)
  writer.number(2, 1)
  return { path: methods.compact, frame: writer.finish(), decode: () => {} }
}

/** Remaining seconds of a lease; negative: it has ended. */
export function leaseQuestion(id: bigint): Question<number> {
  const writer = frame(1 + idSize(id))
  writer.id(1, id)
  const decode = (reader: EtcdMessageReader): number => {
    let ttl = 0n
    while (reader.next()) if (reader.field === 3) ttl = reader.id()
    return Number(BigInt.asIntN(64, ttl))
  }
  return { path: operatorMethods.leaseTimeToLive, frame: writer.finish(), decode }
}

export function membersQuestion(): Question<readonly EtcdMember[]> {
  const writer = frame(2)
  // Linearizable: one member's state may be out of date, as it may be cut off.
  writer.number(1, 1)
  const decode = (reader: EtcdMessageReader): EtcdMember[] => {
    const members: EtcdMember[] = []
    while (reader.next()) if (reader.field === 2) members.push(decodeMember(reader.message()))
    return members
  }
  return { path: operatorMethods.memberList, frame: writer.finish(), decode }
}

function decodeMember(reader: EtcdMessageReader): EtcdMember {
  let [id, name, isLearner] = [0n, '', false]
  const peerUrls: string[] = []
  const clientUrls: string[] = []
  while (reader.next())
    if (reader.field === 1) id = reader.id()
    else if (reader.field === 2) name = reader.text()
    else if (reader.field === 3) peerUrls.push(reader.text())
    else if (reader.field === 4) clientUrls.push(reader.text())
    else if (reader.field === 5) isLearner = reader.bool()
  return { id, name, peerUrls, clientUrls, isLearner }
}

export const memberStatusQuestion: Question<EtcdMemberStatus> = {
  path: methods.status,
  frame: encodeStatus(),
  decode(reader) {
    let header: ReturnType<typeof decodeHeader> = { memberId: 0n, revision: 0 }
    let [version, leader, isLearner] = ['', 0n, false]
    const errors: string[] = []
    // By field number: sizes and raft's counters.
    const numbers = new Map<number, number>()
    while (reader.next())
      if (reader.field === 1) header = decodeHeader(reader.message())
      else if (reader.field === 2) version = reader.text()
      else if (reader.field === 4) leader = reader.id()
      else if (reader.field === 8) errors.push(reader.text())
      else if (reader.field === 10) isLearner = reader.bool()
      else if ([3, 5, 6, 7, 9].includes(reader.field)) numbers.set(reader.field, reader.number())
    const of = (field: number): number => numbers.get(field) ?? 0
    const raft = { raftIndex: of(5), raftTerm: of(6), raftAppliedIndex: of(7) }
    return { ...header, version, leader, isLearner, errors, sizeBytes: of(3), sizeInUseBytes: of(9), ...raft }
  },
}

export const defragmentQuestion: Question<void> = {
  path: operatorMethods.defragment,
  frame: encodeStatus(),
  decode: () => {},
}

/** A part of the database. */
export function decodeSnapshotPart(reader: EtcdMessageReader): Uint8Array {
  let blob: Uint8Array = nothing
  while (reader.next()) if (reader.field === 3) blob = reader.bytes()
  return blob
}
