import type { Node, Taint } from '../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen, formatTime } from '../../object/index.ts'
import { conditionOf, type Readiness } from './health.ts'

type Taints = readonly Frozen<Taint>[]

const notReadyKey = 'node.kubernetes.io/not-ready'
const unreachableKey = 'node.kubernetes.io/unreachable'
const unschedulableKey = 'node.kubernetes.io/unschedulable'

/** Keys of the taints that a condition of the node causes while it has that status. */
const conditionTaints: readonly [type: string, status: string, key: string][] = [
  ['Ready', 'False', notReadyKey],
  ['Ready', 'Unknown', unreachableKey],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
]
const ownKeys = new Set([...conditionTaints.map(([, , key]) => key), unschedulableKey])

/** The node's taints with the NoSchedule taints of its conditions; undefined: they are that already. */
export function withConditionTaints(node: Frozen<Node>, nowMs: number): Taints | undefined {
  const wanted = new Set(
    conditionTaints.filter(([type, status]) => conditionOf(node, type)?.status === status).map(([, , key]) => key),
  )
  if (node.spec.unschedulable === true) wanted.add(unschedulableKey)
  const before = node.spec.taints ?? []
  const kept = before.filter(({ key, effect }) => effect !== 'NoSchedule' || !ownKeys.has(key) || wanted.delete(key))
  const added = [...wanted].map((key) => ({ key, effect: 'NoSchedule', timeAdded: formatTime(nowMs) }))
  return changed(before, [...kept, ...added])
}

/** The key of the NoExecute taint for a readiness; undefined for a ready node. */
export function noExecuteKey(readiness: Readiness): string | undefined {
  return readiness === 'True' ? undefined : readiness === 'False' ? notReadyKey : unreachableKey
}

/** The node has a NoExecute taint of either key. */
export function hasNoExecute({ spec }: Frozen<Node>): boolean {
  return (spec.taints ?? []).some(isNoExecute)
}

/** The node's taints with the NoExecute taint of that key only, or with neither; undefined: they are that already. */
export function withNoExecute({ spec }: Frozen<Node>, key: string | undefined, nowMs: number): Taints | undefined {
  const before = spec.taints ?? []
  const kept = before.filter((taint) => !isNoExecute(taint) || taint.key === key)
  const isThere = kept.some((taint) => isNoExecute(taint))
  const added = key === undefined || isThere ? [] : [{ key, effect: 'NoExecute', timeAdded: formatTime(nowMs) }]
  return changed(before, [...kept, ...added])
}

function isNoExecute({ key, effect }: Frozen<Taint>): boolean {
  return effect === 'NoExecute' && (key === notReadyKey || key === unreachableKey)
}

function changed(before: Taints, after: Taints): Taints | undefined {
  return deepEqual(before, after) ? undefined : after
}

const mirroredLabels = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const

/** The labels of former names that differ from those of today's names. */
export function labelsToMirror({ metadata }: Frozen<Node>): Readonly<Record<string, string>> | undefined {
  const labels = metadata.labels ?? {}
  const wrong = mirroredLabels.flatMap(([from, to]) => {
    const value = labels[from]
    return value === undefined || labels[to] === value ? [] : [[to, value] as const]
  })
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}
