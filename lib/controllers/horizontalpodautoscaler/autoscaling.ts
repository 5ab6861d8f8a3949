import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import type { HorizontalPodAutoscaler, MetricStatus } from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type Informer,
  isConflict,
  type KindMapper,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import {
  type Frozen,
  formatTime,
  type LabelSelector,
  parseGroupVersion,
  parseLabelSelector,
  type ResourceType,
} from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { type ConditionType, type Said, withCondition } from './conditions.ts'
import { evaluate, MetricFailure, type Proposal, type Target } from './evaluate.ts'
import type { Action, AutoscalerMetrics } from './metrics.ts'
import type { MetricsApi } from './metricsapi.ts'
import { noPast, normalize, type Past, withChange } from './normalize.ts'

type SomeAutoscaler = Frozen<HorizontalPodAutoscaler>
export type Status = Frozen<HorizontalPodAutoscaler['status']>

export interface Outcome {
  readonly status: Status
  readonly past: Past
  readonly action: Action
  readonly failed: boolean
}

export interface Parts {
  readonly context: ControllerContext
  readonly client: Client
  readonly kinds: KindMapper
  readonly api: MetricsApi
  readonly pods: Informer<Pod>
  /** Selectors of the autoscalers' targets, by key: two that select the same pods would fight. */
  readonly selectors: Map<string, LabelSelector>
  readonly metrics: AutoscalerMetrics
  readonly past: Past
}

/** Ends a look at an autoscaler early, with a condition that says why. */
class Stopped extends Error {
  readonly type: ConditionType
  readonly said: Said
  readonly event: { readonly reason: string; readonly message: string }

  constructor(type: ConditionType, reason: string, message: string, event: { reason?: string; message?: string } = {}) {
    super(message)
    this.type = type
    this.said = { status: 'False', reason, message }
    this.event = { reason, message, ...event }
  }
}

/** One look at one autoscaler. */
export class Autoscaling {
  readonly #parts: Parts
  readonly #autoscaler: SomeAutoscaler
  #conditions: NonNullable<Status['conditions']>
  #past: Past
  #metrics: readonly MetricStatus[] | undefined
  #current = 0
  #isScaleRead = false

  constructor(parts: Parts, autoscaler: SomeAutoscaler) {
    this.#parts = parts
    this.#autoscaler = autoscaler
    this.#conditions = autoscaler.status.conditions ?? []
    this.#past = parts.past
  }

  async run(): Promise<Outcome> {
    try {
      return await this.#scale()
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      this.#say(error.type, error.said)
      this.#parts.context.events.event(this.#autoscaler, 'Warning', error.event.reason, error.event.message)
      return this.#failure()
    }
  }

  async #scale(): Promise<Outcome> {
    const { spec } = this.#autoscaler
    const { type, scale } = await this.#readScale()
    const current = scale.spec.replicas ?? 0
    this.#current = current
    this.#isScaleRead = true
    this.#say('AbleToScale', succeededGet)
    if (this.#past === noPast) this.#past = { ...noPast, recommendations: [{ atMs: this.#pastMs, replicas: current }] }
    const min = spec.minReplicas ?? 1
    if (current === 0 && min !== 0) {
      this.#say('ScalingActive', disabled)
      return this.#outcome(0, false)
    }
    if (current > spec.maxReplicas)
      return await this.#rescale(type, scale, spec.maxReplicas, 'Current number of replicas above Spec.MaxReplicas')
    if (current < min) return await this.#rescale(type, scale, min, 'Current number of replicas below Spec.MinReplicas')
    const best = await this.#propose(scale)
    const normalized = normalize(
      {
        current,
        desired: best.replicas,
        min,
        max: spec.maxReplicas,
        behavior: spec.behavior,
        downscaleStabilizationMs: this.#parts.context.settings.horizontalPodAutoscalerDownscaleStabilization,
      },
      this.#past,
      this.#pastMs,
    )
    this.#past = { ...this.#past, recommendations: normalized.recommendations }
    this.#say('AbleToScale', normalized.ableToScale)
    this.#say('ScalingLimited', normalized.scalingLimited)
    if (normalized.replicas === current) return this.#outcome(current, false)
    const why = normalized.replicas > current ? `${best.name} above target` : 'All metrics below target'
    return await this.#rescale(type, scale, normalized.replicas, why)
  }

  async #readScale(): Promise<{ type: ResourceType; scale: Frozen<Scale> }> {
    const { client, kinds } = this.#parts
    const { kind, name, apiVersion = '' } = this.#autoscaler.spec.scaleTargetRef
    const group = parseGroupVersion(apiVersion)?.group ?? ''
    try {
      const type = await kinds.resourceOf(group, kind)
      if (!type) throw new Error(`no matches for kind "${kind}" in group "${group}"`)
      const namespace = namespaceOf(this.#autoscaler)
      return { type, scale: await client.resource(type).subresource<Scale>('scale').get({ namespace, name }) }
    } catch (error) {
      const message = messageOf(error)
      const why = `the HPA controller was unable to get the target's current scale: ${message}`
      throw new Stopped('AbleToScale', 'FailedGetScale', why, { message })
    }
  }

  /** The proposal for most pods. Without one metric fewer pods are never wanted: it might have asked for more. */
  async #propose(scale: Frozen<Scale>): Promise<Proposal> {
    const { context, api, metrics } = this.#parts
    const target = this.#targetOf(scale)
    const { settings } = context
    const options = {
      tolerance: settings.horizontalPodAutoscalerTolerance,
      delays: {
        cpuInitializationMs: settings.horizontalPodAutoscalerCpuInitializationPeriod,
        initialReadinessMs: settings.horizontalPodAutoscalerInitialReadinessDelay,
      },
      nowMs: this.#nowMs,
    }
    const specs = this.#autoscaler.spec.metrics ?? []
    const proposals: Proposal[] = []
    const failures: MetricFailure[] = []
    for (const spec of specs) {
      const startMs = context.clock.monotonicMs()
      const computed = (action: Action, failed: boolean): void =>
        metrics.computed(spec.type, action, failed, (context.clock.monotonicMs() - startMs) / 1000)
      try {
        const proposal = await evaluate(spec, target, api, options)
        computed(actionOf(proposal.replicas - this.#current), false)
        proposals.push(proposal)
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error
        computed('none', true)
        failures.push(error)
        context.events.event(this.#autoscaler, 'Warning', error.reason, error.message)
      }
    }
    this.#metrics = proposals.map(({ status }) => status)
    const [first] = failures
    const best = proposals.reduce<Proposal | undefined>(
      (most, each) => (most === undefined || each.replicas > most.replicas ? each : most),
      undefined,
    )
    if (first && (best === undefined || best.replicas < this.#current)) {
      const message = `the HPA was unable to compute the replica count: ${first.message}`
      const all = `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${first.summary}`
      throw new Stopped('ScalingActive', first.reason, message, {
        reason: 'FailedComputeMetricsReplicas',
        message: all,
      })
    }
    if (best === undefined) throw new Stopped('ScalingActive', 'InvalidMetricSourceType', 'no metrics are given')
    const message = `the HPA was able to successfully calculate a replica count from ${best.name}`
    this.#say('ScalingActive', { status: 'True', reason: 'ValidMetricFound', message })
    return best
  }

  #targetOf({ status, spec }: Frozen<Scale>): Target {
    const { pods, selectors } = this.#parts
    const text = status.selector ?? ''
    if (text === '')
      throw new Stopped('ScalingActive', 'InvalidSelector', "the HPA target's scale is missing a selector", {
        reason: 'SelectorRequired',
        message: 'selector is required',
      })
    const selector = this.#parse(text)
    const key = keyOf(this.#autoscaler)
    const namespace = namespaceOf(this.#autoscaler)
    selectors.set(key, selector)
    const own = Array.from(pods.in(namespace)).filter(({ metadata }) => selector.matches(metadata.labels ?? {}))
    const rivals = [...selectors].filter(
      ([other, theirs]) =>
        other !== key &&
        other.startsWith(`${namespace}/`) &&
        own.some(({ metadata }) => theirs.matches(metadata.labels ?? {})),
    )
    if (rivals.length > 0) {
      const names = [key, ...rivals.map(([other]) => other)].sort().join(' ')
      const message = `pods by selector ${text} are controlled by multiple HPAs: [${names}]`
      throw new Stopped('ScalingActive', 'AmbiguousSelector', message)
    }
    return {
      autoscaler: this.#autoscaler,
      replicas: spec.replicas ?? 0,
      statusReplicas: status.replicas,
      selector: text,
      pods: own,
    }
  }

  #parse(text: string): LabelSelector {
    try {
      return parseLabelSelector(text)
    } catch (error) {
      const why = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`
      throw new Stopped('ScalingActive', 'InvalidSelector', why)
    }
  }

  async #rescale(type: ResourceType, scale: Frozen<Scale>, replicas: number, why: string): Promise<Outcome> {
    const { client, context } = this.#parts
    const { name, namespace } = scale.metadata
    const size = `New size: ${replicas}; reason: ${why}`
    try {
      await client
        .resource(type)
        .subresource<Scale>('scale')
        .update({ name, namespace }, { ...scale, spec: { ...scale.spec, replicas } })
    } catch (error) {
      // The target has changed: it is looked at anew.
      if (isConflict(error)) throw error
      const message = `the HPA controller was unable to update the target scale: ${messageOf(error)}`
      this.#say('AbleToScale', { status: 'False', reason: 'FailedUpdateScale', message })
      context.events.event(this.#autoscaler, 'Warning', 'FailedRescale', `${size}; error: ${messageOf(error)}`)
      return this.#failure()
    }
    const message = `the HPA controller was able to update the target scale to ${replicas}`
    this.#say('AbleToScale', { status: 'True', reason: 'SucceededRescale', message })
    context.events.event(this.#autoscaler, 'Normal', 'SuccessfulRescale', size)
    this.#past = withChange(this.#past, replicas - this.#current, this.#pastMs)
    return { ...this.#outcome(replicas, true), action: actionOf(replicas - this.#current) }
  }

  /** The time of what is remembered: windows last as long however the wall clock is set. */
  get #pastMs(): number {
    return this.#parts.context.clock.monotonicMs()
  }

  get #nowMs(): number {
    return this.#parts.context.clock.now()
  }

  #say(type: ConditionType, said: Said): void {
    this.#conditions = withCondition(this.#conditions, type, said, this.#nowMs)
  }

  /** Without a scale nothing is known anew; without a proposal the one that was made last stands. */
  #failure(): Outcome {
    const { status } = this.#autoscaler
    const outcome = this.#outcome(status.desiredReplicas, false)
    if (this.#isScaleRead) return { ...outcome, failed: true }
    return { ...outcome, status: { ...status, conditions: this.#conditions }, failed: true }
  }

  #outcome(desiredReplicas: number, rescaled: boolean): Outcome {
    const { lastScaleTime, observedGeneration } = this.#autoscaler.status
    const time = rescaled ? formatTime(this.#nowMs) : lastScaleTime
    const status: Status = {
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
      ...(time === undefined ? {} : { lastScaleTime: time }),
      currentReplicas: this.#current,
      desiredReplicas,
      ...(this.#metrics === undefined ? {} : { currentMetrics: this.#metrics }),
      conditions: this.#conditions,
    }
    return { status, past: this.#past, action: 'none', failed: false }
  }
}

const succeededGet: Said = {
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
}
const disabled: Said = {
  status: 'False',
  reason: 'ScalingDisabled',
  message: 'scaling is disabled since the replica count of the target is zero',
}

function actionOf(more: number): Action {
  if (more === 0) return 'none'
  return more > 0 ? 'scale_up' : 'scale_down'
}
