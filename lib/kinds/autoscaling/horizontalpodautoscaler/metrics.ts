import type * as v1 from '../../../../api/gen/autoscaling/v1.ts'
import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import { isRecord } from '../../../base/index.ts'

/**
 * Converts metrics to the form of version 1 in annotations, and back. Specs have targets (`targetValue`,
 * `target.value`), statuses current values (`currentValue`, `current.value`); except for that word the forms are the
 * same.
 */
type Word = 'target' | 'current'

type Amounts = { type?: string; value?: string; averageValue?: string; averageUtilization?: number }
type Fields = Record<string, unknown>

export function metricToV1(metric: v2.MetricSpec | v2.MetricStatus, word: Word): Fields {
  const { type, object, pods, resource, containerResource, external } = metric as unknown as Readonly<
    Record<string, Fields>
  >
  return compact({
    type,
    object: object && {
      target: object['describedObject'],
      metricName: identifier(object).name,
      [`${word}Value`]: amounts(object, word).value ?? '0',
      selector: identifier(object).selector,
      averageValue: amounts(object, word).averageValue,
    },
    pods: pods && {
      metricName: identifier(pods).name,
      [`${word}AverageValue`]: amounts(pods, word).averageValue ?? '0',
      selector: identifier(pods).selector,
    },
    resource: resource && usageToV1(resource, word),
    external: external && {
      metricName: identifier(external).name,
      metricSelector: identifier(external).selector,
      [`${word}Value`]: amounts(external, word).value ?? (word === 'current' ? '0' : undefined),
      [`${word}AverageValue`]: amounts(external, word).averageValue,
    },
    containerResource: containerResource && {
      ...usageToV1(containerResource, word),
      container: containerResource['container'],
    },
  })
}

const identifier = (source: Fields): v2.MetricIdentifier => source['metric'] as v2.MetricIdentifier
const amounts = (source: Fields, word: Word): Amounts => source[word] as Amounts

function usageToV1(source: Fields, word: Word): Fields {
  const { averageUtilization, averageValue } = amounts(source, word)
  return {
    name: source['name'],
    [`${word}AverageUtilization`]: averageUtilization,
    [`${word}AverageValue`]: averageValue ?? (word === 'current' ? '0' : undefined),
  }
}

export function metricFromV1(metric: v1.MetricSpec | v1.MetricStatus, word: Word): v2.MetricSpec & v2.MetricStatus {
  const { type, object, pods, resource, containerResource, external } = metric as unknown as Readonly<
    Record<string, Fields>
  >
  const read = (source: Fields, own: { averageValue?: unknown } = {}): Amounts => {
    const given = {
      value: own.averageValue !== undefined && source[`${word}Value`] === '0' ? undefined : source[`${word}Value`],
      averageValue: own.averageValue ?? source[`${word}AverageValue`],
      averageUtilization: source[`${word}AverageUtilization`],
    } as Amounts
    return compact(word === 'target' ? { type: targetType(given), ...given } : given) as Amounts
  }
  const named = (source: Fields, selector: string): Fields =>
    compact({ name: source['metricName'] ?? '', selector: source[selector] })
  return compact({
    type,
    object: object && {
      describedObject: object['target'],
      [word]: read(object, { averageValue: object['averageValue'] }),
      metric: named(object, 'selector'),
    },
    pods: pods && { metric: named(pods, 'selector'), [word]: read(pods) },
    resource: resource && { name: resource['name'], [word]: read(resource) },
    containerResource: containerResource && {
      name: containerResource['name'],
      [word]: read(containerResource),
      container: containerResource['container'],
    },
    external: external && { metric: named(external, 'metricSelector'), [word]: read(external) },
  }) as v2.MetricSpec & v2.MetricStatus
}

function targetType({ value, averageUtilization }: Amounts): string {
  if (averageUtilization !== undefined) return 'Utilization'
  return value === undefined ? 'AverageValue' : 'Value'
}

/** Removes the fields without a value. */
function compact(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      if (value === undefined) return []
      return [[key, isRecord(value) ? compact(value) : value]]
    }),
  )
}
