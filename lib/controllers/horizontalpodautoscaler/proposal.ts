import type { HPAScalingRules, MetricIdentifier, MetricSpec, MetricStatus } from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { assert } from '../../base/index.ts'
import { type Frozen, quantityMilliValue } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import type { SomeAutoscaler } from './observe.ts'
import type { Reading } from './readings.ts'
import {
  type Computed,
  NotComputable,
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

/** A metric that gives no number: `reason` is that of the condition, and of the event about this metric. */
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
  readonly autoscaler: SomeAutoscaler
  /** The numbers of replicas in the scale's spec and status. */
  readonly replicas: number
  readonly statusReplicas: number
  readonly pods: readonly Frozen<Pod>[]
}

export interface ProposalOptions {
  readonly tolerance: number
  readonly delays: PodDelays
  readonly nowMs: number
}

/** Throws MetricFailure. */
export function proposalOf(
  spec: Frozen<MetricSpec>,
  { value }: Reading,
  target: Target,
  options: ProposalOptions,
): Proposal {
  const calculation = new Calculation(target, value, options)
  switch (spec.type) {
    case 'Resource':
      return failing('Resource', `${spec.resource?.name} resource metric value`, () => calculation.resource(spec))
    case 'ContainerResource': {
      const what = `${spec.containerResource?.container} container metric value`
      return failing('ContainerResource', what, () => calculation.containerResource(spec))
    }
    case 'Pods':
      return failing('Pods', 'pods metric value', () => calculation.podsMetric(spec))
    case 'Object': {
      const { target, metric } = spec.object ?? {}
      const inner = target?.averageValue === undefined ? '' : `: failed to get ${metric?.name} object metric`
      return failing('Object', `object metric value${inner}`, () => calculation.objectMetric(spec))
    }
    case 'External': {
      const { target, metric } = spec.external ?? {}
      const inner =
        target?.averageValue === undefined ? `external metric ${metric?.name}` : `${metric?.name} external metric`
      const what = `${metric?.name} external metric value: failed to get ${inner}`
      return failing('External', what, () => calculation.externalMetric(spec))
    }
    default: {
      const message = `unknown metric source type "${spec.type}"`
      throw new MetricFailure('InvalidMetricSourceType', message, message, undefined)
    }
  }
}

/** `what` can't be calculated: the stock words of the event about all metrics. */
function failing(type: string, what: string, calculate: () => Proposal): Proposal {
  try {
    return calculate()
  } catch (error) {
    const message = messageOf(error)
    throw new MetricFailure(`FailedGet${type}Metric`, message, `failed to get ${what}: ${message}`, error)
  }
}

/** Calculates what one metric asks for. */
class Calculation {
  readonly #target: Target
  readonly #value: Reading['value']
  readonly #options: ProposalOptions
  readonly #tolerances: Tolerances

  constructor(target: Target, value: Reading['value'], options: ProposalOptions) {
    this.#target = target
    this.#value = value
    this.#options = options
    const { behavior } = target.autoscaler.spec
    const of = (rules: Frozen<HPAScalingRules> | undefined): number =>
      rules?.tolerance === undefined ? options.tolerance : milliOf(rules.tolerance) / 1000
    this.#tolerances = { up: of(behavior?.scaleUp), down: of(behavior?.scaleDown) }
  }

  resource({ resource }: Frozen<MetricSpec>): Proposal {
    const { name, target } = present(resource)
    const { computed, suffix } = this.#ofResource(name, undefined, target)
    return {
      replicas: computed.replicas,
      name: `${name} resource${suffix}`,
      status: { type: 'Resource', resource: { name, current: currentOf(computed) } },
    }
  }

  containerResource({ containerResource }: Frozen<MetricSpec>): Proposal {
    const { name, container, target } = present(containerResource)
    const { computed, suffix } = this.#ofResource(name, container, target)
    return {
      replicas: computed.replicas,
      name: `${name} container resource${suffix}`,
      status: { type: 'ContainerResource', containerResource: { name, container, current: currentOf(computed) } },
    }
  }

  #ofResource(
    name: string,
    container: string | undefined,
    { averageValue, averageUtilization }: Frozen<{ averageValue?: string; averageUtilization?: number }>,
  ): { computed: Computed; suffix: string } {
    const isRaw = averageValue !== undefined
    if (!isRaw && averageUtilization === undefined)
      throw new NotComputable(
        'invalid resource metric source: neither an average utilization nor an average value target was set',
      )
    try {
      const given = this.#given(name === 'cpu')
      if (isRaw) return { computed: replicasByAverage(given, milliOf(averageValue)), suffix: '' }
      const requests = requestsOf(this.#target.pods, name, container)
      const computed = replicasByUtilization(given, requests, averageUtilization ?? 0)
      return { computed, suffix: ' utilization (percentage of request)' }
    } catch (error) {
      const what = `${name} ${isRaw ? 'usage' : 'utilization'}`
      throw new NotComputable(`failed to get ${what}: ${messageOf(error)}`, { cause: error })
    }
  }

  podsMetric({ pods }: Frozen<MetricSpec>): Proposal {
    const { metric, target } = present(pods)
    const computed = replicasByAverage(this.#given(false), milliOf(target.averageValue))
    return {
      replicas: computed.replicas,
      name: `pods metric ${metric.name}`,
      status: { type: 'Pods', pods: { metric: metric as MetricIdentifier, current: currentOf(computed) } },
    }
  }

  objectMetric({ object }: Frozen<MetricSpec>): Proposal {
    const { metric, target, describedObject } = present(object)
    const { replicas, current } = this.#againstTarget(target)
    return {
      replicas,
      name: `${describedObject.kind} metric ${metric.name}`,
      status: { type: 'Object', object: { describedObject, metric: metric as MetricIdentifier, current } },
    }
  }

  externalMetric({ external }: Frozen<MetricSpec>): Proposal {
    const { metric, target } = present(external)
    const { replicas, current } = this.#againstTarget(target)
    return {
      replicas,
      name: `external metric ${metric.name}(${selectorText(metric.selector)})`,
      status: { type: 'External', external: { metric: metric as MetricIdentifier, current } },
    }
  }

  #againstTarget({ value, averageValue }: Frozen<{ value?: string; averageValue?: string }>): {
    replicas: number
    current: { value?: string; averageValue?: string }
  } {
    const { pods, replicas: current, statusReplicas } = this.#target
    const tolerances = this.#tolerances
    const usageMilli = usageOf(this.#value)
    if (averageValue !== undefined) {
      const computed = replicasByShare({ statusReplicas, tolerances }, usageMilli, milliOf(averageValue))
      return { replicas: computed.replicas, current: currentOf(computed) }
    }
    if (value === undefined) throw new NotComputable('neither a value target nor an average value target was set')
    const replicas = replicasByValue({ current, pods, tolerances }, usageMilli, milliOf(value))
    return { replicas, current: { value: formatMilli(usageMilli) } }
  }

  #given(isProcessor: boolean) {
    const { pods, replicas: current } = this.#target
    const { delays, nowMs } = this.#options
    return {
      current,
      pods,
      samples: samplesOf(this.#value),
      tolerances: this.#tolerances,
      delays: isProcessor ? delays : undefined,
      nowMs,
    }
  }
}

function samplesOf(value: Reading['value']): Samples {
  if (value instanceof Error) throw value
  assert(typeof value !== 'number', 'the metric is of pods')
  return value
}

function usageOf(value: Reading['value']): number {
  if (value instanceof Error) throw value
  assert(typeof value === 'number', 'the metric is of one object')
  return value
}

function present<T>(source: T | undefined): T {
  if (source === undefined) throw new NotComputable('the metric has no source of its type')
  return source
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
