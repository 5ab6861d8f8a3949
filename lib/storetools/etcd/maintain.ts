import type { Clock } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'
import { reasonOf, StoreToolError } from '../contract.ts'
import type { EtcdConnection } from './connect.ts'
import { listMembers, type MemberStatus, memberStatus } from './members.ts'
import type { EtcdReader } from './reader.ts'

/** How long a member may take to catch up after its defragmentation. */
const caughtUpMs = 60_000
const pollMs = 200

/** Makes `asked` (0: the newest revision) the oldest readable one; resolves when the space is free for new writes. */
export async function compactEtcd(reader: EtcdReader, asked: Revision): Promise<Revision> {
  const revision = asked === noRevision ? (await reader.get('health')).revision : asked
  try {
    await reader.connection.call((cluster) => cluster.compact(revision))
  } catch (error) {
    if (!/required revision has been compacted/.test(reasonOf(error))) throw error
  }
  return revision
}

export interface Defragmented {
  readonly endpoint: string
  readonly memberId: string
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/**
 * Defragments every member of the cluster, including members without a given endpoint: one at a time, the leader last,
 * and the next only when the one before has caught up. Rejects with StoreToolError when a member isn't healthy, before
 * it touches the next.
 */
export async function defragmentEtcd(
  clock: Clock,
  connection: EtcdConnection,
  onDone: (done: Defragmented) => void,
): Promise<void> {
  const members = await wellMembers(connection)
  const order = members.toSorted((a, b) => Number(a.isLeader) - Number(b.isLeader))
  for (const before of order) {
    // The leader may have changed by now; the order stays, and the last one keeps or transfers its leadership.
    await wellMembers(connection)
    await connection.callAt(before.endpoint, (cluster) => cluster.defragment(before.endpoint))
    const after = await caughtUp(clock, connection, before)
    const { endpoint, memberId, sizeBytes: bytesBefore } = before
    onDone({ endpoint, memberId, bytesBefore, bytesAfter: after.sizeBytes })
  }
}

/** All members of the cluster. Rejects when one doesn't answer: the others have no member to spare then. */
async function wellMembers(connection: EtcdConnection): Promise<readonly MemberStatus[]> {
  const known = await Promise.all(connection.endpoints.map((endpoint) => memberStatus(connection, endpoint)))
  const statuses = []
  for (const { id, name, clientUrls } of await listMembers(connection)) {
    const [url] = clientUrls
    const status =
      known.find(({ memberId }) => memberId === id) ??
      (url === undefined ? undefined : await memberStatus(connection, url))
    if (!status) throw new StoreToolError(`the member ${name || id} has not started: nothing is defragmented`)
    const problem = status.error ?? status.errors[0]
    if (problem !== undefined) throw new StoreToolError(`the member ${name || id} is not well: ${problem}`)
    statuses.push(status)
  }
  return statuses
}

async function caughtUp(clock: Clock, connection: EtcdConnection, before: MemberStatus): Promise<MemberStatus> {
  const deadlineMs = clock.monotonicMs() + caughtUpMs
  for (;;) {
    const status = await memberStatus(connection, before.endpoint)
    if (status.error === undefined && status.raftAppliedIndex >= before.raftAppliedIndex) return status
    if (clock.monotonicMs() > deadlineMs)
      throw new StoreToolError(
        `${before.endpoint} has not caught up after its defragmentation: the others are left alone`,
      )
    await clock.sleep(pollMs)
  }
}
