import type { Counter, Histogram, Metrics } from '../base/index.ts'
import type { QueryParameters } from '../request/index.ts'
import type { ServerCall } from './call.ts'

const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
]
const objectiveBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]
/** From 50 kB in steps of 100 kB to just above the limit on bodies. */
const bodySizeBuckets = Array.from({ length: 31 }, (_, step) => 50_000 + step * 100_000)
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/** Beyond so many label sets, requests are counted under the resource `other`. Only custom resources can reach it. */
export const seriesMax = 5000

/** Verbs as metrics name them. */
const verbNames: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  connect: 'CONNECT',
  proxy: 'CONNECT',
}
/** Verbs whose requests have bodies, as the metric of body sizes names them. */
const bodyVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  APPLY: 'patch',
  DELETE: 'delete',
  DELETECOLLECTION: 'delete_collection',
}
/** Verbs whose requests have a fieldValidation parameter. */
const validatedVerbs = new Set(['POST', 'PUT', 'PATCH', 'APPLY'])
const fieldValidations = new Set(['', 'Ignore', 'Warn', 'Strict'])
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
const connectSubresources = new Set(['proxy', 'exec', 'attach', 'portforward'])

/** One set of request labels, and its counts since the last flush. */
export interface RequestSeries {
  readonly verb: string
  readonly dryRun: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
  readonly component: string
  readonly codes: Map<number, number>
  readonly duration: { observe(seconds: number): void }
  readonly objective: { observe(seconds: number): void }
  readonly size: { observe(bytes: number): void }
  /** For verbs whose requests have bodies. */
  readonly bodySize: { observe(bytes: number): void } | undefined
}

/** Counts requests: one look-up a request; labels are resolved once. */
interface RequestSeriesSet {
  of(call: ServerCall): RequestSeries
  count(series: RequestSeries, call: ServerCall, seconds: number): void
  flush(): void
}

export function createRequestSeries(metrics: Metrics, serves: (call: ServerCall) => boolean): RequestSeriesSet {
  const requests: Counter = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    labels: ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component', 'code'],
    stability: 'STABLE',
  })
  const durations: Histogram = metrics.histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from a request to the end of its answer, in seconds.',
    labels: ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
    stability: 'STABLE',
    buckets: durationBuckets,
  })
  const plainLabels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component']
  const objectives: Histogram = metrics.histogram({
    name: 'apiserver_request_sli_duration_seconds',
    help: 'Time from a request to the end of its answer, in seconds, for service level indicators.',
    labels: plainLabels,
    stability: 'ALPHA',
    buckets: objectiveBuckets,
  })
  const sizes: Histogram = metrics.histogram({
    name: 'apiserver_response_sizes',
    help: 'Bytes of answers to reads.',
    labels: plainLabels,
    stability: 'STABLE',
    buckets: sizeBuckets,
  })
  const bodySizes: Histogram = metrics.histogram({
    name: 'apiserver_request_body_size_bytes',
    help: 'Bytes of the bodies of requests.',
    labels: ['group', 'resource', 'verb'],
    stability: 'ALPHA',
    buckets: bodySizeBuckets,
  })
  const validated: Histogram = metrics.histogram({
    name: 'field_validation_request_duration_seconds',
    help: 'Time from a request to the end of its answer, in seconds, by its field validation.',
    labels: ['field_validation'],
    stability: 'ALPHA',
    buckets: objectiveBuckets,
  })
  const known = new Map<string, RequestSeries>()

  function make(verb: string, dryRun: string, info: Omit<Labels, 'verb' | 'dryRun'>): RequestSeries {
    const { group, version, resource, subresource, scope, component } = info
    const plain = [verb, group, version, resource, subresource, scope, component]
    const bodyVerb = component === '' ? undefined : bodyVerbs[verb]
    return {
      verb,
      dryRun,
      ...info,
      codes: new Map(),
      duration: durations.at([verb, dryRun, ...plain.slice(1)]),
      objective: objectives.at(plain),
      size: sizes.at(plain),
      bodySize: bodyVerb === undefined ? undefined : bodySizes.at([group, resource, bodyVerb]),
    }
  }

  function of(call: ServerCall): RequestSeries {
    const { info, route } = call
    const verb = verbOf(call)
    const dryRun = call.url.includes('dryRun') ? dryRunOf(call.query) : ''
    const scope = scopeOf(call)
    const key = `${verb} ${dryRun} ${info.group} ${info.version} ${info.resource} ${info.subresource} ${scope} ${route}`
    const found = known.get(key)
    if (found !== undefined) return found
    const component = info.isResource ? 'apiserver' : ''
    if (known.size >= seriesMax || (info.isResource && !serves(call))) {
      const otherKey = `${verb} other`
      const labels = { group: '', version: '', resource: 'other', subresource: '', scope, component }
      const other = known.get(otherKey) ?? make(verb, '', { ...labels, scope: '' })
      known.set(otherKey, other)
      return other
    }
    const { group, version, resource } = info
    const series = make(verb, dryRun, {
      group,
      version,
      resource,
      subresource: info.isResource ? info.subresource : route,
      scope,
      component,
    })
    known.set(key, series)
    return series
  }

  return {
    of,
    count(series, call, seconds) {
      const { status: code, bytesSent: bytes } = call.responder
      series.codes.set(code, (series.codes.get(code) ?? 0) + 1)
      series.duration.observe(seconds)
      series.objective.observe(seconds)
      if (series.verb === 'GET' || series.verb === 'LIST') series.size.observe(bytes)
      if (series.bodySize === undefined) return
      if (call.bodyRead !== undefined) series.bodySize.observe(call.bodyRead.byteLength)
      if (validatedVerbs.has(series.verb)) validated.observe([fieldValidationOf(call)], seconds)
    },
    flush() {
      for (const series of known.values()) {
        for (const [code, count] of series.codes) requests.add([...labelsOf(series), String(code)], count)
        series.codes.clear()
      }
    },
  }
}

type Labels = Pick<
  RequestSeries,
  'verb' | 'dryRun' | 'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'component'
>

function labelsOf(series: RequestSeries): string[] {
  const { verb, dryRun, group, version, resource, subresource, scope, component } = series
  return [verb, dryRun, group, version, resource, subresource, scope, component]
}

function verbOf({ info, method, headers }: ServerCall): string {
  if (!info.isResource) return methods.has(method) ? method : 'other'
  if (info.subresource !== '' && connectSubresources.has(info.subresource)) return 'CONNECT'
  if (info.verb === 'patch' && headers['content-type']?.startsWith('application/apply-patch') === true) return 'APPLY'
  return verbNames[info.verb] ?? 'other'
}

function scopeOf({ info }: ServerCall): string {
  if (!info.isResource) return ''
  if (info.name !== '' || info.verb === 'create') return 'resource'
  return info.namespace === '' ? 'cluster' : 'namespace'
}

function fieldValidationOf({ url, query }: ServerCall): string {
  if (!url.includes('fieldValidation')) return ''
  const values = query.getAll('fieldValidation')
  const [value = ''] = values
  return values.length <= 1 && fieldValidations.has(value) ? value : 'invalid'
}

function dryRunOf(query: QueryParameters): string {
  const values = query.getAll('dryRun')
  if (values.every((value) => value === '')) return ''
  return values.every((value) => value === 'All') ? 'All' : 'invalid'
}
