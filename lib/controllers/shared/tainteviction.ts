import type { Pod, PodCondition } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, isNotFound } from '../../controller/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'

interface TaintEvictionOptions {
  /** Reason of the events. */
  readonly event: string
  /** Reason and message of the pod's condition. */
  readonly reason: string
  readonly message: string
  /** The prefix of `…_pod_deletions_total` and `…_pod_deletion_duration_seconds`. */
  readonly metrics: string
  /** Messages of the events. */
  marking(pod: Frozen<Pod>): string
  cancelling(pod: Frozen<Pod>): string
}

/** Evicts pods that don't tolerate a taint. */
export interface TaintEviction {
  /**
   * Deletes the pod, unless it was deleted or replaced, or is terminating. True: this call deleted it. `lateSeconds`:
   * since the deletion was due.
   */
  evict(client: Client, pod: Frozen<Pod>, lateSeconds: number): Promise<boolean>
  cancelled(pod: Frozen<Pod>): void
}

export function createTaintEviction(
  { clock, events, metrics }: ControllerContext,
  options: TaintEvictionOptions,
): TaintEviction {
  const deletions = metrics.counter({
    name: `${options.metrics}_pod_deletions_total`,
    help: 'Pods evicted since the start for taints that they do not tolerate.',
    stability: 'ALPHA',
  })
  const latency = metrics.histogram({
    name: `${options.metrics}_pod_deletion_duration_seconds`,
    help: 'Time from when the eviction of a pod was due until its deletion, in seconds.',
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240],
    stability: 'ALPHA',
  })
  const record = (pod: Frozen<Pod>, text: string): void => events.event(pod, 'Normal', options.event, text)
  return {
    async evict(client, pod, lateSeconds) {
      const { uid } = pod.metadata
      const all = client.resource(resources.core.v1.pods)
      try {
        const live = await all.get(pod.metadata)
        if (live.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) return false
        record(pod, options.marking(pod))
        const condition = disruption(live, options, clock.now())
        if (condition)
          await all.patchStatus(pod.metadata, 'strategic', { metadata: { uid }, status: { conditions: [condition] } })
        await all.delete(pod.metadata, { uid })
      } catch (error) {
        if (isNotFound(error)) return false
        throw error
      }
      deletions.add([])
      latency.observe([], lateSeconds)
      return true
    },
    cancelled: (pod) => record(pod, options.cancelling(pod)),
  }
}

/** The condition with the reason for the eviction; undefined: the pod has it. */
function disruption(
  { metadata, status }: Frozen<Pod>,
  { reason, message }: TaintEvictionOptions,
  nowMs: number,
): Partial<PodCondition> | undefined {
  const type = 'DisruptionTarget'
  const before = status.conditions?.find((each) => each.type === type)
  const isSame = before?.status === 'True'
  if (isSame && before.reason === reason && before.message === message) return undefined
  const since = isSame ? before.lastTransitionTime : undefined
  const lastTransitionTime = since ?? formatTime(nowMs)
  return { type, status: 'True', reason, message, lastTransitionTime, observedGeneration: metadata.generation }
}
