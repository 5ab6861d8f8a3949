import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
} from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { formatLabelSelector, type Frozen, labelSelectorFromObject, quantityMilliValue } from '../../object/index.ts'
import type { Metric, MetricsApi } from './metricsapi.ts'
import {
  type Computed,
  NoReplicas,
  type PodDelays,
  replicasByAverage,
  replicasByShare,
  replicasByUtilization,
  replicasByValue,
  type Samples,
  type Tolerances,
} from './replicas.ts'
import { requestsOf } from './requests.ts'

/** The number of pods that one metric asks for. */
export interface Proposal {
  readonly replicas: number
  /** As events name the metric. */
  readonly name: string
  readonly status: MetricStatus
}

/** A metric that can't be judged: `reason` is that of the condition. */
export class MetricFailure extends Error {
  readonly reason: string

  constructor(reason: string, message: string, cause: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

export interface Target {
  readonly autoscaler: Frozen<HorizontalPodAutoscaler>
  /** As the target's scale says: wanted, and there. */
  readonly replicas: number
  readonly statusReplicas: number
  /** Selects the target's pods, as text. */
  readonly selector: string
  readonly pods: readonly Frozen<Pod>[]
}

export interface EvaluateOptions {
  readonly tolerance: number
  readonly delays: PodDelays
  readonly nowMs: number
}

/** Rejects with MetricFailure. */
export async function evaluate(
  spec: Frozen<MetricSpec>,
  target: Target,
  api: MetricsApi,
  options: EvaluateOptions,
): Promise<Proposal> {
  const evaluation = new Evaluation(target, api, options)
  switch (spec.type) {
    case 'Resource':
      return await failing('FailedGetResourceMetric', () => evaluation.resource(spec))
    case 'ContainerResource':
      return await failing('FailedGetContainerResourceMetric', () => evaluation.containerResource(spec))
    case 'Pods':
      return await failing('FailedGetPodsMetric', () => evaluation.podsMetric(spec))
    case 'Object':
      return await failing('FailedGetObjectMetric', () => evaluation.objectMetric(spec))
    case 'External':
      return await failing('FailedGetExternalMetric', () => evaluation.externalMetric(spec))
    default:
      throw new MetricFailure('InvalidMetricSourceType', `unknown metric source type "${spec.type}"`, undefined)
  }
}

async function failing(reason: string, run: () => Promise<Proposal>): Promise<Proposal> {
  try {
    return await run()
  } catch (error) {
    throw new MetricFailure(reason, error instanceof Error ? error.message : String(error), error)
  }
}

/** The metrics of one autoscaler at one moment. */
class Evaluation {
  readonly #target: Target
  readonly #api: MetricsApi
  readonly #options: EvaluateOptions
  readonly #tolerances: Tolerances

  constructor(target: Target, api: MetricsApi, options: EvaluateOptions) {
    this.#target = target
    this.#api = api
    this.#options = options
    const { behavior } = target.autoscaler.spec
    const of = (rules: Frozen<HPAScalingRules> | undefined): number =>
      rules?.tolerance === undefined ? options.tolerance : milliOf(rules.tolerance) / 1000
    this.#tolerances = { up: of(behavior?.scaleUp), down: of(behavior?.scaleDown) }
  }

  get #namespace(): string {
    return this.#target.autoscaler.metadata.namespace ?? ''
  }

  async resource({ resource }: Frozen<MetricSpec>): Promise<Proposal> {
    const { name, target } = present(resource)
    const { computed, suffix } = await this.#ofResource(name, undefined, target)
    return {
      replicas: computed.replicas,
      name: `${name} resource${suffix}`,
      status: { type: 'Resource', resource: { name, current: currentOf(computed) } },
    }
  }

  async containerResource({ containerResource }: Frozen<MetricSpec>): Promise<Proposal> {
    const { name, container, target } = present(containerResource)
    const { computed, suffix } = await this.#ofResource(name, container, target)
    return {
      replicas: computed.replicas,
      name: `${name} container resource${suffix}`,
      status: { type: 'ContainerResource', containerResource: { name, container, current: currentOf(computed) } },
    }
  }

  async #ofResource(
    name: string,
    container: string | undefined,
    target: Frozen<{ averageValue?: string; averageUtilization?: number }>,
  ): Promise<{ computed: Computed; suffix: string }> {
    const { pods, selector } = this.#target
    const { averageValue, averageUtilization } = target
    const isRaw = averageValue !== undefined
    if (!isRaw && averageUtilization === undefined)
      throw new NoReplicas(
        'invalid resource metric source: neither an average utilization nor an average value target was set',
      )
    try {
      const samples = await explainUnable(
        `resource ${name}`,
        this.#api.ofPods(this.#namespace, selector, name, container),
      )
      const given = this.#given(samples, name === 'cpu')
      if (isRaw) return { computed: replicasByAverage(given, milliOf(averageValue)), suffix: '' }
      const requests = requestsOf(pods, name, container)
      const computed = replicasByUtilization(given, requests, averageUtilization ?? 0)
      return { computed, suffix: ' utilization (percentage of request)' }
    } catch (error) {
      throw worded(`failed to get ${name} ${isRaw ? 'usage' : 'utilization'}`, error)
    }
  }

  async podsMetric({ pods }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target } = present(pods)
    try {
      const samples = await explainUnable(
        `metric ${metric.name}`,
        this.#api.customOfPods(this.#namespace, metricOf(metric), this.#target.selector),
      )
      const computed = replicasByAverage(this.#given(samples, false), milliOf(target.averageValue))
      return {
        replicas: computed.replicas,
        name: `pods metric ${metric.name}`,
        status: { type: 'Pods', pods: { metric: metric as MetricIdentifier, current: currentOf(computed) } },
      }
    } catch (error) {
      throw worded('failed to get pods metric value', error)
    }
  }

  async objectMetric({ object }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target, describedObject } = present(object)
    const { kind, name } = describedObject
    try {
      const usage = await explainUnable(
        `metric ${metric.name}: ${kind} on ${this.#namespace} ${name}`,
        this.#api.customOfObject(this.#namespace, metricOf(metric), describedObject),
      )
      const { replicas, current } = this.#againstTarget(usage, target)
      return {
        replicas,
        name: `${kind} metric ${metric.name}`,
        status: { type: 'Object', object: { describedObject, metric: metric as MetricIdentifier, current } },
      }
    } catch (error) {
      throw worded('failed to get object metric value', error)
    }
  }

  async externalMetric({ external }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target } = present(external)
    const selector = formatLabelSelector(metric.selector)
    try {
      const usage = await explainUnable(
        `external metric ${this.#namespace}/${metric.name}/${selector}`,
        this.#api.external(this.#namespace, metricOf(metric)),
      )
      const { replicas, current } = this.#againstTarget(usage, target)
      return {
        replicas,
        name: `external metric ${metric.name}(${selector})`,
        status: { type: 'External', external: { metric: metric as MetricIdentifier, current } },
      }
    } catch (error) {
      throw worded(`failed to get ${metric.name} external metric`, error)
    }
  }

  #againstTarget(
    usageMilli: number,
    { value, averageValue }: Frozen<{ value?: string; averageValue?: string }>,
  ): { replicas: number; current: { value?: string; averageValue?: string } } {
    const { pods, replicas: current, statusReplicas } = this.#target
    const tolerances = this.#tolerances
    if (averageValue !== undefined) {
      const computed = replicasByShare({ statusReplicas, tolerances }, usageMilli, milliOf(averageValue))
      return { replicas: computed.replicas, current: currentOf(computed) }
    }
    if (value === undefined) throw new NoReplicas('neither a value target nor an average value target was set')
    const replicas = replicasByValue({ current, pods, tolerances }, usageMilli, milliOf(value))
    return { replicas, current: { value: formatMilli(usageMilli) } }
  }

  #given(samples: Samples, isProcessor: boolean) {
    const { pods, replicas: current } = this.#target
    const { delays, nowMs } = this.#options
    return { current, pods, samples, tolerances: this.#tolerances, delays: isProcessor ? delays : undefined, nowMs }
  }
}

function present<T>(source: T | undefined): T {
  if (source === undefined) throw new NoReplicas('the metric has no source of its type')
  return source
}

async function explainUnable<T>(what: string, pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (error) {
    throw worded(`unable to get metrics for ${what}`, error)
  }
}

function worded(what: string, error: unknown): Error {
  return new NoReplicas(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}

function metricOf({ name, selector }: Frozen<MetricIdentifier>): Metric {
  return { name, selector: selector === undefined ? '' : labelSelectorFromObject(selector).toString() }
}

function currentOf({ utilization, averageMilli }: Computed): { averageValue: string; averageUtilization?: number } {
  const averageValue = formatMilli(averageMilli)
  return utilization === undefined ? { averageValue } : { averageUtilization: utilization, averageValue }
}

function formatMilli(milli: number): string {
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`
}

function milliOf(text: string | undefined): number {
  return Number(quantityMilliValue(text ?? '0'))
}
