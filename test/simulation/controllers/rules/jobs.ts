import type { Job } from '../../../../api/gen/batch/v1.ts'
import type { Pod } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { controllerOf, keyOf, nameOf } from '../../../../lib/controller/index.ts'
import type { Frozen } from '../../../../lib/object/index.ts'
import type { Write } from '../truth.ts'
import { isActive, type View } from '../view.ts'
import { Violation } from '../violation.ts'

const { jobs: jobsType, cronjobs } = resources.batch.v1
const indexAnnotation = 'batch.kubernetes.io/job-completion-index'

interface Ended {
  readonly succeeded: Set<string>
  /** Pods that failed, or were deleted before they ended. */
  readonly failed: Set<string>
  readonly indexes: Set<string>
}

/** Jobs run no more pods than they may, and count each exactly once. */
export class JobRules {
  readonly #view: View
  readonly #ended = new Map<string, Ended>()
  /** Uids of jobs that two leaders wrote. */
  readonly #doubtful = new Set<string>()

  constructor(view: View) {
    this.#view = view
  }

  clear(): void {
    this.#ended.clear()
    this.#doubtful.clear()
  }

  podWritten({ before, after }: Write): void {
    const pod = (after ?? before) as Frozen<Pod>
    const owner = controllerOf(pod) ?? (before && controllerOf(before))
    if (owner?.kind !== 'Job') return
    let ended = this.#ended.get(owner.uid)
    if (!ended) this.#ended.set(owner.uid, (ended = { succeeded: new Set(), failed: new Set(), indexes: new Set() }))
    if (!before) this.#made(pod, owner.uid, ended)
    const { uid = '', deletionTimestamp, annotations, finalizers = [] } = pod.metadata
    // A pod that was let go of before is not counted.
    if (pod.status.phase === 'Succeeded' && finalizers.length > 0) {
      ended.succeeded.add(uid)
      ended.indexes.add(annotations?.[indexAnnotation] ?? '')
    }
    // The controller need not have seen that a pod which it deletes had succeeded.
    if (pod.status.phase === 'Failed' || deletionTimestamp !== undefined || !after) ended.failed.add(uid)
  }

  #made(pod: Frozen<Pod>, uid: string, { succeeded, indexes }: Ended): void {
    const view = this.#view
    const versions = view.versions(jobsType, uid)
    if (versions.length === 0 || view.leaders > 1) return
    if (!versions.some((job) => !isFinished(job) && job.spec.suspend !== true))
      throw new Violation(`${keyOf(pod)} was made for a job that is over, or suspended`)
    const active = view.pods(uid).filter(isActive)
    const most = Math.max(...versions.map(({ spec }) => spec.parallelism ?? 1))
    if (active.length > most)
      throw new Violation(`${keyOf(pod)} is active pod ${active.length} of a job of ${most} at once`)
    const { completions, completionMode } = versions.at(-1)?.spec ?? {}
    const total = active.length + succeeded.size
    if (completionMode !== 'Indexed') {
      if (completions !== undefined && total > completions)
        throw new Violation(`${keyOf(pod)} is pod ${total} of a job of ${completions}`)
      return
    }
    const index = pod.metadata.annotations?.[indexAnnotation] ?? ''
    if (indexes.has(index)) throw new Violation(`${keyOf(pod)} is for index ${index}, which has succeeded`)
    const twin = active.find(
      (each) => each.metadata.uid !== pod.metadata.uid && each.metadata.annotations?.[indexAnnotation] === index,
    )
    if (twin) throw new Violation(`${keyOf(pod)} is for index ${index}, as ${keyOf(twin)}`)
  }

  written({ resource, before, after }: Write): void {
    if (resource !== nameOf(jobsType) || !after) return
    const job = after as Frozen<Job>
    if (!before) return this.#started(job)
    // Two leaders may count one pod: each holds the other's pods for its own until its informer shows them counted.
    if (this.#view.leaders > 1) this.#doubtful.add(job.metadata.uid ?? '')
    const was = before as Frozen<Job>
    if (isFinished(was) && !isFinished(job)) throw new Violation(`job ${keyOf(job)} was over and is no more`)
    if (this.#doubtful.has(job.metadata.uid ?? '')) return
    const { succeeded = 0, failed = 0 } = job.status ?? {}
    const ended = this.#ended.get(job.metadata.uid ?? '')
    if (succeeded > (ended?.succeeded.size ?? 0))
      throw new Violation(`job ${keyOf(job)} counts ${succeeded} successes of ${ended?.succeeded.size ?? 0}`)
    if (failed > (ended?.failed.size ?? 0))
      throw new Violation(`job ${keyOf(job)} counts ${failed} failures of ${ended?.failed.size ?? 0}`)
    const all = new Set([...(ended?.succeeded ?? []), ...(ended?.failed ?? [])])
    if (succeeded + failed > all.size)
      throw new Violation(`job ${keyOf(job)} counts ${succeeded + failed} of ${all.size} pods`)
    if (succeeded < (was.status?.succeeded ?? 0)) throw new Violation(`job ${keyOf(job)} counts down`)
  }

  /** A cron job has started one. */
  #started(job: Frozen<Job>): void {
    const owner = controllerOf(job)
    if (owner?.kind !== 'CronJob' || this.#view.leaders > 1) return
    const versions = this.#view.versions(cronjobs, owner.uid)
    if (versions.length === 0 || versions.some(({ spec }) => spec.concurrencyPolicy !== 'Forbid')) return
    const other = this.#view.truth
      .all(jobsType)
      .find(
        (each) =>
          controllerOf(each)?.uid === owner.uid &&
          each.metadata.uid !== job.metadata.uid &&
          !isFinished(each) &&
          each.metadata.deletionTimestamp === undefined,
      )
    if (other) throw new Violation(`${keyOf(job)} was started while ${keyOf(other)} runs`)
  }
}

export function isFinished({ status }: Frozen<Job>): boolean {
  const conditions = status?.conditions ?? []
  return conditions.some(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True')
}
