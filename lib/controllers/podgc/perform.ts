import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { isNotFound } from '../../controller/index.ts'
import { formatTime } from '../../object/index.ts'
import { type Doomed, isTerminal } from './plan.ts'

/**
 * Ends a pod that no kubelet will terminate: sets its phase to Failed for its owner, then deletes it without grace
 * period.
 */
export async function end(client: Client, { pod, reason }: Doomed, nowMs: number): Promise<void> {
  const pods = client.resource(resources.core.v1.pods)
  const { uid } = pod.metadata
  try {
    if (!isTerminal(pod)) {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: formatTime(nowMs),
        observedGeneration: pod.metadata.generation,
      }
      const conditions = reason === 'orphaned' ? { conditions: [condition] } : {}
      await pods.patchStatus(pod.metadata, 'strategic', {
        metadata: { uid },
        status: { phase: 'Failed', ...conditions },
      })
    }
    await pods.delete(pod.metadata, { uid, gracePeriodSeconds: 0 })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
