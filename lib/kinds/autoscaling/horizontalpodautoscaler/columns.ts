import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import type { ApiObject } from '../../../object/index.ts'
import type { Column } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { specOf, statusOf } from './validate.ts'

const metricsShown = 2

export const columns: readonly Column[] = [
  nameColumn,
  textColumn('Reference', 'What is scaled.', (object) => {
    const { kind, name } = specOf(object).scaleTargetRef
    return `${kind}/${name}`
  }),
  textColumn('Targets', 'Measured and wanted values.', targets),
  textColumn('MinPods', 'Fewest replicas.', (object) => String(specOf(object).minReplicas ?? '<unset>')),
  textColumn('MaxPods', 'Most replicas.', (object) => specOf(object).maxReplicas),
  textColumn('Replicas', 'Replicas at the moment.', (object) => statusOf(object).currentReplicas ?? 0),
  ageColumn,
]

function targets(object: ApiObject): string {
  const { metrics = [] } = specOf(object)
  const { currentMetrics = [] } = statusOf(object)
  if (metrics.length === 0) return '<none>'
  const texts = metrics.slice(0, metricsShown).map((metric, index) => describe(metric, currentMetrics[index]))
  const more = metrics.length - metricsShown
  return texts.join(', ') + (more > 0 ? ` + ${more} more...` : '')
}

function describe(metric: v2.MetricSpec, status: v2.MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return amount(metric.external?.target, status?.external?.current)
    case 'Object':
      return amount(metric.object?.target, status?.object?.current)
    case 'Pods':
      return pair(status?.pods?.current.averageValue, metric.pods?.target.averageValue ?? '')
    case 'Resource':
      return usage(metric.resource, status?.resource?.current)
    case 'ContainerResource':
      return usage(metric.containerResource, status?.containerResource?.current)
    default:
      return '<unknown type>'
  }
}

function amount(target: v2.MetricTarget | undefined, current: v2.MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${pair(current?.averageValue, target.averageValue)} (avg)`
  return pair(current?.value, target?.value ?? '')
}

function usage(source: v2.ResourceMetricSource | undefined, current: v2.MetricValueStatus | undefined): string {
  const { averageValue, averageUtilization } = source?.target ?? {}
  const name = source?.name ?? ''
  if (averageValue !== undefined) return `${name}: ${pair(current?.averageValue, averageValue)}`
  const actual = current?.averageUtilization
  const wanted = averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`
  return `${name}: ${pair(actual === undefined ? undefined : `${actual}%`, wanted)}`
}

function pair(current: string | undefined, target: string): string {
  return `${current ?? '<unknown>'}/${target}`
}
