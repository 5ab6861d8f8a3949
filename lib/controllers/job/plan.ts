import { deepEqual, formatTime } from '../../object/index.ts'
import { isReady } from '../shared/podstate.ts'
import { conditionsAfter, finished, holds, type Status, startedAt } from './conditions.ts'
import { countPods, type FailureRun, failuresAfter } from './count.ts'
import { completionOf, endingOf } from './ending.ts'
import type { Verdict } from './failurepolicy.ts'
import { type Creation, managePods } from './manage.ts'
import type { SomeJob, SomePod } from './pod.ts'
import { trackPods } from './track.ts'
import { type Notice, Turn } from './turn.ts'

interface Observed {
  readonly job: SomeJob
  readonly pods: readonly SomePod[]
  readonly failures: FailureRun
  /** When a pod ended. */
  endedMs(pod: SomePod): number
}

export interface Plan {
  readonly create: readonly Creation[]
  /** Deleted without the finalizer, so that they are not counted. */
  readonly drop: readonly SomePod[]
  /** Deleted with the finalizer: the job ends, and counts them. */
  readonly kill: readonly SomePod[]
  /** Written first; undefined: it needs no change. */
  readonly status: Status | undefined
  /** Counted in that status: they may be deleted. */
  readonly release: readonly SomePod[]
  /** The actions of the pod failure policy for those of them that have failed. */
  readonly judged: readonly Verdict['action'][]
  readonly events: readonly Notice[]
  readonly failures: FailureRun
  readonly againAfterMs: number | undefined
}

export function isFinished({ status }: SomeJob): boolean {
  return holds(status, 'Complete') !== undefined || holds(status, 'Failed') !== undefined
}

/** Counts the finished pods, decides whether the job ends, else plans its pods, and puts all that into the status. */
export function plan({ job, pods, failures: before, endedMs }: Observed, nowMs: number): Plan {
  const turn = new Turn(job, pods, nowMs, endedMs)
  const { spec, status } = job
  const count = countPods(turn)
  const failures = failuresAfter(before, count, endedMs)
  const startTime = status.startTime ?? (spec.suspend ? undefined : formatTime(nowMs))
  const end = endingOf(turn, count, startTime)
  const isGoing = job.metadata.deletionTimestamp !== undefined
  const { create, drop } = end || isGoing ? { create: [], drop: [] } : managePods(turn, count, failures)
  const complete = end ?? (isGoing ? undefined : completionOf(turn, count, create.length))
  const conditions = conditionsAfter(turn, complete)
  const tracked = trackPods(turn, count, complete, isGoing)
  const kill = complete ? turn.active : []
  const next: Status = {
    ...status,
    ...(conditions.length === 0 ? {} : { conditions }),
    startTime: startedAt(turn, conditions, startTime),
    active: complete ? 0 : turn.active.length - drop.length + create.length,
    ready: complete ? 0 : turn.active.filter((pod) => isReady(pod) && !drop.includes(pod)).length,
    terminating: turn.terminating + kill.length + drop.length,
    ...tracked.status,
  }
  const over = finished(turn, next, complete, [...tracked.release, ...kill])
  return {
    create,
    drop,
    kill,
    status: sameStatus(status, over) ? undefined : over,
    release: tracked.release,
    judged: tracked.judged,
    events: turn.events,
    failures,
    againAfterMs: turn.againAfterMs,
  }
}

export function sameStatus(before: Status, after: Status): boolean {
  const plain = (status: Status): unknown => ({
    ...status,
    active: status.active ?? 0,
    ready: status.ready ?? 0,
    succeeded: status.succeeded ?? 0,
    failed: status.failed ?? 0,
    terminating: status.terminating ?? 0,
    conditions: status.conditions ?? [],
    uncountedTerminatedPods: status.uncountedTerminatedPods ?? {},
  })
  // A job without a turn yet has no start time.
  return before.startTime === after.startTime && deepEqual(plain(before), plain(after))
}
