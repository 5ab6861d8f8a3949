import {
  type Clock,
  type Counter,
  type Gauge,
  type Histogram,
  type MetricOptions,
  type Metrics,
  nextTurn,
  systemClock,
} from '../base/index.ts'
import { compareReleases, newestRelease, parseRelease, type Release } from '../features/index.ts'
import {
  createCounterFamily,
  createGaugeFamily,
  createHistogramFamily,
  type Family,
  type FamilyType,
} from './family.ts'
import { createRuntimeCollector } from './runtime.ts'
import { type ExpositionFormat, type FamilySnapshot, isNamed, writeFamily } from './snapshot.ts'

export interface Exposition {
  readonly contentType: string
  readonly body: string
}

export interface MetricsRegistry extends Metrics {
  /**
   * The exposition, or that of the named metrics; `NAME_sum` and `NAME_count` name those of a histogram. Lets other work
   * run between families, so that a scrape does not block the event loop.
   */
  exposition(format?: ExpositionFormat, names?: readonly string[]): Promise<Exposition>
  /**
   * The values of all metrics, or of the named ones, in the order of the exposition: a few metrics at a time, which other
   * work runs between.
   */
  snapshot(names?: readonly string[]): AsyncIterable<readonly FamilySnapshot[]>
  /** Resets all series, or those of the named metrics, to 0. The registry's count of metrics stays. */
  reset(names?: readonly string[]): void
  /** The format that an Accept header prefers; text unless it names OpenMetrics. */
  formatFor(accept: string | undefined): ExpositionFormat
}

export interface MetricsOptions {
  /** Names of disabled metrics. */
  readonly disabled?: readonly string[]
  /** `metric,label` → the allowed values; others are counted as `unexpected`. */
  readonly allowedLabels?: ReadonlyMap<string, readonly string[]>
  /** `1.32`: shows metrics that are hidden since the release after it. Only the previous release has an effect. */
  readonly showHiddenFor?: string
  /** The process's own metrics (process_…, nodejs_…). Default false: a library's process has other users. */
  readonly runtime?: boolean
  /** Maximum number of series of a metric; further ones are counted as `unexpected`. Default 20 000. */
  readonly seriesMax?: number
}

const contentTypes = {
  text: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores',
} as const

const nothing: Counter & Gauge & Histogram = {
  add() {},
  set() {},
  observe() {},
  collect() {},
  at: () => ({ add() {}, observe() {} }),
}

/** Throws RangeError when `showHiddenFor` is not the previous release. */
export function createMetrics(options: MetricsOptions = {}, clock: Clock = systemClock): MetricsRegistry {
  const disabled = new Set(options.disabled)
  const showHidden = checkShowHidden(options.showHiddenFor)
  const families = new Map<string, Family>()
  const runtime = options.runtime ? createRuntimeCollector() : undefined
  const own = ownMetrics()
  const ownNames = new Set(families.keys())

  function make(type: FamilyType, given: MetricOptions & { buckets?: readonly number[] }): Counter & Gauge & Histogram {
    const found = families.get(given.name)
    if (found) {
      if (found.type !== type) throw new Error(`metric ${given.name} is a ${found.type}, not a ${type}`)
      return found.metric
    }
    if (isLeftOut(given)) return nothing
    const family = createFamily(type, given)
    families.set(given.name, family)
    return family.metric
  }

  function isLeftOut(given: MetricOptions): boolean {
    const isHidden =
      !showHidden &&
      given.deprecatedSince !== undefined &&
      compareReleases(parseRelease(given.deprecatedSince), newestRelease) < 0
    if (isHidden) own.hidden.add([])
    if (disabled.has(given.name)) own.disabled.add([])
    return isHidden || disabled.has(given.name)
  }

  function createFamily(type: FamilyType, given: MetricOptions & { buckets?: readonly number[] }): Family {
    const limits = {
      seriesMax: options.seriesMax ?? 20_000,
      ...allowedOf(given, options.allowedLabels),
      onUnexpected: () => own.unexpected.add([]),
    }
    own.registered.add([given.deprecatedSince ?? '', given.stability ?? 'ALPHA'])
    const help = helpOf(given)
    if (type === 'histogram') return createHistogramFamily({ ...given, buckets: given.buckets ?? [] }, help, limits)
    return type === 'counter' ? createCounterFamily(given, help, limits) : createGaugeFamily(given, help, limits)
  }

  /** The registry's metrics about itself; not made through it, since making a metric is counted. */
  function ownMetrics(): { registered: Counter; hidden: Counter; disabled: Counter; unexpected: Counter } {
    const limits = { seriesMax: 1000, onUnexpected: () => {} }
    const add = (options: MetricOptions): Counter => {
      const family = createCounterFamily(options, `[BETA] ${options.help}`, limits)
      families.set(options.name, family)
      return family.metric
    }
    return {
      registered: add({
        name: 'registered_metrics_total',
        help: 'Metrics registered, by stability and the release that deprecated them.',
        labels: ['deprecated_version', 'stability_level'],
        across: 'max',
      }),
      hidden: add({
        name: 'hidden_metrics_total',
        help: 'Metrics that are hidden since they are deprecated.',
        across: 'max',
      }),
      disabled: add({ name: 'disabled_metrics_total', help: 'Metrics that are switched off.', across: 'max' }),
      unexpected: add({
        name: 'cardinality_enforcement_unexpected_categorizations_total',
        help: 'Label values that were counted as unexpected.',
      }),
    }
  }

  async function* snapshot(names?: readonly string[]): AsyncGenerator<readonly FamilySnapshot[]> {
    const named = names && new Set(names)
    const wanted = [...families.values()].filter((family) => isNamed(family, named))
    const sorted = wanted.sort((left, right) => (left.name < right.name ? -1 : 1))
    for (let at = 0; at < sorted.length; at += familiesAtOnce) {
      yield sorted.slice(at, at + familiesAtOnce).map((family) => family.snapshot())
      await nextTurn(clock)
    }
    if (runtime && (names === undefined || names.some(isRuntimeName))) {
      const own = await runtime.snapshot()
      yield own.filter((family) => isNamed(family, named))
    }
  }

  return {
    counter: (given) => make('counter', given),
    gauge: (given) => make('gauge', given),
    histogram: (given) => make('histogram', given),
    reset(names) {
      for (const family of families.values())
        if (names === undefined ? !ownNames.has(family.name) : names.includes(family.name)) family.reset()
    },
    formatFor: (accept) => (accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'),
    snapshot,
    exposition: (format = 'text', names) => writeExposition(snapshot(names), format, names),
  }
}

const familiesAtOnce = 8

const isRuntimeName = (name: string): boolean => /^(nodejs|process)_/.test(name)

/** Writes what the iterable yields, as it comes. `names`: those that were asked for. */
export async function writeExposition(
  families: AsyncIterable<readonly FamilySnapshot[]>,
  format: ExpositionFormat,
  names?: readonly string[],
): Promise<Exposition> {
  const parts: string[] = []
  const named = names && new Set(names)
  for await (const some of families) for (const family of some) parts.push(writeFamily(family, format, named))
  if (format === 'openmetrics') parts.push('# EOF\n')
  return { contentType: contentTypes[format], body: parts.join('') }
}

function helpOf({ help, stability = 'ALPHA', deprecatedSince }: MetricOptions): string {
  const deprecated = deprecatedSince === undefined ? '' : `(Deprecated since ${deprecatedSince}.0) `
  return `[${stability}] ${deprecated}${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`
}

function allowedOf(
  { name, labels = [] }: MetricOptions,
  lists: ReadonlyMap<string, readonly string[]> | undefined,
): { allowed?: ReadonlyMap<number, ReadonlySet<string>> } {
  const allowed = new Map(
    labels.flatMap((label, position) => {
      const values = lists?.get(`${name},${label}`)
      return values === undefined ? [] : [[position, new Set(values)] as const]
    }),
  )
  return allowed.size === 0 ? {} : { allowed }
}

function checkShowHidden(text: string | undefined): boolean {
  if (text === undefined || text === '') return false
  const previous: Release = { ...newestRelease, minor: newestRelease.minor - 1 }
  if (!/^\d+\.\d+$/.test(text) || compareReleases(parseRelease(text), previous) !== 0)
    throw new RangeError(
      `--show-hidden-metrics-for-version must be omitted or have the value '${previous.major}.${previous.minor}'. Only the previous minor version is allowed`,
    )
  return true
}
