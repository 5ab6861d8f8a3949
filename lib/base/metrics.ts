/** Label values in the order in which the metric names its labels. */
export type LabelValues = readonly string[]

export interface Counter {
  /** Adds one, or `by`. */
  add(labels: LabelValues, by?: number): void
  /** A handle for frequent use: resolve the labels once, then count by number alone. */
  at(labels: LabelValues): { add(by: number): void }
}

export interface Gauge {
  set(labels: LabelValues, value: number): void
  add(labels: LabelValues, by: number): void
  /** Computed at scrape. Other users of the same metric may compute further series of it. */
  collect(read: () => Iterable<{ labels: LabelValues; value: number }>): void
}

export interface Histogram {
  /** `weight`: counts as this many observations. Default 1. */
  observe(labels: LabelValues, value: number, weight?: number): void
  /** A handle for frequent use: resolve the labels once, then observe by number alone. */
  at(labels: LabelValues): { observe(value: number, weight?: number): void }
}

/** How the values of several processes become one. */
export type Combination = 'sum' | 'max' | 'min'

type MetricStability = 'ALPHA' | 'BETA' | 'STABLE'

export interface MetricOptions {
  name: string
  help: string
  labels?: readonly string[]
  stability?: MetricStability
  /** Release `major.minor` since which the metric is deprecated. */
  deprecatedSince?: string
  /**
   * A gauge of past events, such as that a feature was used. Other gauges show the present state, and survive a reset.
   */
  past?: boolean
  /**
   * How a number of several processes of one server becomes one. Default: counters are summed; of gauges the largest is
   * shown, as most show the same state of the cluster in each process. Histograms are summed.
   */
  across?: Combination
}

/**
 * The metrics of all rooms; the implementation (prom-client) is in lib/observe. Creating a name twice returns the same
 * metric.
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
