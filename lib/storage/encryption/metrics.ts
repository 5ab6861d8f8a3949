import type { Clock, Metrics } from '../../base/index.ts'
import { formatGroupResource, type GroupResource } from '../../object/index.ts'
import { TransformError } from './transformer.ts'

export type Direction = 'from_storage' | 'to_storage'

/** Counts and times what is encrypted and decrypted. */
export interface TransformationMetrics {
  start(): number
  /** `prefix`: the beginning of the stored value; '' for a plain one, undefined when no provider writes such values. */
  done(
    direction: Direction,
    resource: GroupResource,
    prefix: string | undefined,
    startedMs: number,
    error?: unknown,
  ): void
}

interface Series {
  readonly direction: Direction
  readonly resource: GroupResource
  readonly prefix: string
  readonly status: string
  readonly duration: { observe(value: number): void }
  readonly count: { add(by: number): void }
}

const buckets = Array.from({ length: 25 }, (_, power) => 5e-6 * 2 ** power)

export function createTransformationMetrics(clock: Clock, metrics: Metrics): TransformationMetrics {
  const durations = metrics.histogram({
    name: 'apiserver_storage_transformation_duration_seconds',
    help: 'Duration of encrypting or decrypting one value.',
    labels: ['transformation_type', 'transformer_prefix'],
    buckets,
  })
  const operations = metrics.counter({
    name: 'apiserver_storage_transformation_operations_total',
    help: 'Values that were encrypted or decrypted.',
    labels: ['resource', 'status', 'transformation_type', 'transformer_prefix'],
  })
  const known = new Map<string, Series>()
  /** Values come in runs of one resource. */
  let last: Series | undefined

  function seriesOf(direction: Direction, resource: GroupResource, prefix: string, status: string): Series {
    if (last?.resource === resource && last.direction === direction && last.prefix === prefix && last.status === status)
      return last
    return (last = findSeries(direction, resource, prefix, status))
  }

  function findSeries(direction: Direction, resource: GroupResource, prefix: string, status: string): Series {
    const name = `${direction} ${status} ${resource.resource}.${resource.group} ${prefix}`
    let series = known.get(name)
    if (series) return series
    const labels = [formatGroupResource(resource), status, direction, prefix]
    const handles = { duration: durations.at([direction, prefix]), count: operations.at(labels) }
    series = { direction, resource, prefix, status, ...handles }
    if (known.size < seriesMax) known.set(name, series)
    return series
  }

  return {
    start: () => clock.monotonicMs(),
    done(direction, resource, prefix, startedMs, error) {
      const shown = prefix === '' ? 'identity' : (prefix ?? 'unknown')
      const series = seriesOf(direction, resource, shown, statusOf(error))
      series.count.add(1)
      if (error === undefined) series.duration.observe((clock.monotonicMs() - startedMs) / 1000)
    },
  }
}

const seriesMax = 5000

function statusOf(error: unknown): string {
  if (error === undefined) return 'OK'
  return error instanceof TransformError ? error.status : 'Unknown'
}
