/** Label values in the order in which the metric names its labels. */
export type LabelValues = readonly string[]

export interface Counter {
  /** Adds one, or `by`. */
  add(labels: LabelValues, by?: number): void
  /** A handle for a hot path: resolve the labels once, then count by number alone. */
  at(labels: LabelValues): { add(by: number): void }
}

export interface Gauge {
  set(labels: LabelValues, value: number): void
  add(labels: LabelValues, by: number): void
  /** Computed at scrape. Others that asked for the same metric may compute further series of it. */
  collect(read: () => Iterable<{ labels: LabelValues; value: number }>): void
}

export interface Histogram {
  /** `weight`: so many times. Default 1. */
  observe(labels: LabelValues, value: number, weight?: number): void
  /** A handle for a hot path: resolve the labels once, then observe by number alone. */
  at(labels: LabelValues): { observe(value: number, weight?: number): void }
}

type MetricStability = 'ALPHA' | 'BETA' | 'STABLE'

export interface MetricOptions {
  name: string
  help: string
  labels?: readonly string[]
  stability?: MetricStability
  /** Release `major.minor` since which the metric is deprecated. */
  deprecatedSince?: string
  /** A gauge of what has happened, such as that something was used. Others tell of what is, and outlast a reset. */
  past?: boolean
}

/**
 * The metrics that rooms are given; the implementation (prom-client) lives in lib/observe. Asking for a name twice
 * answers the same metric.
 */
export interface Metrics {
  counter(options: MetricOptions): Counter
  gauge(options: MetricOptions): Gauge
  /** `buckets`: upper bounds, ascending, without +Inf. */
  histogram(options: MetricOptions & { buckets: readonly number[] }): Histogram
}

const nothing = { add() {}, set() {}, observe() {}, collect() {}, at: () => ({ add() {}, observe() {} }) }

/** Counts nothing: for tests and tools. */
export const silentMetrics: Metrics = { counter: () => nothing, gauge: () => nothing, histogram: () => nothing }
