import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../../api/gen/autoscaling/v2.ts'
import type { Frozen } from '../../object/index.ts'
import type { ConditionValue } from './conditions.ts'

/** A recommended number of replicas. */
interface Recommendation {
  readonly atMs: number
  readonly replicas: number
}

/** Pods that were added or removed at a time. */
interface ScaleEvent {
  readonly atMs: number
  readonly change: number
}

/**
 * Earlier recommendations and changes of one autoscaler. They are lost when the process ends, as in the stock
 * controller.
 */
export interface ScalingHistory {
  readonly recommendations: readonly Recommendation[]
  readonly added: readonly ScaleEvent[]
  readonly removed: readonly ScaleEvent[]
}

export const noHistory: ScalingHistory = { recommendations: [], added: [], removed: [] }

export interface ScaleRequest {
  readonly current: number
  readonly desired: number
  readonly min: number
  readonly max: number
  readonly behavior: Frozen<HorizontalPodAutoscalerBehavior> | undefined
  /** For autoscalers without a behavior. */
  readonly downscaleStabilizationMs: number
}

export interface Normalized {
  readonly replicas: number
  readonly ableToScale: ConditionValue
  readonly scalingLimited: ConditionValue
  readonly recommendations: readonly Recommendation[]
}

const scaleUpFactor = 2
const scaleUpLeast = 4
/** The longest window and period that the API allows. */
const historyMsMax = 3_600_000

/** Applies stabilization windows, rates and limits to the number that the metrics ask for. */
export function normalize(request: ScaleRequest, history: ScalingHistory, nowMs: number): Normalized {
  const stabilized = request.behavior
    ? stabilizeBothWays(request, history, nowMs)
    : stabilizeDown(request, history, nowMs)
  const recommendations = [
    ...history.recommendations.filter(({ atMs }) => atMs > nowMs - historyMsMax),
    { atMs: nowMs, replicas: request.desired },
  ]
  const bounded = { ...request, desired: stabilized }
  const limited = request.behavior ? limitByRates(bounded, history, nowMs) : limitPlainly(bounded)
  return {
    replicas: limited.replicas,
    ableToScale:
      stabilized === request.desired
        ? matching
        : request.desired >= request.current && request.behavior
          ? heldUp
          : heldDown,
    scalingLimited: limited.condition,
    recommendations,
  }
}

/** The history after a change of the number of pods. */
export function withChange(history: ScalingHistory, change: number, nowMs: number): ScalingHistory {
  const recent = (events: readonly ScaleEvent[]): ScaleEvent[] =>
    events.filter(({ atMs }) => atMs > nowMs - historyMsMax)
  const event = { atMs: nowMs, change: Math.abs(change) }
  if (change > 0) return { ...history, added: [...recent(history.added), event] }
  return { ...history, removed: [...recent(history.removed), event] }
}

const matching: ConditionValue = {
  status: 'True',
  reason: 'ReadyForNewScale',
  message: 'recommended size matches current size',
}
const heldUp: ConditionValue = {
  status: 'True',
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
}
const heldDown: ConditionValue = {
  status: 'True',
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
}

function stabilizeDown(
  { desired, downscaleStabilizationMs }: ScaleRequest,
  history: ScalingHistory,
  nowMs: number,
): number {
  const recent = history.recommendations.filter(({ atMs }) => atMs > nowMs - downscaleStabilizationMs)
  return recent.reduce((highest, { replicas }) => Math.max(highest, replicas), desired)
}

function stabilizeBothWays(
  { current, desired, behavior }: ScaleRequest,
  history: ScalingHistory,
  nowMs: number,
): number {
  const within = (seconds: number | undefined): readonly Recommendation[] =>
    history.recommendations.filter(({ atMs }) => atMs > nowMs - (seconds ?? 0) * 1000)
  const up = within(behavior?.scaleUp?.stabilizationWindowSeconds ?? 0).reduce(
    (lowest, { replicas }) => Math.min(lowest, replicas),
    desired,
  )
  const down = within(behavior?.scaleDown?.stabilizationWindowSeconds ?? 300).reduce(
    (highest, { replicas }) => Math.max(highest, replicas),
    desired,
  )
  return Math.min(Math.max(current, up), down)
}

interface Limited {
  readonly replicas: number
  readonly condition: ConditionValue
}

const limitMessages = {
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
} as const

function limited(replicas: number, reason: keyof typeof limitMessages): Limited {
  return { replicas, condition: { status: 'True', reason, message: limitMessages[reason] } }
}

function within(replicas: number): Limited {
  const message = 'the desired count is within the acceptable range'
  return { replicas, condition: { status: 'False', reason: 'DesiredWithinRange', message } }
}

function limitPlainly({ current, desired, min, max }: ScaleRequest): Limited {
  if (desired < min) return limited(min, 'TooFewReplicas')
  const fastest = Math.max(scaleUpFactor * current, scaleUpLeast)
  if (desired > Math.min(max, fastest))
    return max > fastest ? limited(fastest, 'ScaleUpLimit') : limited(max, 'TooManyReplicas')
  return within(desired)
}

function limitByRates(
  { current, desired, min, max, behavior }: ScaleRequest,
  history: ScalingHistory,
  nowMs: number,
): Limited {
  if (desired > current) {
    const fastest = Math.max(current, rateLimit(behavior?.scaleUp, 'up', current, history, nowMs))
    if (desired > Math.min(max, fastest))
      return max > fastest ? limited(fastest, 'ScaleUpLimit') : limited(max, 'TooManyReplicas')
  } else if (desired < current) {
    const fastest = Math.min(current, rateLimit(behavior?.scaleDown, 'down', current, history, nowMs))
    if (desired < Math.max(min, fastest))
      return min < fastest ? limited(fastest, 'ScaleDownLimit') : limited(min, 'TooFewReplicas')
  }
  return within(desired)
}

/** The number that the policies allow now; each counts from the number at the beginning of its period. */
function rateLimit(
  rules: Frozen<HPAScalingRules> | undefined,
  direction: 'up' | 'down',
  current: number,
  { added, removed }: ScalingHistory,
  nowMs: number,
): number {
  if (rules?.selectPolicy === 'Disabled') return current
  const reach = (policy: Frozen<HPAScalingPolicy>): number => {
    const since = nowMs - policy.periodSeconds * 1000
    const start = current - sumSince(added, since) + sumSince(removed, since)
    return direction === 'up' ? upFrom(start, policy) : downFrom(start, policy)
  }
  const reaches = (rules?.policies ?? defaultPolicies[direction]).map(reach)
  const isFarthest = rules?.selectPolicy !== 'Min'
  return (direction === 'up') === isFarthest ? Math.max(...reaches) : Math.min(...reaches)
}

/** The API server's defaults for a direction without rules. */
const defaultPolicies: Readonly<Record<'up' | 'down', readonly HPAScalingPolicy[]>> = {
  up: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
  down: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}

function sumSince(events: readonly ScaleEvent[], sinceMs: number): number {
  return events.reduce((sum, { atMs, change }) => (atMs > sinceMs ? sum + change : sum), 0)
}

function upFrom(start: number, { type, value }: Frozen<HPAScalingPolicy>): number {
  return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100))
}

function downFrom(start: number, { type, value }: Frozen<HPAScalingPolicy>): number {
  return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100))
}
