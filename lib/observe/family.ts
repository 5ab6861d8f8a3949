import type { Counter, Gauge, Histogram, LabelValues, MetricOptions } from '../base/index.ts'
import { createSeries, type Series, type SeriesOptions } from './series.ts'
import { type FamilySnapshot, writeLabels } from './snapshot.ts'

export type FamilyType = 'counter' | 'gauge' | 'histogram'

/** All series of one metric: the counters that rooms use, and their exposition. */
export interface Family {
  readonly name: string
  readonly type: FamilyType
  /** The counter, gauge or histogram. */
  readonly metric: Counter & Gauge & Histogram
  /** The values now. Later observations may change those of a histogram. */
  snapshot(): FamilySnapshot
  /** Resets all series to 0. They are kept, as their users hold them. */
  reset(): void
}

type Limits = Pick<SeriesOptions<never>, 'seriesMax' | 'allowed' | 'onUnexpected'>

interface NumberCell {
  value: number
  /** `{a="b"}`, made at the first scrape. */
  labels: string | undefined
}

interface HistogramCell {
  /** One for each bucket and one for values above the last; not cumulative. */
  readonly counts: Float64Array
  sum: number
  /** `a="b"`, made at the first scrape. */
  labels: string | undefined
}

const nothing = { add() {}, set() {}, observe() {}, collect() {}, at: () => ({ add() {}, observe() {} }) }

export function createCounterFamily(options: MetricOptions, help: string, limits: Limits): Family {
  const series = numbers(options, limits)
  const add = (labels: LabelValues, by = 1): void => {
    series.at(labels).value += by
  }
  // Counters without labels exist from the start, at 0.
  if ((options.labels ?? []).length === 0) series.at([])
  return {
    name: options.name,
    type: 'counter',
    metric: {
      ...nothing,
      add,
      at(labels: LabelValues) {
        const cell = series.at(labels)
        return { ...nothing.at(), add: (by: number) => void (cell.value += by) }
      },
    },
    snapshot: () => ({
      name: options.name,
      type: 'counter',
      help,
      across: options.across ?? 'sum',
      numbers: readNumbers(options.labels ?? [], series),
    }),
    reset() {
      for (const { cell } of series.entries()) cell.value = 0
    },
  }
}

export function createGaugeFamily(options: MetricOptions, help: string, limits: Limits): Family {
  const series = numbers(options, limits)
  const reads: (() => Iterable<{ labels: LabelValues; value: number }>)[] = []
  return {
    name: options.name,
    type: 'gauge',
    metric: {
      ...nothing,
      set(labels: LabelValues, value: number) {
        series.at(labels).value = value
      },
      add(labels: LabelValues, by = 1) {
        series.at(labels).value += by
      },
      collect(from: () => Iterable<{ labels: LabelValues; value: number }>) {
        reads.push(from)
      },
    },
    snapshot() {
      if (reads.length > 0) series.clear()
      for (const read of reads) for (const { labels, value } of read()) series.at(labels).value = value
      return {
        name: options.name,
        type: 'gauge',
        help,
        across: options.across ?? 'max',
        numbers: readNumbers(options.labels ?? [], series),
      }
    },
    reset() {
      if (options.past === true) series.clear()
    },
  }
}

export function createHistogramFamily(
  options: MetricOptions & { buckets: readonly number[] },
  help: string,
  limits: Limits,
): Family {
  const bounds = Float64Array.from(options.buckets)
  const series = createSeries<HistogramCell>({
    ...limits,
    labels: options.labels ?? [],
    create: () => ({ counts: new Float64Array(bounds.length + 1), sum: 0, labels: undefined }),
  })
  const into = (cell: HistogramCell, value: number, weight = 1): void => {
    const bucket = bucketOf(bounds, value)
    cell.counts[bucket] = (cell.counts[bucket] ?? 0) + weight
    cell.sum += value * weight
  }
  return {
    name: options.name,
    type: 'histogram',
    metric: {
      ...nothing,
      observe: (labels: LabelValues, value: number, weight?: number) => into(series.at(labels), value, weight),
      at(labels: LabelValues) {
        const cell = series.at(labels)
        return { ...nothing.at(), observe: (value: number, weight?: number) => into(cell, value, weight) }
      },
    },
    snapshot: () => ({
      name: options.name,
      type: 'histogram',
      help,
      across: 'sum',
      histograms: { bounds, cells: readHistograms(options.labels ?? [], series) },
    }),
    reset() {
      for (const { cell } of series.entries()) {
        cell.counts.fill(0)
        cell.sum = 0
      }
    },
  }
}

/** Index of the first bound that is not below `value`; the number of bounds when all are. */
function bucketOf(bounds: Float64Array, value: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (value <= (bounds[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

function numbers(options: MetricOptions, limits: Limits): Series<NumberCell> {
  return createSeries<NumberCell>({
    ...limits,
    labels: options.labels ?? [],
    create: () => ({ value: 0, labels: undefined }),
  })
}

function readNumbers(labels: readonly string[], series: Series<NumberCell>): NonNullable<FamilySnapshot['numbers']> {
  return Array.from(series.entries(), ({ labels: values, cell }) => {
    cell.labels ??= values.length === 0 ? '' : `{${labelText(labels, values)}}`
    return [cell.labels, cell.value] as const
  })
}

function readHistograms(
  labels: readonly string[],
  series: Series<HistogramCell>,
): NonNullable<FamilySnapshot['histograms']>['cells'] {
  return Array.from(series.entries(), ({ labels: values, cell }) => {
    cell.labels ??= labelText(labels, values)
    return { labels: cell.labels, counts: cell.counts, sum: cell.sum }
  })
}

function labelText(names: readonly string[], values: LabelValues): string {
  return writeLabels(names.map((name, index) => [name, values[index] ?? '']))
}
