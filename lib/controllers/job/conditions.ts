import type { JobCondition } from '../../../api/gen/batch/v1.ts'
import { type Frozen, formatTime, parseTime } from '../../object/index.ts'
import type { SomeJob, SomePod } from './pod.ts'
import type { Turn } from './turn.ts'

export type Status = SomeJob['status']

/** The decision that a job ends: its first condition and the reason. */
export interface End {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet'
  readonly reason: string
  readonly message: string
}

/** The condition of this type, if it is True. */
export function holds({ conditions }: Status, type: string): Frozen<JobCondition> | undefined {
  return conditions?.find((each) => each.type === type && each.status === 'True')
}

export function conditionsAfter(turn: Turn, end: End | undefined): readonly Frozen<JobCondition>[] {
  const { conditions = [] } = turn.job.status
  const { suspend = false } = turn.job.spec
  let next: readonly Frozen<JobCondition>[] = conditions
  if (end && !conditions.some(({ type, status }) => type === end.type && status === 'True'))
    next = withCondition(turn.nowMs, next, end.type, 'True', end.reason, end.message)
  if (end) return next
  const known = conditions.find(({ type }) => type === 'Suspended')
  if (suspend && known?.status !== 'True') {
    next = withCondition(turn.nowMs, next, 'Suspended', 'True', 'JobSuspended', 'Job suspended')
    turn.events.push({ type: 'Normal', reason: 'Suspended', message: 'Job suspended' })
  } else if (!suspend && known?.status === 'True') {
    next = withCondition(turn.nowMs, next, 'Suspended', 'False', 'JobResumed', 'Job resumed')
    turn.events.push({ type: 'Normal', reason: 'Resumed', message: 'Job resumed' })
  }
  return next
}

/** The start time of the job: renewed when it is resumed, absent while it is suspended. */
export function startedAt(
  turn: Turn,
  conditions: readonly Frozen<JobCondition>[],
  startTime: string | undefined,
): string | undefined {
  const before = holds(turn.job.status, 'Suspended')
  if (conditions.some(({ type, status }) => type === 'Suspended' && status === 'True')) return undefined
  const isResumed = before && conditions.some(({ type, status }) => type === 'Suspended' && status === 'False')
  return isResumed ? formatTime(turn.nowMs) : startTime
}

/** The status with its final condition, once no pod is left to count or to wait for. */
export function finished(turn: Turn, status: Status, end: End | undefined, waitsFor: readonly SomePod[]): Status {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const isLeft = succeeded.length > 0 || failed.length > 0 || waitsFor.length > 0
  if (!end || isLeft || turn.terminating > 0) return status
  // After the clock was set back a job must not end before its start: the server refuses that.
  const startMs = status.startTime === undefined ? turn.nowMs : parseTime(status.startTime)
  const completionTime = formatTime(Math.max(turn.nowMs, startMs))
  const { conditions = [] } = status
  const isSuccess = end.type === 'SuccessCriteriaMet'
  const type = isSuccess ? 'Complete' : 'Failed'
  turn.events.push(
    isSuccess
      ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
      : { type: 'Warning', reason: end.reason, message: end.message },
  )
  return {
    ...status,
    startTime: status.startTime ?? formatTime(turn.nowMs),
    conditions: withCondition(turn.nowMs, conditions, type, 'True', end.reason, end.message),
    ...(isSuccess ? { completionTime } : {}),
  }
}

function withCondition(
  nowMs: number,
  conditions: readonly Frozen<JobCondition>[],
  type: string,
  status: string,
  reason: string,
  message: string,
): readonly Frozen<JobCondition>[] {
  const now = formatTime(nowMs)
  const made = { type, status, reason, message, lastProbeTime: now, lastTransitionTime: now }
  const index = conditions.findIndex((each) => each.type === type)
  return index < 0 ? [...conditions, made] : conditions.with(index, made)
}
