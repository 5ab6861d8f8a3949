import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'
import { isReady, readySinceMs } from './podstate.ts'

type SomePod = Frozen<Pod>

interface RankingOptions {
  readonly nowMs: number
  /**
   * Number of related pods by node: pods of nodes with many go first. Absent: neither this nor the deletion cost
   * counts.
   */
  readonly relatedByNode?: ReadonlyMap<string, number>
}

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 }

/** Pods in the order in which surplus ones are deleted: the least useful first. */
export function inDeletionOrder(pods: readonly SomePod[], options: RankingOptions): SomePod[] {
  return pods
    .map((pod) => ({ pod, rank: rankOf(pod, options) }))
    .sort((left, right) => compareRanks(left.rank, right.rank))
    .map(({ pod }) => pod)
}

/** Lower ranks are deleted first; the uid breaks ties. */
interface Rank {
  readonly numbers: readonly number[]
  readonly uid: string
}

function rankOf(pod: SomePod, { nowMs, relatedByNode }: RankingOptions): Rank {
  const { metadata, spec, status } = pod
  const node = spec.nodeName ?? ''
  const ready = isReady(pod)
  const sinceMs = readySinceMs(pod)
  const age = (fromMs: number): number => (relatedByNode ? logAge(nowMs - fromMs) : nowMs - fromMs)
  const createdMs = metadata.creationTimestamp === undefined ? nowMs : parseTime(metadata.creationTimestamp)
  return {
    numbers: [
      node === '' ? 0 : 1,
      phases[status.phase ?? ''] ?? 0,
      ready ? 1 : 0,
      relatedByNode ? costOf(metadata.annotations?.[deletionCost]) : 0,
      relatedByNode && node !== '' ? -(relatedByNode.get(node) ?? 0) : 0,
      ready && sinceMs !== undefined ? age(sinceMs) : 0,
      -restartsOf(status.containerStatuses),
      -restartsOf(status.initContainerStatuses),
      age(createdMs),
    ],
    uid: metadata.uid ?? '',
  }
}

/** Ages within a power of two are equal, so that the choice among them is random. */
function logAge(ageMs: number): number {
  const nanoseconds = ageMs * 1e6
  return nanoseconds < 1 ? -1 : Math.floor(Math.log2(nanoseconds))
}

function costOf(text: string | undefined): number {
  return text !== undefined && /^(0|[+-]?[1-9][0-9]*)$/.test(text) ? Number(text) : 0
}

function restartsOf(statuses: Frozen<Pod>['status']['containerStatuses']): number {
  let most = 0
  for (const { restartCount } of statuses ?? []) most = Math.max(most, restartCount)
  return most
}

function compareRanks(left: Rank, right: Rank): number {
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.uid < right.uid ? -1 : left.uid > right.uid ? 1 : 0
}
