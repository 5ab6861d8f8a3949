import type { Node, Pod } from '../../api/gen/core/v1.ts'
import { deepEqual, type Frozen } from '../object/index.ts'

/** True where room comes free, or where the affinity of other pods may be satisfied now. */
export function makesRoom(before: Frozen<Pod> | undefined, after: Frozen<Pod>): boolean {
  const { phase } = after.status
  if (phase !== before?.status.phase && (phase === 'Succeeded' || phase === 'Failed')) return true
  return hasChanged(before, after)
}

/** The pod may fit elsewhere now; its status, which the scheduler itself writes, does not count. */
export function hasChanged(before: Frozen<Pod> | undefined, after: Frozen<Pod>): boolean {
  if (!before || !deepEqual(before.metadata.labels, after.metadata.labels)) return true
  const { generation } = after.metadata
  // A spec is decoded when it is read.
  if (generation !== undefined && before.metadata.generation === generation) return false
  return !deepEqual(before.spec, after.spec)
}

/** False for changes that may make room; heartbeats don't. */
export function isSameNode(before: Frozen<Node>, after: Frozen<Node>): boolean {
  return (
    deepEqual(before.spec, after.spec) &&
    deepEqual(before.metadata.labels, after.metadata.labels) &&
    deepEqual(before.status.allocatable, after.status.allocatable)
  )
}
