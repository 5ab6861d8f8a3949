import type { MetricIdentifier, MetricSpec } from '../../../api/gen/autoscaling/v2.ts'
import type { Clock } from '../../base/index.ts'
import { type Frozen, labelSelectorFromObject } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import type { Metric, MetricsApi } from './metricsapi.ts'
import { NotComputable, type Samples } from './replicas.ts'
import { selectorText } from './selectortext.ts'

/** The answer of a metrics API about one metric of an autoscaler. */
export interface Reading {
  /** Samples by pod, a value in thousandths, or why there is none. */
  readonly value: Samples | number | Error
  readonly seconds: number
}

export async function readMetric(
  spec: Frozen<MetricSpec>,
  namespace: string,
  selector: string,
  { api, clock }: { readonly api: MetricsApi; readonly clock: Clock },
): Promise<Reading> {
  const startMs = clock.monotonicMs()
  const { what, read } = requestOf(spec, namespace, selector, api)
  let value: Reading['value']
  try {
    value = await read()
  } catch (error) {
    value = new NotComputable(`unable to get ${what}${messageOf(error)}`, { cause: error })
  }
  return { value, seconds: (clock.monotonicMs() - startMs) / 1000 }
}

interface MetricRequest {
  /** Names it at the beginning of a message; the stock words have no colon after an object. */
  readonly what: string
  read(): Promise<Samples | number>
}

function requestOf(spec: Frozen<MetricSpec>, namespace: string, selector: string, api: MetricsApi): MetricRequest {
  const { type, resource, containerResource, pods, object, external } = spec
  if (type === 'Resource' && resource) return ofResource(resource.name, undefined)
  if (type === 'ContainerResource' && containerResource)
    return ofResource(containerResource.name, containerResource.container)
  if (type === 'Pods' && pods)
    return {
      what: `metric ${pods.metric.name}: `,
      read: () => api.customOfPods(namespace, metricOf(pods.metric), selector),
    }
  if (type === 'Object' && object) {
    const { metric, describedObject } = object
    return {
      what: `metric ${metric.name}: ${describedObject.kind} on ${namespace} ${describedObject.name}/`,
      read: () => api.customOfObject(namespace, metricOf(metric), describedObject),
    }
  }
  if (type === 'External' && external)
    return {
      what: `external metric ${namespace}/${external.metric.name}/${selectorText(external.metric.selector)}: `,
      read: () => api.external(namespace, metricOf(external.metric)),
    }
  // The plan refuses a metric of an unknown type, or without the source of its type.
  return { what: `metric of type ${type}: `, read: async () => 0 }

  function ofResource(name: string, container: string | undefined): MetricRequest {
    return {
      what: `metrics for resource ${name}: `,
      read: () => api.ofPods(namespace, selector, name, container),
    }
  }
}

function metricOf({ name, selector }: Frozen<MetricIdentifier>): Metric {
  return { name, selector: selector === undefined ? '' : labelSelectorFromObject(selector).toString() }
}
