import { isActive, isTerminating } from '../shared/podstate.ts'
import { judge, type Verdict } from './failurepolicy.ts'
import type { SomeJob, SomePod } from './pod.ts'

/** Maximum number of pods that one turn creates, drops or releases. */
export const batch = 500

export interface Notice {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** A job with its pods at one moment, and the events and next turn that the steps of its plan request. */
export class Turn {
  readonly job: SomeJob
  readonly pods: readonly SomePod[]
  readonly nowMs: number
  /** When a pod ended. */
  readonly endedMs: (pod: SomePod) => number
  readonly isIndexed: boolean
  /** Failures are limited per index (backoffLimitPerIndex). */
  readonly limitsIndexes: boolean
  /** A pod is replaced once it has failed, not while it terminates. */
  readonly replacesFailedOnly: boolean
  readonly active: readonly SomePod[]
  readonly terminating: number
  readonly events: Notice[] = []
  readonly #verdicts = new Map<SomePod, Verdict>()
  #againAfterMs: number | undefined

  constructor(job: SomeJob, pods: readonly SomePod[], nowMs: number, endedMs: (pod: SomePod) => number) {
    const { spec } = job
    this.job = job
    this.pods = pods
    this.nowMs = nowMs
    this.endedMs = endedMs
    this.isIndexed = spec.completionMode === 'Indexed'
    this.limitsIndexes = this.isIndexed && spec.backoffLimitPerIndex !== undefined
    this.replacesFailedOnly = spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
    this.active = pods.filter(isActive)
    this.terminating = pods.filter(isTerminating).length
  }

  /** The earliest of the times that steps requested. */
  get againAfterMs(): number | undefined {
    return this.#againAfterMs
  }

  againBy(afterMs: number): void {
    this.#againAfterMs = Math.min(afterMs, this.#againAfterMs ?? afterMs)
  }

  /** The pod failure policy's verdict on a pod. */
  verdict(pod: SomePod): Verdict {
    let verdict = this.#verdicts.get(pod)
    if (!verdict) this.#verdicts.set(pod, (verdict = judge(this.job, pod)))
    return verdict
  }

  hasFailed(pod: SomePod): boolean {
    if (pod.status.phase === 'Failed') return true
    return !this.replacesFailedOnly && pod.metadata.deletionTimestamp !== undefined && pod.status.phase !== 'Succeeded'
  }
}
