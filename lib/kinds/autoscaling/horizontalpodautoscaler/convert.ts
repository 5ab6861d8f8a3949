import type * as v1 from '../../../../api/gen/autoscaling/v1.ts'
import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import { type ApiObject, copyObject, parseJsonText } from '../../../object/index.ts'
import { defaultMetric } from './defaults.ts'
import { metricFromV1, metricToV1 } from './metrics.ts'
import { specOf, statusOf } from './validate.ts'

/** Version 1 has one metric, the CPU's utilization. These annotations hold the other fields. */
const annotation = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const

export function toV1(object: ApiObject): ApiObject {
  const { metrics = [], behavior, ...spec } = specOf(object)
  const { currentMetrics, conditions, ...status } = statusOf(object)
  const result = copyObject(object)
  const annotations = withoutOurs(object.metadata.annotations)
  const others = metrics.filter((metric) => cpuUtilization(metric) === undefined)
  if (others.length > 0) annotations[annotation.metrics] = toJson(others.map((each) => metricToV1(each, 'target')))
  if (currentMetrics?.length)
    annotations[annotation.currentMetrics] = toJson(currentMetrics.map((each) => metricToV1(each, 'current')))
  if (behavior) annotations[annotation.behavior] = toJson(shownBehavior(behavior))
  if (conditions?.length) annotations[annotation.conditions] = toJson(conditions)
  setAnnotations(result, annotations)

  const wanted = metrics.map(cpuUtilization).findLast((percent) => percent !== undefined)
  const actual = currentMetrics
    ?.map(({ type, resource }) =>
      type === 'Resource' && resource?.name === 'cpu' ? resource.current.averageUtilization : undefined,
    )
    .findLast((percent) => percent !== undefined)
  result['spec'] = { ...spec, ...(wanted === undefined ? {} : { targetCPUUtilizationPercentage: wanted }) }
  result['status'] = {
    currentReplicas: 0,
    ...status,
    ...(actual === undefined ? {} : { currentCPUUtilizationPercentage: actual }),
  }
  return result
}

function cpuUtilization({ type, resource }: v2.MetricSpec): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource.target.averageUtilization : undefined
}

export function fromV1(object: ApiObject): ApiObject {
  const given = object.metadata.annotations ?? {}
  const { targetCPUUtilizationPercentage: wanted, ...spec } = object['spec'] as v1.HorizontalPodAutoscalerSpec
  const { currentCPUUtilizationPercentage: actual, ...status } = object['status'] as v1.HorizontalPodAutoscalerStatus
  const result = copyObject(object)
  const cpu = wanted === undefined ? [] : [cpuMetric(wanted)]
  const others = parseList<v1.MetricSpec>(given[annotation.metrics])?.map((metric) => metricFromV1(metric, 'target'))
  const behavior = parseBehavior(given[annotation.behavior])
  const metrics = [...(others ?? []), ...cpu]
  const currentMetrics =
    parseList<v1.MetricStatus>(given[annotation.currentMetrics])?.map((metric) => metricFromV1(metric, 'current')) ??
    (actual === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: actual } } }])
  const conditions = parseList<v2.HorizontalPodAutoscalerCondition>(given[annotation.conditions])
  setAnnotations(result, withoutOurs(given))
  result['spec'] = {
    ...spec,
    metrics: metrics.length > 0 || others ? metrics : [defaultMetric()],
    ...(behavior ? { behavior } : {}),
  }
  result['status'] = {
    ...status,
    ...(currentMetrics ? { currentMetrics } : {}),
    ...(conditions ? { conditions } : {}),
  }
  return result
}

function cpuMetric(averageUtilization: number): v2.MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

function withoutOurs(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const ours: readonly string[] = Object.values(annotation)
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !ours.includes(key)))
}

function setAnnotations(object: ApiObject, annotations: Record<string, string>): void {
  if (Object.keys(annotations).length > 0) object.metadata.annotations = annotations
  else delete object.metadata.annotations
}

/** JSON as Go's encoder writes it: other servers compare these bytes. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** An invalid text is ignored. */
function parse(text: string | undefined): unknown {
  if (!text) return undefined
  try {
    return parseJsonText(text)
  } catch {
    return undefined
  }
}

function parseList<T>(text: string | undefined): T[] | undefined {
  const value = parse(text)
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null) ? value : undefined
}

/** The annotation uses the internal type's field names. */
function shownBehavior({ scaleUp, scaleDown }: v2.HorizontalPodAutoscalerBehavior): unknown {
  const shown = (rules: v2.HPAScalingRules | undefined): unknown =>
    rules === undefined
      ? null
      : {
          StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
          SelectPolicy: rules.selectPolicy ?? null,
          Policies:
            rules.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
          Tolerance: rules.tolerance ?? null,
        }
  return { ScaleUp: shown(scaleUp), ScaleDown: shown(scaleDown) }
}

function parseBehavior(text: string | undefined): v2.HorizontalPodAutoscalerBehavior | undefined {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return uncapitalized(value) as v2.HorizontalPodAutoscalerBehavior
}

function uncapitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(uncapitalized)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null ? [] : [[key.slice(0, 1).toLowerCase() + key.slice(1), uncapitalized(inner)]],
    ),
  )
}
