import type { Counter, Gauge, Histogram, LabelValues, MetricOptions } from '../base/index.ts'
import { formatBound, formatNumber } from './number.ts'
import { createSeries, type Series, type SeriesOptions } from './series.ts'

export type FamilyType = 'counter' | 'gauge' | 'histogram'

/** All series of one metric: the counters that rooms use, and their exposition. */
export interface Family {
  readonly name: string
  readonly type: FamilyType
  readonly help: string
  /** The counter, gauge or histogram. */
  readonly metric: Counter & Gauge & Histogram
  /** Lines of the exposition without the head; '' without series. */
  write(openMetrics: boolean): string
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
    help,
    metric: {
      ...nothing,
      add,
      at(labels: LabelValues) {
        const cell = series.at(labels)
        return { ...nothing.at(), add: (by: number) => void (cell.value += by) }
      },
    },
    write(openMetrics) {
      const name = openMetrics ? `${options.name.replace(/_total$/, '')}_total` : options.name
      return writeNumbers(name, options.labels ?? [], series)
    },
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
    help,
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
    write() {
      if (reads.length > 0) series.clear()
      for (const read of reads) for (const { labels, value } of read()) series.at(labels).value = value
      return writeNumbers(options.name, options.labels ?? [], series)
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
    help,
    metric: {
      ...nothing,
      observe: (labels: LabelValues, value: number, weight?: number) => into(series.at(labels), value, weight),
      at(labels: LabelValues) {
        const cell = series.at(labels)
        return { ...nothing.at(), observe: (value: number, weight?: number) => into(cell, value, weight) }
      },
    },
    write: (openMetrics) => writeHistogram(options.name, options.labels ?? [], bounds, series, openMetrics),
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

function writeNumbers(name: string, labels: readonly string[], series: Series<NumberCell>): string {
  let text = ''
  for (const { labels: values, cell } of series.entries()) {
    cell.labels ??= values.length === 0 ? '' : `{${writeLabels(labels, values)}}`
    text += `${name}${cell.labels} ${formatNumber(cell.value)}\n`
  }
  return text
}

function writeHistogram(
  name: string,
  labels: readonly string[],
  bounds: Float64Array,
  series: Series<HistogramCell>,
  openMetrics: boolean,
): string {
  const uppers = [...Array.from(bounds, (bound) => formatBound(bound, openMetrics)), '+Inf']
  let text = ''
  for (const { labels: values, cell } of series.entries()) {
    cell.labels ??= writeLabels(labels, values)
    const before = cell.labels === '' ? '' : `${cell.labels},`
    const around = cell.labels === '' ? '' : `{${cell.labels}}`
    let count = 0
    for (const [bucket, upper] of uppers.entries()) {
      count += cell.counts[bucket] ?? 0
      text += `${name}_bucket{${before}le="${upper}"} ${formatNumber(count)}\n`
    }
    text += `${name}_sum${around} ${formatNumber(cell.sum)}\n${name}_count${around} ${formatNumber(count)}\n`
  }
  return text
}

/** `a="1",b="2"`, names in alphabetical order as in other expositions. */
function writeLabels(names: readonly string[], values: LabelValues): string {
  return names
    .map((name, index) => `${name}="${escapeValue(values[index] ?? '')}"`)
    .sort()
    .join(',')
}

function escapeValue(text: string): string {
  return /[\\"\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text
}
