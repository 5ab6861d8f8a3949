import { reasonOf } from '../contract.ts'
import type { EtcdConnection } from './connect.ts'

export interface Member {
  /** In etcd's hexadecimal form. */
  readonly id: string
  /** Empty: it was added and has not started yet. */
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
  readonly isLearner: boolean
}

export interface MemberStatus {
  readonly endpoint: string
  /** When set, nothing else is known. */
  readonly error?: string
  readonly memberId: string
  readonly version: string
  readonly sizeBytes: number
  readonly sizeInUseBytes: number
  readonly isLeader: boolean
  readonly isLearner: boolean
  readonly raftTerm: number
  readonly raftIndex: number
  readonly raftAppliedIndex: number
  readonly revision: number
  readonly errors: readonly string[]
}

export async function listMembers(connection: EtcdConnection): Promise<readonly Member[]> {
  const members = await connection.call((cluster) => cluster.members())
  return members.map(({ id, ...rest }) => ({ id: hexadecimal(id), ...rest }))
}

/** The status of every given endpoint, in their order; one that doesn't answer has an error instead. */
export async function memberStatuses(connection: EtcdConnection): Promise<readonly MemberStatus[]> {
  return await Promise.all(connection.endpoints.map(async (endpoint) => await memberStatus(connection, endpoint)))
}

export async function memberStatus(connection: EtcdConnection, endpoint: string): Promise<MemberStatus> {
  try {
    const { leader, memberId, ...rest } = await connection.callAt(endpoint, (cluster) => cluster.status(endpoint))
    return { endpoint, memberId: hexadecimal(memberId), isLeader: leader === memberId && leader !== 0n, ...rest }
  } catch (error) {
    return { ...unknown, endpoint, error: reasonOf(error) }
  }
}

const unknown: Omit<MemberStatus, 'endpoint'> = {
  memberId: '',
  version: '',
  sizeBytes: 0,
  sizeInUseBytes: 0,
  isLeader: false,
  isLearner: false,
  raftTerm: 0,
  raftIndex: 0,
  raftAppliedIndex: 0,
  revision: 0,
  errors: [],
}

function hexadecimal(id: bigint): string {
  return id.toString(16)
}
