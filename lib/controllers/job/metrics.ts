import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Metrics } from '../../base/index.ts'
import type { InformerEvent } from '../../controller/index.ts'
import { holds, type Status } from './conditions.ts'
import { IndexSet } from './indexset.ts'
import type { Plan } from './plan.ts'
import { isTracked, type SomeJob, type SomePod } from './pod.ts'

/** The outcome of a plan. */
interface Performed {
  readonly created: number
  readonly notCreated: number
  /** Undefined where none was written. */
  readonly status: Status | undefined
}

export interface JobMetrics {
  performed(job: SomeJob, plan: Plan, result: Performed): void
  /** A turn of a job has ended. */
  synced(job: SomeJob, plan: Plan | undefined, seconds: number, failed: boolean): void
  /** A pod has changed. */
  podChanged(change: InformerEvent<Pod>): void
  /** A job that another controller runs. */
  foreign(controllerName: string): void
}

const buckets = Array.from({ length: 15 }, (_, index) => 0.004 * 2 ** index)

/** `job_controller_…`, as of the stock controller. */
export function createJobMetrics(metrics: Metrics): JobMetrics {
  const counter = (name: string, help: string, labels: readonly string[], stability: 'ALPHA' | 'STABLE' = 'ALPHA') =>
    metrics.counter({ name: `job_controller_${name}`, help, labels, stability })
  const syncLabels = ['completion_mode', 'result', 'action']
  const seconds = metrics.histogram({
    name: 'job_controller_job_sync_duration_seconds',
    help: 'Duration of a turn of a job, in seconds.',
    labels: syncLabels,
    buckets,
    stability: 'STABLE',
  })
  const syncs = counter('job_syncs_total', 'Turns of jobs.', syncLabels, 'STABLE')
  const finished = counter('jobs_finished_total', 'Finished jobs.', ['completion_mode', 'result', 'reason'], 'STABLE') // biome-ignore format: one line
  const podsFinished = counter('job_pods_finished_total', 'Finished pods that are counted in the status of their job.', ['completion_mode', 'result'], 'STABLE') // biome-ignore format: one line
  const handled = counter('pod_failures_handled_by_failure_policy_total', 'Failed pods that a rule of a pod failure policy matched, by its action.', ['action']) // biome-ignore format: one line
  const held = counter('terminated_pods_tracking_finalizer_total', 'Finished pods with the tracking finalizer: finished (add) and released (delete).', ['event']) // biome-ignore format: one line
  const indexes = counter('job_finished_indexes_total', 'Finished indexes.', ['status', 'backoffLimit'])
  const creations = counter('job_pods_creation_total', 'Attempts to create pods, by reason.', ['reason', 'status']) // biome-ignore format: one line
  const foreign = counter('jobs_by_external_controller_total', 'Jobs that another controller runs.', ['controller_name']) // biome-ignore format: one line

  function statusWritten({ spec, status: before }: SomeJob, after: Status): void {
    const mode = modeOf(spec)
    for (const [type, result] of [
      ['Complete', 'succeeded'],
      ['Failed', 'failed'],
    ] as const) {
      const end = holds(after, type)
      if (end && !holds(before, type)) finished.add([mode, result, end.reason ?? ''])
    }
    for (const result of ['succeeded', 'failed'] as const) {
      const more = (after[result] ?? 0) - (before[result] ?? 0)
      if (more > 0) podsFinished.add([mode, result], more)
    }
    if (mode !== 'Indexed') return
    const limit = spec.backoffLimitPerIndex === undefined ? 'global' : 'perIndex'
    for (const [result, field] of [
      ['succeeded', 'completedIndexes'],
      ['failed', 'failedIndexes'],
    ] as const) {
      const count = (status: Status): number => IndexSet.parse(status[field], spec.completions ?? 0).size
      const more = count(after) - count(before)
      if (more > 0) indexes.add([result, limit], more)
    }
  }

  return {
    performed(job, plan, { created, notCreated, status }) {
      const reason = reasonOf(job)
      if (created > 0) creations.add([reason, 'succeeded'], created)
      if (notCreated > 0) creations.add([reason, 'failed'], notCreated)
      for (const action of plan.judged) handled.add([action])
      if (status) statusWritten(job, status)
    },
    synced(job, plan, took, failed) {
      const labels = [modeOf(job.spec), failed ? 'error' : 'success', actionOf(job, plan)]
      syncs.add(labels)
      seconds.observe(labels, took)
    },
    podChanged({ object, before, deleted }) {
      const was = before !== undefined && isHeld(before)
      const is = !deleted && isHeld(object)
      if (was !== is) held.add([is ? 'add' : 'delete'])
    },
    foreign: (controllerName) => foreign.add([controllerName]),
  }
}

function modeOf({ completionMode }: SomeJob['spec']): string {
  return completionMode === 'Indexed' ? 'Indexed' : 'NonIndexed'
}

function actionOf(job: SomeJob, plan: Plan | undefined): string {
  if (plan && plan.create.length > 0) return 'pods_created'
  if (plan && plan.drop.length > 0) return 'pods_deleted'
  const isEnding = holds(plan?.status ?? job.status, 'FailureTarget') !== undefined
  return !plan || isEnding || job.metadata.deletionTimestamp !== undefined ? 'reconciling' : 'tracking'
}

/** The reason for new pods: the first ones, or replacements of failed or terminating ones. */
function reasonOf({ spec, status }: SomeJob): string {
  const failed = (status.failed ?? 0) + (status.uncountedTerminatedPods?.failed?.length ?? 0)
  if (spec.podReplacementPolicy === 'Failed' && failed > 0) return 'recreate_failed'
  return failed > 0 || (status.terminating ?? 0) > 0 ? 'recreate_terminating_or_failed' : 'new'
}

function isHeld(pod: SomePod): boolean {
  return (pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded') && isTracked(pod)
}
