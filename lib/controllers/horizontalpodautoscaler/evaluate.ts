import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
} from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, labelSelectorFromObject, quantityMilliValue } from '../../object/index.ts'
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
import { selectorText } from './selectortext.ts'

/** The number of pods that one metric asks for. */
export interface Proposal {
  readonly replicas: number
  /** As events name the metric. */
  readonly name: string
  readonly status: MetricStatus
}

/** A metric that can't be judged: `reason` is that of the condition, and of the event about this metric. */
export class MetricFailure extends Error {
  readonly reason: string
  /** The text for the event about all metrics. */
  readonly summary: string

  constructor(reason: string, message: string, summary: string, cause: unknown) {
    super(message, { cause })
    this.reason = reason
    this.summary = summary
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
      return await failing('Resource', `${spec.resource?.name} resource metric value`, () => evaluation.resource(spec))
    case 'ContainerResource': {
      const what = `${spec.containerResource?.container} container metric value`
      return await failing('ContainerResource', what, () => evaluation.containerResource(spec))
    }
    case 'Pods':
      return await failing('Pods', 'pods metric value', () => evaluation.podsMetric(spec))
    case 'Object': {
      const { target, metric } = spec.object ?? {}
      const what = withAverage('object metric value', target, `${metric?.name} object metric`)
      return await failing('Object', what, () => evaluation.objectMetric(spec))
    }
    case 'External': {
      const { target, metric } = spec.external ?? {}
      const inner =
        target?.averageValue === undefined ? `external metric ${metric?.name}` : `${metric?.name} external metric`
      const what = `${metric?.name} external metric value: failed to get ${inner}`
      return await failing('External', what, () => evaluation.externalMetric(spec))
    }
    default: {
      const message = `unknown metric source type "${spec.type}"`
      throw new MetricFailure('InvalidMetricSourceType', message, message, undefined)
    }
  }
}

/** An average is told of once more. */
function withAverage(what: string, target: Frozen<{ averageValue?: string }> | undefined, inner: string): string {
  return target?.averageValue === undefined ? what : `${what}: failed to get ${inner}`
}

/** `what` could not be got: the stock words of the event about all metrics. */
async function failing(type: string, what: string, run: () => Promise<Proposal>): Promise<Proposal> {
  try {
    return await run()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new MetricFailure(`FailedGet${type}Metric`, message, `failed to get ${what}: ${message}`, error)
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
        `metrics for resource ${name}: `,
        this.#api.ofPods(this.#namespace, selector, name, container),
      )
      const given = this.#given(samples, name === 'cpu')
      if (isRaw) return { computed: replicasByAverage(given, milliOf(averageValue)), suffix: '' }
      const requests = requestsOf(pods, name, container)
      const computed = replicasByUtilization(given, requests, averageUtilization ?? 0)
      return { computed, suffix: ' utilization (percentage of request)' }
    } catch (error) {
      throw worded(`failed to get ${name} ${isRaw ? 'usage' : 'utilization'}: `, error)
    }
  }

  async podsMetric({ pods }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target } = present(pods)
    const samples = await explainUnable(
      `metric ${metric.name}: `,
      this.#api.customOfPods(this.#namespace, metricOf(metric), this.#target.selector),
    )
    const computed = replicasByAverage(this.#given(samples, false), milliOf(target.averageValue))
    return {
      replicas: computed.replicas,
      name: `pods metric ${metric.name}`,
      status: { type: 'Pods', pods: { metric: metric as MetricIdentifier, current: currentOf(computed) } },
    }
  }

  async objectMetric({ object }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target, describedObject } = present(object)
    const { kind, name } = describedObject
    const usage = await explainUnable(
      `metric ${metric.name}: ${kind} on ${this.#namespace} ${name}/`,
      this.#api.customOfObject(this.#namespace, metricOf(metric), describedObject),
    )
    const { replicas, current } = this.#againstTarget(usage, target)
    return {
      replicas,
      name: `${kind} metric ${metric.name}`,
      status: { type: 'Object', object: { describedObject, metric: metric as MetricIdentifier, current } },
    }
  }

  async externalMetric({ external }: Frozen<MetricSpec>): Promise<Proposal> {
    const { metric, target } = present(external)
    const selector = selectorText(metric.selector)
    const usage = await explainUnable(
      `external metric ${this.#namespace}/${metric.name}/${selector}: `,
      this.#api.external(this.#namespace, metricOf(metric)),
    )
    const { replicas, current } = this.#againstTarget(usage, target)
    return {
      replicas,
      name: `external metric ${metric.name}(${selector})`,
      status: { type: 'External', external: { metric: metric as MetricIdentifier, current } },
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
    throw worded(`unable to get ${what}`, error)
  }
}

function worded(what: string, error: unknown): Error {
  return new NoReplicas(`${what}${error instanceof Error ? error.message : String(error)}`, { cause: error })
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
