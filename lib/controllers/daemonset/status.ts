import type { DaemonSet } from '../../../api/gen/apps/v1.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { isAvailable, isReady } from '../shared/podstate.ts'
import { decide, podsByNode } from './nodes.ts'
import type { Observed } from './plan.ts'
import { isUpdated } from './pod.ts'

/** The status to write; undefined: it needs no change. */
export function statusAfter(
  { set, pods, nodes, hash }: Observed,
  collisions: number | undefined,
  nowMs: number,
): Frozen<DaemonSet['status']> | undefined {
  const byNode = podsByNode(pods)
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, available: 0, updated: 0 }
  for (const node of nodes) {
    const pod = byNode.get(node.metadata.name ?? '')?.[0]
    const { run } = decide(set, node)
    if (run) counts.desired++
    if (pod === undefined) continue
    if (!run) {
      counts.misscheduled++
      continue
    }
    counts.current++
    if (isReady(pod)) counts.ready++
    if (isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)) counts.available++
    if (isUpdated(set, pod, hash)) counts.updated++
  }
  const { conditions } = set.status
  const status = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: counts.updated,
    numberAvailable: counts.available,
    numberUnavailable: counts.desired - counts.available,
    collisionCount: collisions,
    conditions,
  }
  return deepEqual({ ...blank, ...set.status }, status) ? undefined : status
}

const blank = { observedGeneration: 0, updatedNumberScheduled: 0, numberAvailable: 0, numberUnavailable: 0 }
