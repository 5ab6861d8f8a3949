import type { Job, JobCondition } from '../../../api/gen/batch/v1.ts'
import { deepEqual, formatTime, type Frozen, parseTime } from '../../object/index.ts'
import { isActive, isReady, isTerminating } from '../workloads/podstate.ts'
import { rankForDeletion } from '../workloads/ranking.ts'
import { judge, type Verdict } from './failurepolicy.ts'
import { formatIndexes, parseIndexes } from './indexes.ts'
import { failuresOf, finishedMs, type IndexFailures, indexOf, isTracked, type SomeJob, type SomePod } from './pod.ts'

type Status = Frozen<Job['status']>

/** Failures since the last success, which hold the next pods up. */
export interface FailureRun {
  readonly count: number
  readonly lastMs: number
}

interface Observed {
  readonly job: SomeJob
  readonly pods: readonly SomePod[]
  readonly failures: FailureRun
}

interface Creation {
  readonly index?: number
  readonly failures?: IndexFailures
}

interface Notice {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export interface Plan {
  readonly create: readonly Creation[]
  /** Lose the finalizer first, so that they are not counted. */
  readonly drop: readonly SomePod[]
  /** Deleted as they are: the job ends, and counts them. */
  readonly kill: readonly SomePod[]
  /** Written first; undefined where it stands so already. */
  readonly status: Status | undefined
  /** Counted in that status: they may go. */
  readonly release: readonly SomePod[]
  readonly events: readonly Notice[]
  readonly failures: FailureRun
  readonly againAfterMs: number | undefined
}

const batch = 500
const backoffMs = 10_000
const backoffMsMax = 10 * 60_000

export function isFinished({ status }: SomeJob): boolean {
  return holds(status, 'Complete') !== undefined || holds(status, 'Failed') !== undefined
}

export function plan(seen: Observed, nowMs: number): Plan {
  return new Planner(seen, nowMs).plan()
}

function holds({ conditions }: Status, type: string): Frozen<JobCondition> | undefined {
  return conditions?.find((each) => each.type === type && each.status === 'True')
}

type End = { readonly type: 'FailureTarget' | 'SuccessCriteriaMet'; readonly reason: string; readonly message: string }

class Planner {
  readonly #job: SomeJob
  readonly #pods: readonly SomePod[]
  readonly #nowMs: number
  readonly #indexed: boolean
  readonly #perIndex: boolean
  readonly #onlyFailed: boolean
  readonly #active: readonly SomePod[]
  readonly #terminating: number
  readonly #events: Notice[] = []
  readonly #verdicts = new Map<SomePod, Verdict>()
  #failures: FailureRun
  #againAfterMs: number | undefined

  constructor({ job, pods, failures }: Observed, nowMs: number) {
    const { spec } = job
    this.#job = job
    this.#pods = pods
    this.#nowMs = nowMs
    this.#failures = failures
    this.#indexed = spec.completionMode === 'Indexed'
    this.#perIndex = this.#indexed && spec.backoffLimitPerIndex !== undefined
    this.#onlyFailed = spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
    this.#active = pods.filter(isActive)
    this.#terminating = pods.filter(isTerminating).length
  }

  plan(): Plan {
    const { job } = this
    const { status } = job
    const count = this.#count()
    const startTime = this.#startTime()
    const end = this.#ending(count, startTime)
    const isGoing = job.metadata.deletionTimestamp !== undefined
    const managed = end || isGoing ? { create: [], drop: [] } : this.#manage(count)
    const complete = end ?? (isGoing ? undefined : this.#completion(count, managed))
    const conditions = this.#conditions(complete)
    const tracked = this.#track(count, complete, isGoing)
    const gone = managed.drop.length
    const kill = complete ? this.#active : []
    const resumedAt = this.#resumedAt(conditions, startTime)
    const next: Status = {
      ...status,
      ...(conditions.length === 0 ? {} : { conditions }),
      ...(resumedAt === undefined ? {} : { startTime: resumedAt }),
      active: complete ? 0 : this.#active.length - gone + managed.create.length,
      ready: complete ? 0 : this.#active.filter((pod) => isReady(pod) && !managed.drop.includes(pod)).length,
      terminating: this.#terminating + kill.length + gone,
      ...tracked.status,
    }
    const over = this.#over(next, complete, tracked.release, kill)
    return {
      create: managed.create,
      drop: managed.drop,
      kill,
      status: sameStatus(status, over) ? undefined : over,
      release: tracked.release,
      events: this.#events,
      failures: this.#failures,
      againAfterMs: this.#againAfterMs,
    }
  }

  get job(): SomeJob {
    return this.#job
  }

  #verdict(pod: SomePod): Verdict {
    let verdict = this.#verdicts.get(pod)
    if (!verdict) this.#verdicts.set(pod, (verdict = judge(this.#job, pod)))
    return verdict
  }

  #hasFailed(pod: SomePod): boolean {
    if (pod.status.phase === 'Failed') return true
    return !this.#onlyFailed && pod.metadata.deletionTimestamp !== undefined && pod.status.phase !== 'Succeeded'
  }

  /** Pods that are over, as far as the status does not count them yet. */
  #count(): Count {
    const { spec, status } = this.#job
    const uncounted = status.uncountedTerminatedPods ?? {}
    const known = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])])
    const completions = spec.completions ?? 0
    const fresh = this.#pods.filter((pod) => isTracked(pod) && !known.has(pod.metadata.uid ?? ''))
    const completed = parseIndexes(status.completedIndexes, completions)
    const failedIndexes = parseIndexes(status.failedIndexes, completions)
    const succeeded: SomePod[] = []
    for (const pod of fresh.filter((each) => each.status.phase === 'Succeeded')) {
      const index = indexOf(pod)
      if (this.#indexed && (index === undefined || index >= completions)) continue
      if (this.#indexed && index !== undefined) {
        if (completed.has(index)) continue
        completed.add(index)
      }
      succeeded.push(pod)
    }
    const failed = fresh.filter((pod) => this.#hasFailed(pod))
    for (const pod of this.#perIndex ? failed : []) {
      const index = indexOf(pod)
      if (index !== undefined && index < completions && this.#failsIndex(pod)) failedIndexes.add(index)
    }
    for (const index of completed) failedIndexes.delete(index)
    this.#noteFailures(succeeded, failed)
    const counted = failed.filter((pod) => this.#verdict(pod).action !== 'Ignore')
    return {
      succeeded,
      failed,
      completed,
      failedIndexes,
      succeededTotal: this.#indexed
        ? completed.size
        : (status.succeeded ?? 0) + (uncounted.succeeded?.length ?? 0) + succeeded.length,
      failedTotal: (status.failed ?? 0) + (uncounted.failed?.length ?? 0) + counted.length,
    }
  }

  #failsIndex(pod: SomePod): boolean {
    const { action } = this.#verdict(pod)
    if (action === 'FailIndex') return true
    return action !== 'Ignore' && failuresOf(pod).counted >= (this.#job.spec.backoffLimitPerIndex ?? 0)
  }

  #noteFailures(succeeded: readonly SomePod[], failed: readonly SomePod[]): void {
    const ended = [
      ...succeeded.map((pod) => ({ atMs: finishedMs(pod), ok: true })),
      ...failed.map((pod) => ({ atMs: finishedMs(pod), ok: false })),
    ].sort((left, right) => left.atMs - right.atMs)
    let { count, lastMs } = this.#failures
    for (const { atMs, ok } of ended) [count, lastMs] = ok ? [0, 0] : [count + 1, atMs]
    this.#failures = { count, lastMs }
  }

  #startTime(): string | undefined {
    const { spec, status } = this.#job
    return status.startTime ?? (spec.suspend ? undefined : formatTime(this.#nowMs))
  }

  /** Whether the job ends now, whatever its pods are about to do. */
  #ending(count: Count, startTime: string | undefined): End | undefined {
    const { status } = this.#job
    for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
      const { reason = '', message = '' } = holds(status, type) ?? {}
      if (holds(status, type)) return { type, reason, message }
    }
    for (const pod of count.failed) {
      const verdict = this.#verdict(pod)
      if (verdict.action === 'FailJob') return fails('PodFailurePolicy', verdict.message)
    }
    if (this.#isBeyondBackoff(count))
      return fails('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
    if (this.#isLate(startTime)) return fails('DeadlineExceeded', 'Job was active longer than specified deadline')
    return this.#indexed ? this.#endingOfIndexes(count) : undefined
  }

  #isBeyondBackoff({ failedTotal }: Count): boolean {
    const { backoffLimit = 6, template } = this.#job.spec
    if (failedTotal > backoffLimit) return true
    if (template.spec.restartPolicy !== 'OnFailure') return false
    let restarts = 0
    for (const { status } of this.#pods) {
      if (status.phase !== 'Running' && status.phase !== 'Pending') continue
      for (const each of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
        restarts += each.restartCount
    }
    return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit
  }

  #isLate(startTime: string | undefined): boolean {
    const { activeDeadlineSeconds, suspend } = this.#job.spec
    if (activeDeadlineSeconds === undefined || startTime === undefined || suspend) return false
    const leftMs = parseTime(startTime) + activeDeadlineSeconds * 1000 - this.#nowMs
    if (leftMs > 0) this.#againBy(leftMs)
    return leftMs <= 0
  }

  #endingOfIndexes({ completed, failedIndexes }: Count): End | undefined {
    const { completions = 0, maxFailedIndexes, successPolicy } = this.#job.spec
    if (this.#perIndex) {
      if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes)
        return fails('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes')
      if (failedIndexes.size > 0 && failedIndexes.size + completed.size >= completions)
        return fails('FailedIndexes', 'Job has failed indexes')
    }
    for (const [index, rule] of (successPolicy?.rules ?? []).entries()) {
      const wanted = rule.succeededIndexes === undefined ? undefined : parseIndexes(rule.succeededIndexes, completions)
      const done = wanted === undefined ? completed.size : [...wanted].filter((each) => completed.has(each)).length
      const enough = rule.succeededCount ?? wanted?.size
      if (enough !== undefined && done >= enough)
        return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${index}` }
    }
    return undefined
  }

  #completion({ succeededTotal }: Count, { create }: Managed): End | undefined {
    const { completions } = this.#job.spec
    const enough = completions === undefined ? succeededTotal > 0 : succeededTotal >= completions
    if (!enough || this.#active.length > 0 || create.length > 0) return undefined
    const message = 'Reached expected number of succeeded pods'
    if (completions !== undefined && succeededTotal > completions)
      this.#events.push({
        type: 'Warning',
        reason: 'TooManySucceededPods',
        message: 'Too many succeeded pods running after completion count reached',
      })
    return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message }
  }

  #manage(count: Count): Managed {
    const { parallelism = 1, completions, suspend } = this.#job.spec
    if (suspend) return { create: [], drop: this.#active.slice(0, batch) }
    let wanted = parallelism
    if (completions === undefined) {
      if (count.succeededTotal > 0) wanted = Math.min(this.#active.length, parallelism)
    } else {
      const done = count.succeededTotal + (this.#perIndex ? count.failedIndexes.size : 0)
      wanted = Math.min(parallelism, Math.max(0, completions - done))
    }
    const surplus = this.#surplus(count, wanted)
    if (surplus.length > 0) return { create: [], drop: surplus.slice(0, batch) }
    const missing = wanted - this.#active.length - (this.#onlyFailed ? this.#terminating : 0)
    return { create: missing > 0 ? this.#creations(count, Math.min(missing, batch)) : [], drop: [] }
  }

  /** Pods beyond what is wanted: those of no use first, then those that serve least. */
  #surplus({ completed, failedIndexes }: Count, wanted: number): SomePod[] {
    const ranked = rankForDeletion(this.#active, { nowMs: this.#nowMs })
    if (!this.#indexed) return ranked.slice(0, Math.max(0, this.#active.length - wanted))
    const taken = new Set<number>()
    const useless = new Set<SomePod>()
    for (const pod of [...ranked].reverse()) {
      const index = indexOf(pod)
      const bad = index === undefined || index >= (this.#job.spec.completions ?? 0) || taken.has(index)
      if (bad || completed.has(index) || failedIndexes.has(index)) useless.add(pod)
      else taken.add(index)
    }
    const rest = ranked.filter((pod) => !useless.has(pod))
    return [...useless, ...rest.slice(0, Math.max(0, rest.length - wanted))]
  }

  #creations(count: Count, missing: number): readonly Creation[] {
    if (!this.#perIndex) {
      const { count: failures, lastMs } = this.#failures
      if (failures > 0) {
        const leftMs = lastMs + backoffOf(failures) - this.#nowMs
        if (leftMs > 0) {
          this.#againBy(leftMs)
          return []
        }
      }
    }
    if (!this.#indexed) return Array.from({ length: missing }, () => ({}))
    const taken = new Set([...count.completed, ...count.failedIndexes])
    for (const pod of this.#pods) {
      const index = indexOf(pod)
      if (index !== undefined && (isActive(pod) || (this.#onlyFailed && isTerminating(pod)))) taken.add(index)
    }
    const created: Creation[] = []
    for (let index = 0; index < (this.#job.spec.completions ?? 0) && created.length < missing; index++) {
      if (taken.has(index)) continue
      const creation = this.#perIndex ? this.#retryOf(index, count) : { index }
      if (creation) created.push(creation)
    }
    return created
  }

  /** Undefined: its last failure is too short a time ago. */
  #retryOf(index: number, { failed }: Count): Creation | undefined {
    const last = lastFailure(failed, index)
    if (!last) return { index, failures: { counted: 0, ignored: 0 } }
    const before = failuresOf(last)
    const isIgnored = this.#verdict(last).action === 'Ignore'
    const failures = {
      counted: before.counted + (isIgnored ? 0 : 1),
      ignored: before.ignored + (isIgnored ? 1 : 0),
    }
    const leftMs = finishedMs(last) + backoffOf(failures.counted + failures.ignored) - this.#nowMs
    if (leftMs <= 0) return { index, failures }
    this.#againBy(leftMs)
    return undefined
  }

  /** Moves pods into the status: first as uncounted, and into the counters once their finalizer is gone. */
  #track(
    count: Count,
    end: End | undefined,
    isGoing: boolean,
  ): { status: Partial<Status>; release: readonly SomePod[] } {
    const { status } = this.#job
    const held = new Set(this.#pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ''))
    const uncounted = {
      succeeded: status.uncountedTerminatedPods?.succeeded ?? [],
      failed: status.uncountedTerminatedPods?.failed ?? [],
    }
    const still = {
      succeeded: uncounted.succeeded.filter((uid) => held.has(uid)),
      failed: uncounted.failed.filter((uid) => held.has(uid)),
    }
    const known = new Set([...still.succeeded, ...still.failed])
    const release: SomePod[] = []
    for (const pod of this.#pods.filter(isTracked)) {
      if (release.length >= batch) break
      const uid = pod.metadata.uid ?? ''
      if (known.has(uid)) release.push(pod)
      else if (pod.status.phase === 'Succeeded') {
        if (!this.#indexed) still.succeeded.push(uid)
        release.push(pod)
      } else if (this.#hasFailed(pod)) {
        if (this.#waitsForSuccessor(pod, count, end, isGoing)) continue
        if (this.#verdict(pod).action !== 'Ignore' || end?.type === 'FailureTarget') still.failed.push(uid)
        release.push(pod)
      } else if (end || isGoing) {
        if (end?.type === 'FailureTarget') still.failed.push(uid)
        release.push(pod)
      }
    }
    const has = still.succeeded.length > 0 || still.failed.length > 0
    const indexes = this.#indexed
      ? {
          ...(count.completed.size > 0 ? { completedIndexes: formatIndexes(count.completed) } : {}),
          ...(this.#perIndex ? { failedIndexes: formatIndexes(count.failedIndexes) } : {}),
        }
      : {}
    const moved = uncounted.succeeded.length - still.succeeded.filter((uid) => uncounted.succeeded.includes(uid)).length
    const movedFailed = uncounted.failed.length - still.failed.filter((uid) => uncounted.failed.includes(uid)).length
    return {
      release,
      status: {
        ...indexes,
        succeeded: this.#indexed ? count.completed.size : (status.succeeded ?? 0) + moved,
        failed: (status.failed ?? 0) + movedFailed,
        uncountedTerminatedPods: has
          ? {
              ...(still.succeeded.length > 0 ? { succeeded: still.succeeded } : {}),
              ...(still.failed.length > 0 ? { failed: still.failed } : {}),
            }
          : {},
      },
    }
  }

  /** With limits per index a failed pod remembers the count until the next one of its index carries it. */
  #waitsForSuccessor(
    pod: SomePod,
    { failedIndexes, completed }: Count,
    end: End | undefined,
    isGoing: boolean,
  ): boolean {
    const index = indexOf(pod)
    if (!this.#perIndex || end || isGoing || index === undefined) return false
    if (failedIndexes.has(index) || completed.has(index) || index >= (this.#job.spec.completions ?? 0)) return false
    const total = sumOf(failuresOf(pod))
    return !this.#pods.some((other) => other !== pod && indexOf(other) === index && sumOf(failuresOf(other)) > total)
  }

  #conditions(end: End | undefined): readonly Frozen<JobCondition>[] {
    const { conditions = [] } = this.#job.status
    const { suspend = false } = this.#job.spec
    let next: readonly Frozen<JobCondition>[] = conditions
    if (end && !conditions.some(({ type, status }) => type === end.type && status === 'True'))
      next = this.#with(next, end.type, 'True', end.reason, end.message)
    if (end) return next
    const known = conditions.find(({ type }) => type === 'Suspended')
    if (suspend && known?.status !== 'True') {
      next = this.#with(next, 'Suspended', 'True', 'JobSuspended', 'Job suspended')
      this.#events.push({ type: 'Normal', reason: 'Suspended', message: 'Job suspended' })
    } else if (!suspend && known?.status === 'True') {
      next = this.#with(next, 'Suspended', 'False', 'JobResumed', 'Job resumed')
      this.#events.push({ type: 'Normal', reason: 'Resumed', message: 'Job resumed' })
    }
    return next
  }

  #resumedAt(conditions: readonly Frozen<JobCondition>[], startTime: string | undefined): string | undefined {
    const before = holds(this.#job.status, 'Suspended')
    const isResumed = before && conditions.some(({ type, status }) => type === 'Suspended' && status === 'False')
    return isResumed ? formatTime(this.#nowMs) : startTime
  }

  /** With the last condition, once nothing of the job is left to count or to wait for. */
  #over(status: Status, end: End | undefined, release: readonly SomePod[], kill: readonly SomePod[]): Status {
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
    const isLeft = succeeded.length > 0 || failed.length > 0 || release.length > 0 || kill.length > 0
    if (!end || isLeft || this.#terminating > 0) return status
    const now = formatTime(this.#nowMs)
    const { conditions = [] } = status
    const isSuccess = end.type === 'SuccessCriteriaMet'
    const type = isSuccess ? 'Complete' : 'Failed'
    this.#events.push(
      isSuccess
        ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
        : { type: 'Warning', reason: end.reason, message: end.message },
    )
    return {
      ...status,
      conditions: this.#with(conditions, type, 'True', end.reason, end.message),
      ...(isSuccess ? { completionTime: now } : {}),
    }
  }

  #with(
    conditions: readonly Frozen<JobCondition>[],
    type: string,
    status: string,
    reason: string,
    message: string,
  ): readonly Frozen<JobCondition>[] {
    const now = formatTime(this.#nowMs)
    const made = { type, status, reason, message, lastProbeTime: now, lastTransitionTime: now }
    const index = conditions.findIndex((each) => each.type === type)
    return index < 0 ? [...conditions, made] : conditions.with(index, made)
  }

  #againBy(afterMs: number): void {
    this.#againAfterMs = Math.min(afterMs, this.#againAfterMs ?? afterMs)
  }
}

interface Count {
  /** Pods that the status does not know yet. */
  readonly succeeded: readonly SomePod[]
  readonly failed: readonly SomePod[]
  readonly completed: ReadonlySet<number>
  readonly failedIndexes: ReadonlySet<number>
  readonly succeededTotal: number
  readonly failedTotal: number
}

interface Managed {
  readonly create: readonly Creation[]
  readonly drop: readonly SomePod[]
}

function fails(reason: string, message: string): End {
  return { type: 'FailureTarget', reason, message }
}

function backoffOf(failures: number): number {
  return Math.min(backoffMsMax, backoffMs * 2 ** (failures - 1))
}

function sumOf({ counted, ignored }: IndexFailures): number {
  return counted + ignored
}

function lastFailure(failed: readonly SomePod[], index: number): SomePod | undefined {
  let last: SomePod | undefined
  for (const pod of failed)
    if (indexOf(pod) === index && (!last || sumOf(failuresOf(pod)) > sumOf(failuresOf(last)))) last = pod
  return last
}

function sameStatus(before: Status, after: Status): boolean {
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
  // A job that has not been looked at has no start.
  return before.startTime === after.startTime && deepEqual(plain(before), plain(after))
}
