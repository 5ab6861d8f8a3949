import type { HorizontalPodAutoscaler, MetricStatus } from '../../../api/gen/autoscaling/v2.ts'
import { assert } from '../../base/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'
import { boundOf } from './bounds.ts'
import { type ConditionType, type ConditionValue, withCondition } from './conditions.ts'
import { type Action, actionOf, type Judgement } from './metrics.ts'
import { noHistory, normalize, type ScalingHistory, withChange } from './normalize.ts'
import type { ScaleTarget, Seen, TargetPods } from './observe.ts'
import { MetricFailure, type Proposal, type ProposalOptions, proposalOf } from './proposal.ts'

export type Status = Frozen<HorizontalPodAutoscaler['status']>

export interface PlanOptions extends ProposalOptions {
  /** For autoscalers without a behavior. */
  readonly downscaleStabilizationMs: number
  /** The time of the history: its windows last as long however the wall clock is set. */
  readonly monotonicMs: number
}

interface PlannedEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** A change of the target's scale. */
export interface Rescale extends ScaleTarget {
  readonly from: number
  readonly to: number
  readonly reason: string
}

export interface Outcome {
  /** The status to write. */
  readonly status: Status
  readonly history: ScalingHistory
  readonly events: readonly PlannedEvent[]
  readonly action: Action
  readonly failed: boolean
}

/** The outcome where nothing is to be rescaled; else `rescaled` gives it. */
export interface Plan extends Outcome {
  readonly rescale: Rescale | undefined
  readonly judgements: readonly Judgement[]
}

export function plan(seen: Seen, history: ScalingHistory, options: PlanOptions): Plan {
  return new Planning(seen, history, options).plan()
}

/** The outcome once the scale has been written; `failure`: the server's message, where it refused. */
export function rescaled(
  { status, history, rescale: { from, to, reason } }: Plan & { readonly rescale: Rescale },
  before: Status,
  failure: string | undefined,
  { nowMs, monotonicMs }: Pick<PlanOptions, 'nowMs' | 'monotonicMs'>,
): Outcome {
  const size = `New size: ${to}; reason: ${reason}`
  const after = (value: ConditionValue, desiredReplicas: number): Status => ({
    ...status,
    desiredReplicas,
    conditions: withCondition(status.conditions ?? [], 'AbleToScale', value, nowMs),
  })
  if (failure !== undefined) {
    const message = `the HPA controller was unable to update the target scale: ${failure}`
    return {
      status: after({ status: 'False', reason: 'FailedUpdateScale', message }, before.desiredReplicas),
      history,
      events: [{ type: 'Warning', reason: 'FailedRescale', message: `${size}; error: ${failure}` }],
      action: 'none',
      failed: true,
    }
  }
  const message = `the HPA controller was able to update the target scale to ${to}`
  return {
    status: {
      ...after({ status: 'True', reason: 'SucceededRescale', message }, to),
      lastScaleTime: formatTime(nowMs),
    },
    history: withChange(history, to - from, monotonicMs),
    events: [{ type: 'Normal', reason: 'SuccessfulRescale', message: size }],
    action: actionOf(to - from),
    failed: false,
  }
}

/** Plans one autoscaler: each step returns a plan or continues with the next step. */
class Planning {
  readonly #seen: Seen
  readonly #options: PlanOptions
  readonly #isFirst: boolean
  #history: ScalingHistory
  #conditions: NonNullable<Status['conditions']>
  #metrics: readonly MetricStatus[] | undefined
  readonly #events: PlannedEvent[] = []
  readonly #judgements: Judgement[] = []

  constructor(seen: Seen, history: ScalingHistory, options: PlanOptions) {
    this.#seen = seen
    this.#options = options
    this.#isFirst = history === noHistory
    this.#history = history
    this.#conditions = seen.autoscaler.status.conditions ?? []
  }

  plan(): Plan {
    const { target, pods, autoscaler } = this.#seen
    if (target instanceof Error) return this.#withoutScale(target)
    const current = target.scale.spec.replicas ?? 0
    this.#setCondition('AbleToScale', succeededGet)
    if (this.#isFirst)
      this.#history = { ...noHistory, recommendations: [{ atMs: this.#options.monotonicMs, replicas: current }] }
    const bound = boundOf(autoscaler.spec, current)
    if (bound?.reason !== undefined) return this.#rescale(target, current, bound.replicas, bound.reason)
    if (bound) {
      this.#setCondition('ScalingActive', disabled)
      return this.#unchanged(current, bound.replicas)
    }
    assert(pods !== undefined, 'pods are looked for within the limits')
    if (!('pods' in pods)) return this.#fail(current, pods.reason, pods.message, pods.event)
    return this.#byMetrics(target, current, pods)
  }

  #byMetrics(target: ScaleTarget, current: number, { pods }: TargetPods): Plan {
    const { spec } = this.#seen.autoscaler
    const best = this.#bestProposal(target, current, pods)
    if (!('replicas' in best)) return best
    const { behavior, minReplicas: min = 1, maxReplicas: max } = spec
    const { downscaleStabilizationMs, monotonicMs } = this.#options
    const request = { current, desired: best.replicas, min, max, behavior, downscaleStabilizationMs }
    const { replicas, recommendations, ...conditions } = normalize(request, this.#history, monotonicMs)
    this.#history = { ...this.#history, recommendations }
    this.#setCondition('AbleToScale', conditions.ableToScale)
    this.#setCondition('ScalingLimited', conditions.scalingLimited)
    if (replicas === current) return this.#unchanged(current, current)
    const reason = replicas > current ? `${best.name} above target` : 'All metrics below target'
    return this.#rescale(target, current, replicas, reason)
  }

  /** The proposal for most pods. While one metric is unknown no pods are removed: it might have asked for more. */
  #bestProposal({ scale }: ScaleTarget, current: number, pods: TargetPods['pods']): Proposal | Plan {
    const { autoscaler, readings } = this.#seen
    const target = { autoscaler, replicas: current, statusReplicas: scale.status.replicas, pods }
    const specs = autoscaler.spec.metrics ?? []
    const proposals: Proposal[] = []
    const failures: MetricFailure[] = []
    for (const [index, spec] of specs.entries()) {
      const reading = readings[index]
      assert(reading !== undefined, 'every metric was read')
      const judged = { type: spec.type, seconds: reading.seconds }
      try {
        const proposal = proposalOf(spec, reading, target, this.#options)
        this.#judgements.push({ ...judged, action: actionOf(proposal.replicas - current), failed: false })
        proposals.push(proposal)
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error
        this.#judgements.push({ ...judged, action: 'none', failed: true })
        failures.push(error)
        this.#events.push({ type: 'Warning', reason: error.reason, message: error.message })
      }
    }
    this.#metrics = proposals.map(({ status }) => status)
    const best = proposals.reduce<Proposal | undefined>(
      (most, each) => (most === undefined || each.replicas > most.replicas ? each : most),
      undefined,
    )
    const [first] = failures
    if (first && (best === undefined || best.replicas < current)) {
      const summary = `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${first.summary}`
      const message = `the HPA was unable to compute the replica count: ${first.message}`
      return this.#fail(current, first.reason, message, { reason: 'FailedComputeMetricsReplicas', message: summary })
    }
    if (best === undefined) return this.#fail(current, 'InvalidMetricSourceType', 'no metrics are given')
    const message = `the HPA was able to successfully calculate a replica count from ${best.name}`
    this.#setCondition('ScalingActive', { status: 'True', reason: 'ValidMetricFound', message })
    return best
  }

  /** Without a scale, the rest of the status stays as it is. */
  #withoutScale({ message }: Error): Plan {
    const reason = 'FailedGetScale'
    const text = `the HPA controller was unable to get the target's current scale: ${message}`
    this.#setCondition('AbleToScale', { status: 'False', reason, message: text })
    this.#events.push({ type: 'Warning', reason, message })
    const { status } = this.#seen.autoscaler
    return { ...this.#unchanged(0, 0), status: { ...status, conditions: this.#conditions }, failed: true }
  }

  /** Without a proposal, the number that was wanted last stays. */
  #fail(current: number, reason: string, message: string, event = { reason, message }): Plan {
    this.#setCondition('ScalingActive', { status: 'False', reason, message })
    this.#events.push({ type: 'Warning', ...event })
    return { ...this.#unchanged(current, this.#seen.autoscaler.status.desiredReplicas), failed: true }
  }

  #rescale(target: ScaleTarget, from: number, to: number, reason: string): Plan {
    return { ...this.#unchanged(from, to), rescale: { ...target, from, to, reason } }
  }

  #unchanged(currentReplicas: number, desiredReplicas: number): Plan {
    const { lastScaleTime, observedGeneration } = this.#seen.autoscaler.status
    const conditions = this.#conditions
    return {
      status: {
        observedGeneration,
        lastScaleTime,
        currentReplicas,
        desiredReplicas,
        currentMetrics: this.#metrics,
        conditions,
      },
      history: this.#history,
      events: this.#events,
      action: 'none',
      failed: false,
      rescale: undefined,
      judgements: this.#judgements,
    }
  }

  #setCondition(type: ConditionType, value: ConditionValue): void {
    this.#conditions = withCondition(this.#conditions, type, value, this.#options.nowMs)
  }
}

const succeededGet: ConditionValue = {
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
}
const disabled: ConditionValue = {
  status: 'False',
  reason: 'ScalingDisabled',
  message: 'scaling is disabled since the replica count of the target is zero',
}
