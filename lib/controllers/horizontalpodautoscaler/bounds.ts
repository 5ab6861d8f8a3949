import type { HorizontalPodAutoscalerSpec } from '../../../api/gen/autoscaling/v2.ts'
import type { Frozen } from '../../object/index.ts'

/** The number of replicas that the limits of an autoscaler demand. */
interface Bound {
  readonly replicas: number
  /** As events give the reason; undefined: a target of zero replicas stays as it is. */
  readonly reason: string | undefined
}

/** Undefined: the current number is within the limits, and the metrics decide. */
export function boundOf(
  { minReplicas = 1, maxReplicas }: Frozen<HorizontalPodAutoscalerSpec>,
  current: number,
): Bound | undefined {
  if (current === 0 && minReplicas !== 0) return { replicas: 0, reason: undefined }
  if (current > maxReplicas)
    return { replicas: maxReplicas, reason: 'Current number of replicas above Spec.MaxReplicas' }
  if (current < minReplicas)
    return { replicas: minReplicas, reason: 'Current number of replicas below Spec.MinReplicas' }
  return undefined
}
