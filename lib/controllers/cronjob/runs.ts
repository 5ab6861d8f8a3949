import { parseTime, secondsToMs } from '../../object/index.ts'
import { type Notice, type SomeCronJob, warn } from './plan.ts'
import type { Schedule } from './schedule.ts'

/** Delay after the scheduled time, so that no clock shows an earlier time. */
export const laterMs = 100
const missedMax = 100

function earliestMs({ metadata, spec, status }: SomeCronJob, nowMs: number, withDeadline: boolean): number {
  const from = status.lastScheduleTime ?? metadata.creationTimestamp
  const earliest = from === undefined ? nowMs : parseTime(from)
  if (!withDeadline || spec.startingDeadlineSeconds === undefined) return earliest
  return Math.max(earliest, nowMs - secondsToMs(spec.startingDeadlineSeconds))
}

/** The last time that is due and was not started; earlier missed times are dropped. */
export function mostRecent(
  cronjob: SomeCronJob,
  schedule: Schedule,
  nowMs: number,
  events: Notice[],
): number | undefined {
  const run = lastRun(schedule, earliestMs(cronjob, nowMs, true), nowMs)
  if (run === 'never ends') {
    const why = `time difference between two schedules is less than 1 second`
    warn(events, 'InvalidSchedule', `invalid schedule: ${cronjob.spec.schedule} : ${why}`)
    return undefined
  }
  if (run && run.missed > missedMax) {
    const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew'
    warn(events, 'TooManyMissedTimes', `too many missed start times. ${advice}`)
  }
  return run?.atMs
}

function lastRun(
  schedule: Schedule,
  earliest: number,
  nowMs: number,
): { readonly atMs: number; readonly missed: number } | 'never ends' | undefined {
  const first = schedule.next(earliest)
  if (first === undefined || nowMs < first) return undefined
  const second = schedule.next(first)
  if (second === undefined || nowMs < second) return { atMs: first, missed: 1 }
  const intervalMs = Math.round((second - first) / 1000) * 1000
  if (intervalMs <= 0) return 'never ends'
  const missed = Math.floor((nowMs - first) / intervalMs) + 1
  // The stock controller counts from here, which keeps regular intervals regular.
  const atMs = schedule.last(first + (missed - 2) * intervalMs, nowMs)
  return atMs === undefined ? undefined : { atMs, missed }
}

export function nextRunMs(cronjob: SomeCronJob, schedule: Schedule, nowMs: number): number | undefined {
  const earliest = earliestMs(cronjob, nowMs, false)
  const run = lastRun(schedule, earliest, nowMs)
  const from = run === 'never ends' ? nowMs : (run?.atMs ?? earliest)
  const candidate = schedule.next(from)
  const next = candidate !== undefined && candidate <= nowMs ? schedule.next(nowMs) : candidate
  return next === undefined ? undefined : next + laterMs - nowMs
}
