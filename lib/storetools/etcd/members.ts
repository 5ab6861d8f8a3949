import { reasonOf } from '../contract.ts'
import type { EtcdConnection } from './connect.ts'

export interface Member {
  /** As etcd prints it, in hexadecimal. */
  readonly id: string
  /** Empty: it was added and has not started yet. */
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
  readonly isLearner: boolean
}

export interface MemberStatus {
  readonly endpoint: string
  /** Set: nothing else is known. */
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
  const { members } = await connection.call((client) => client.cluster.memberList({ linearizable: true }))
  return members.map(({ ID, name, peerURLs, clientURLs, isLearner }) => ({
    id: hexadecimal(ID),
    name,
    peerUrls: peerURLs,
    clientUrls: clientURLs,
    isLearner,
  }))
}

/** The status of every endpoint that was given, in their order; one that doesn't answer has an error instead. */
export async function memberStatuses(connection: EtcdConnection): Promise<readonly MemberStatus[]> {
  return await Promise.all(connection.endpoints.map(async (endpoint) => await memberStatus(connection, endpoint)))
}

export async function memberStatus(connection: EtcdConnection, endpoint: string): Promise<MemberStatus> {
  try {
    const status = await connection.callAt(endpoint, (client) => client.maintenance.status(), { timeoutMs: 5000 })
    return {
      endpoint,
      memberId: hexadecimal(status.header.member_id),
      version: status.version,
      sizeBytes: Number(status.dbSize),
      sizeInUseBytes: Number(status.dbSizeInUse),
      isLeader: status.leader === status.header.member_id && status.leader !== '0',
      isLearner: status.isLearner,
      raftTerm: Number(status.raftTerm),
      raftIndex: Number(status.raftIndex),
      raftAppliedIndex: Number(status.raftAppliedIndex),
      revision: Number(status.header.revision),
      errors: status.errors,
    }
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

function hexadecimal(id: string): string {
  return BigInt(id).toString(16)
}
