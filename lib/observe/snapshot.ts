import type { Combination } from '../base/index.ts'
import { formatBound, formatNumber } from './number.ts'

export type ExpositionFormat = 'text' | 'openmetrics'

/** The values of one metric at one moment. It can be sent to another process. */
export interface FamilySnapshot {
  readonly name: string
  readonly type: string
  readonly help: string
  /** How the values of several processes become one. */
  readonly across: Combination
  /** By what follows the metric's name: `{a="b"}`, `_sum{a="b"}`, or nothing. */
  readonly numbers?: readonly (readonly [rest: string, value: number])[]
  readonly histograms?: {
    readonly bounds: Float64Array
    readonly cells: readonly HistogramSnapshot[]
  }
}

/** Parts of a histogram that have a name of their own: `NAME_sum` and `NAME_count`. Its buckets are many. */
const histogramParts = ['sum', 'count'] as const

interface HistogramSnapshot {
  /** `a="b"`. */
  readonly labels: string
  /** One for each bound and one for values above the last; not cumulative. */
  readonly counts: Float64Array
  readonly sum: number
}

const combine: Readonly<Record<Combination, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
}

/** Whether a metric is among the names, or a histogram by its parts; undefined: all metrics are. */
export function isNamed(
  { name, type }: Pick<FamilySnapshot, 'name' | 'type'>,
  names: ReadonlySet<string> | undefined,
): boolean {
  return names === undefined || names.has(name) || (type === 'histogram' && partsOf(name, names).length > 0)
}

function partsOf(name: string, names: ReadonlySet<string>): (typeof histogramParts)[number][] {
  return histogramParts.filter((part) => names.has(`${name}_${part}`))
}

/** The lines of a metric with their head; of a histogram that is named by its parts only those. '' without series. */
export function writeFamily(family: FamilySnapshot, format: ExpositionFormat, names?: ReadonlySet<string>): string {
  const { name, type, help } = family
  const openMetrics = format === 'openmetrics'
  // OpenMetrics names a counter's family without the suffix of its samples.
  const base = openMetrics && type === 'counter' ? name.replace(/_total$/, '') : name
  const sample = openMetrics && type === 'counter' ? `${base}_total` : name
  const lines = writeNumbers(sample, family) + writeHistograms(family, openMetrics, names)
  return lines === '' ? '' : `# HELP ${base} ${help}\n# TYPE ${base} ${type}\n${lines}`
}

function writeNumbers(name: string, { numbers = [] }: FamilySnapshot): string {
  let text = ''
  for (const [rest, value] of numbers) text += `${name}${rest} ${formatNumber(value)}\n`
  return text
}

function writeHistograms(
  { name, histograms }: FamilySnapshot,
  openMetrics: boolean,
  names: ReadonlySet<string> | undefined,
): string {
  if (!histograms) return ''
  const only = names === undefined || names.has(name) ? undefined : partsOf(name, names)
  const uppers = [...Array.from(histograms.bounds, (bound) => formatBound(bound, openMetrics)), '+Inf']
  let text = ''
  for (const { labels, counts, sum } of histograms.cells) {
    const before = labels === '' ? '' : `${labels},`
    const around = labels === '' ? '' : `{${labels}}`
    let count = 0
    for (const [bucket, upper] of uppers.entries()) {
      count += counts[bucket] ?? 0
      if (!only) text += `${name}_bucket{${before}le="${upper}"} ${formatNumber(count)}\n`
    }
    const values = { sum, count }
    for (const part of only ?? histogramParts) text += `${name}_${part}${around} ${formatNumber(values[part])}\n`
  }
  return text
}

/** One metric of several processes. Their buckets are the same, as they run the same program. */
export function mergeFamilies(snapshots: readonly [FamilySnapshot, ...FamilySnapshot[]]): FamilySnapshot {
  const [first] = snapshots
  if (snapshots.length === 1) return first
  const both = combine[first.across]
  const numbers = new Map<string, number>()
  const cells = new Map<string, HistogramSnapshot>()
  for (const snapshot of snapshots) {
    for (const [rest, value] of snapshot.numbers ?? []) {
      const other = numbers.get(rest)
      numbers.set(rest, other === undefined ? value : both(other, value))
    }
    for (const cell of snapshot.histograms?.cells ?? []) {
      const other = cells.get(cell.labels)
      cells.set(cell.labels, other === undefined ? cell : addHistograms(other, cell))
    }
  }
  const { histograms, ...rest } = first
  return {
    ...rest,
    numbers: [...numbers],
    ...(histograms && { histograms: { bounds: histograms.bounds, cells: [...cells.values()] } }),
  }
}

function addHistograms(one: HistogramSnapshot, other: HistogramSnapshot): HistogramSnapshot {
  return {
    labels: one.labels,
    counts: one.counts.map((count, bucket) => count + (other.counts[bucket] ?? 0)),
    sum: one.sum + other.sum,
  }
}

/** `a="1",b="2"`, names in alphabetical order as in other expositions. */
export function writeLabels(labels: Iterable<readonly [name: string, value: string]>): string {
  return Array.from(labels, ([name, value]) => `${name}="${escapeValue(value)}"`)
    .sort()
    .join(',')
}

function escapeValue(text: string): string {
  return /[\\"\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text
}
