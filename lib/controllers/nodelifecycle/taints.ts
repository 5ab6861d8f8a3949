import type { Node, Taint } from '../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen, formatTime } from '../../object/index.ts'
import { conditionOf, type Readiness } from './health.ts'

type Taints = readonly Frozen<Taint>[]

const notReadyKey = 'node.kubernetes.io/not-ready'
const unreachableKey = 'node.kubernetes.io/unreachable'
const unschedulableKey = 'node.kubernetes.io/unschedulable'

/** Taints that keep pods away while a condition of the node has that status. */
const conditionTaints: readonly [type: string, status: string, key: string][] = [
  ['Ready', 'False', notReadyKey],
  ['Ready', 'Unknown', unreachableKey],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
]
const ownKeys = new Set([...conditionTaints.map(([, , key]) => key), unschedulableKey])

/** The node's taints with those of effect NoSchedule that its conditions ask for; undefined: they stand so already. */
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

/** The key of the NoExecute taint that a node of that readiness has; undefined for a ready one. */
export function executingKey(readiness: Readiness): string | undefined {
  return readiness === 'True' ? undefined : readiness === 'False' ? notReadyKey : unreachableKey
}

/** Whether the node has a NoExecute taint for not being ready, of either key. */
export function hasExecuting({ spec }: Frozen<Node>): boolean {
  return (spec.taints ?? []).some(isExecuting)
}

/** The taints with exactly the NoExecute taint of the key, or with neither of both; undefined: they stand so already. */
export function withExecuting({ spec }: Frozen<Node>, key: string | undefined, nowMs: number): Taints | undefined {
  const before = spec.taints ?? []
  const kept = before.filter((taint) => !isExecuting(taint) || taint.key === key)
  const isThere = kept.some((taint) => isExecuting(taint))
  const added = key === undefined || isThere ? [] : [{ key, effect: 'NoExecute', timeAdded: formatTime(nowMs) }]
  return changed(before, [...kept, ...added])
}

function isExecuting({ key, effect }: Frozen<Taint>): boolean {
  return effect === 'NoExecute' && (key === notReadyKey || key === unreachableKey)
}

function changed(before: Taints, after: Taints): Taints | undefined {
  return deepEqual(before, after) ? undefined : after
}

const mirroredLabels = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const

/** The former names of labels as they should be, where they are not. */
export function labelsToMirror({ metadata }: Frozen<Node>): Readonly<Record<string, string>> | undefined {
  const labels = metadata.labels ?? {}
  const wrong = mirroredLabels.flatMap(([from, to]) => {
    const value = labels[from]
    return value === undefined || labels[to] === value ? [] : [[to, value] as const]
  })
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}
