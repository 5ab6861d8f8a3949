import type { HorizontalPodAutoscalerCondition } from '../../../api/gen/autoscaling/v2.ts'
import { type Frozen, formatTime } from '../../object/index.ts'

/** A condition but for its type and time. */
export interface ConditionValue {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited'
type Conditions = Frozen<HorizontalPodAutoscalerCondition[]>

/** The time of a condition is that of its last change from one status to another. */
export function withCondition(
  conditions: Conditions,
  type: ConditionType,
  value: ConditionValue,
  nowMs: number,
): Conditions {
  const before = conditions.find((condition) => condition.type === type)
  const since = before?.status === value.status ? before.lastTransitionTime : undefined
  const condition = { type, ...value, lastTransitionTime: since ?? formatTime(nowMs) }
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition]
}
