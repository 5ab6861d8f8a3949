import type { CronJob, Job } from '../../../api/gen/batch/v1.ts'
import type { ObjectReference } from '../../../api/gen/core/v1.ts'
import { controllerReference } from '../../controller/index.ts'
import { deepEqual, type Frozen, formatTime, parseTime, secondsToMs } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { laterMs, mostRecent, nextRunMs } from './runs.ts'
import { parseSchedule, type Schedule } from './schedule.ts'
import { createTimeZone, type TimeZone } from './timezone.ts'

export type SomeCronJob = Frozen<CronJob>
export type SomeJob = Frozen<Job>
type Reference = Frozen<ObjectReference>

interface Observed {
  readonly cronjob: SomeCronJob
  /** Jobs that it controls. */
  readonly jobs: readonly SomeJob[]
  /** Uids of its active jobs that no longer exist. */
  readonly gone: ReadonlySet<string>
}

export interface Notice {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export interface Plan {
  /** Old jobs beyond the history limits. */
  readonly expire: readonly SomeJob[]
  readonly events: readonly Notice[]
  readonly active: readonly Reference[]
  readonly lastScheduleTime: string | undefined
  readonly lastSuccessfulTime: string | undefined
  /** The job to start, after the deletion of `replace`. */
  readonly start: { readonly job: SomeJob; readonly dueMs: number; readonly replace: readonly Reference[] } | undefined
  readonly againAfterMs: number | undefined
}

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp'
const noStart = { start: undefined, againAfterMs: undefined }

/** Time zones by name; undefined: the process's zone. Throws for an unknown name. */
type ZoneOf = (name: string | undefined) => TimeZone

export function plan(observed: Observed, nowMs: number, zoneOf: ZoneOf = createTimeZone): Plan {
  const events: Notice[] = []
  const expire = expired(observed)
  const { clock, notices } = clockOf(observed.cronjob, zoneOf)
  const unnoted = unnotedJobs(observed, clock?.schedule, nowMs)
  const active = [...activeAfter(observed, expire, events), ...unnoted.map(referenceTo)]
  const lastScheduleTime = lastSchedule(observed, unnoted)
  const seen = { ...observed, cronjob: withLastSchedule(observed.cronjob, lastScheduleTime) }
  const { cronjob } = seen
  const common = { expire, events, active, lastScheduleTime, lastSuccessfulTime: lastSuccess(seen) }
  const { spec, metadata } = cronjob
  if (metadata.deletionTimestamp !== undefined) return { ...common, ...noStart }
  events.push(...notices)
  if (!clock || spec.suspend) return { ...common, ...noStart }
  const found = mostRecent(cronjob, clock.schedule, nowMs, events)
  const again = { start: undefined, againAfterMs: nextRunMs(cronjob, clock.schedule, nowMs) }
  if (found === undefined || isDone(cronjob, found, active)) return { ...common, ...again }
  const deadline = spec.startingDeadlineSeconds
  if (deadline !== undefined && found + secondsToMs(deadline) < nowMs) {
    warn(events, 'MissSchedule', `Missed scheduled time to start a job: ${formatMissed(found)}`)
    return { ...common, ...again }
  }
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid'
    events.push({ type: 'Normal', reason: 'JobAlreadyActive', message })
    return { ...common, ...again }
  }
  const replace = spec.concurrencyPolicy === 'Replace' ? active : []
  return { ...common, ...again, start: { job: jobFor(cronjob, found, clock.zone), dueMs: found, replace } }
}

/** The time until the next run of the schedule; undefined where there is none, or the schedule is invalid. */
export function untilNextMs({ spec }: SomeCronJob, nowMs: number, zoneOf: ZoneOf = createTimeZone): number | undefined {
  try {
    const next = parseSchedule(spec.schedule, zoneOf(spec.timeZone), zoneOf).next(nowMs)
    return next === undefined ? undefined : next + laterMs - nowMs
  } catch {
    return undefined
  }
}

function endOf({ status }: SomeJob): 'Complete' | 'Failed' | undefined {
  const found = status.conditions?.find(
    ({ type, status: value }) => value === 'True' && (type === 'Complete' || type === 'Failed'),
  )
  return found?.type as 'Complete' | 'Failed' | undefined
}

function expired({ cronjob: { spec }, jobs }: Observed): SomeJob[] {
  const beyond = (end: 'Complete' | 'Failed', limit: number | undefined): SomeJob[] => {
    if (limit === undefined) return []
    const over = jobs.filter((job) => endOf(job) === end).sort(byStart)
    return over.slice(0, Math.max(0, over.length - limit))
  }
  return [...beyond('Complete', spec.successfulJobsHistoryLimit), ...beyond('Failed', spec.failedJobsHistoryLimit)]
}

function byStart(left: SomeJob, right: SomeJob): number {
  const at = ({ status }: SomeJob): number =>
    status.startTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(status.startTime)
  return at(left) - at(right) || ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1)
}

function activeAfter({ cronjob, jobs, gone }: Observed, expire: readonly SomeJob[], events: Notice[]): Reference[] {
  const known = new Set((cronjob.status.active ?? []).map(({ uid }) => uid))
  const ended = new Set(expire.map(({ metadata }) => metadata.uid))
  for (const job of jobs) {
    const { uid, name = '' } = job.metadata
    const end = endOf(job)
    if (end && known.has(uid)) {
      ended.add(uid)
      const message = `Saw completed job: ${name}, condition: ${end}`
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message })
    } else if (!end && !known.has(uid))
      warn(events, 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`)
  }
  return (cronjob.status.active ?? []).filter(({ uid, name = '' }) => {
    if (uid !== undefined && gone.has(uid)) {
      events.push({ type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` })
      return false
    }
    return !ended.has(uid)
  })
}

/**
 * Unfinished jobs of a turn whose status was never written, as after a crash: they count as active. A job that the
 * status does not name counts only if it has the name that the controller gives to a run of the schedule: anybody may
 * create jobs with an owner reference to a CronJob.
 */
function unnotedJobs({ cronjob, jobs }: Observed, schedule: Schedule | undefined, nowMs: number): readonly SomeJob[] {
  const known = new Set((cronjob.status.active ?? []).map(({ uid }) => uid))
  return jobs.filter((job) => {
    if (known.has(job.metadata.uid) || job.metadata.deletionTimestamp !== undefined || endOf(job)) return false
    const dueMs = runOf(job)
    if (dueMs === undefined || dueMs > nowMs) return false
    return job.metadata.name === jobName(cronjob.metadata.name ?? '', dueMs) && schedule?.has(dueMs) === true
  })
}

/** The scheduled time in the job's annotation. */
function runOf({ metadata }: SomeJob): number | undefined {
  const atMs = Date.parse(metadata.annotations?.[scheduledAnnotation] ?? '')
  return Number.isFinite(atMs) ? atMs : undefined
}

export function referenceTo({ metadata: { namespace, name, uid, resourceVersion } }: SomeJob): Reference {
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion }
}

/** Includes the runs of unnoted jobs, which must not be started again once those have ended. */
function lastSchedule({ cronjob: { status } }: Observed, unnoted: readonly SomeJob[]): string | undefined {
  let last = status.lastScheduleTime
  for (const job of unnoted) {
    const atMs = runOf(job)
    if (atMs !== undefined && (last === undefined || atMs > parseTime(last))) last = formatTime(atMs)
  }
  return last
}

function withLastSchedule(cronjob: SomeCronJob, lastScheduleTime: string | undefined): SomeCronJob {
  if (lastScheduleTime === undefined) return cronjob
  return { ...cronjob, status: { ...cronjob.status, lastScheduleTime } }
}

function lastSuccess({ cronjob: { status }, jobs }: Observed): string | undefined {
  let last = status.lastSuccessfulTime
  for (const job of jobs) {
    const { completionTime } = job.status
    if (endOf(job) !== 'Complete' || completionTime === undefined) continue
    if (last === undefined || parseTime(completionTime) > parseTime(last)) last = completionTime
  }
  return last
}

interface ReadClock {
  /** Undefined: no job is started. */
  readonly clock: { readonly schedule: Schedule; readonly zone: TimeZone } | undefined
  readonly notices: readonly Notice[]
}

function clockOf({ spec }: SomeCronJob, zoneOf: ZoneOf): ReadClock {
  const notices: Notice[] = []
  let zone: TimeZone
  try {
    zone = zoneOf(spec.timeZone)
  } catch {
    const name = spec.timeZone ?? ''
    warn(notices, 'UnknownTimeZone', `invalid timeZone: "${name}": unknown time zone ${name}`)
    return { clock: undefined, notices }
  }
  if (spec.schedule.includes('TZ') && !spec.suspend)
    warn(
      notices,
      'UnsupportedSchedule',
      'CRON_TZ or TZ used in schedule "' +
        spec.schedule +
        '" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    )
  try {
    return { clock: { schedule: parseSchedule(spec.schedule, zone, zoneOf), zone }, notices }
  } catch (error) {
    if (spec.suspend) return { clock: undefined, notices }
    warn(notices, 'UnparseableSchedule', `unparseable schedule: "${spec.schedule}" : ${messageOf(error)}`)
    return { clock: undefined, notices }
  }
}

function isDone({ metadata, status }: SomeCronJob, dueMs: number, active: readonly Reference[]): boolean {
  if (active.some(({ name }) => name === jobName(metadata.name ?? '', dueMs))) return true
  return status.lastScheduleTime !== undefined && parseTime(status.lastScheduleTime) === dueMs
}

function jobName(name: string, dueMs: number): string {
  return `${name}-${Math.floor(dueMs / 60_000)}`
}

function jobFor(cronjob: SomeCronJob, dueMs: number, zone: TimeZone): SomeJob {
  const { metadata, spec } = cronjob.spec.jobTemplate
  const { name = '', namespace } = cronjob.metadata
  const stamp = cronjob.spec.timeZone === undefined ? formatTime(dueMs) : formatIn(zone, dueMs)
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(name, dueMs),
      namespace,
      labels: metadata.labels,
      annotations: { ...metadata.annotations, [scheduledAnnotation]: stamp },
      ownerReferences: [controllerReference(cronjob)],
    },
    spec,
    status: {},
  }
}

function formatIn(zone: TimeZone, ms: number): string {
  const offset = Math.round(zone.offsetMs(ms) / 60_000)
  const local = formatTime(ms + offset * 60_000)
  if (offset === 0) return local
  const two = (value: number): string => String(value).padStart(2, '0')
  const size = Math.abs(offset)
  return `${local.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function formatMissed(ms: number): string {
  return new Date(ms).toUTCString().replace(/GMT$/, '+0000')
}

export function warn(events: Notice[], reason: string, message: string): void {
  events.push({ type: 'Warning', reason, message })
}

export function sameStatus(before: SomeCronJob['status'], after: SomeCronJob['status']): boolean {
  return deepEqual({ ...before, active: before.active ?? [] }, { ...after, active: after.active ?? [] })
}
