import type { Client } from '../../client/index.ts'
import { isNotFound, type KindMapper } from '../../controller/index.ts'
import { parseDurationMs, parseGroupVersion, parseTime, quantityMilliValue, StatusError } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { NotComputable, type Sample, type Samples } from './replicas.ts'

/** Reads the three metrics APIs of aggregated servers. Rejects with an Error whose message is for users. */
export interface MetricsApi {
  /** Usage of a resource by pods, or by one container of each. */
  ofPods(namespace: string, selector: string, resource: string, container: string | undefined): Promise<Samples>
  /** A custom metric of each pod. */
  customOfPods(namespace: string, metric: Metric, selector: string): Promise<Samples>
  /** A custom metric of one object, in thousandths. */
  customOfObject(namespace: string, metric: Metric, object: DescribedObject): Promise<number>
  /** The sum of an external metric's series, in thousandths. */
  external(namespace: string, metric: Metric): Promise<number>
}

export interface Metric {
  readonly name: string
  /** As text; '' for none. */
  readonly selector: string
}

export interface DescribedObject {
  readonly apiVersion?: string | undefined
  readonly kind: string
  readonly name: string
}

/** The fields of the three APIs' answers that are used. */
interface MetricsList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly describedObject?: { readonly name?: string }
    readonly timestamp?: string
    readonly window?: string
    readonly windowSeconds?: number
    readonly containers?: readonly { readonly name?: string; readonly usage?: Readonly<Record<string, string>> }[]
    readonly value?: string
  }[]
}

type Item = NonNullable<MetricsList['items']>[number]

const minuteMs = 60_000
const customGroup = 'custom.metrics.k8s.io'
const customVersions = ['v1beta2', 'v1beta1']

export function createMetricsApi(client: Client, kinds: KindMapper): MetricsApi {
  async function read(path: string, query: Readonly<Record<string, string>>): Promise<readonly Item[]> {
    const given = Object.entries(query).filter(([, value]) => value !== '')
    const text = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
    // The shape of the metrics APIs; quantities are checked as they are read.
    const list = (await client.document(`${path}${text}`, { accept: 'application/json' })) as MetricsList
    return list.items ?? []
  }

  async function served(path: string): Promise<unknown> {
    try {
      return await client.document(path)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async function customRoot(): Promise<string> {
    // The shape of a group's discovery document.
    const { preferredVersion, versions = [] } = ((await served(`/apis/${customGroup}`)) ?? {}) as {
      preferredVersion?: { version?: string }
      versions?: readonly { version?: string }[]
    }
    const known = new Set([preferredVersion?.version, ...versions.map(({ version }) => version)])
    const version = customVersions.find((each) => known.has(each)) ?? preferredVersion?.version
    if (version === undefined) throw new NotComputable(`no custom metrics API (${customGroup}) registered`)
    return `/apis/${customGroup}/${version}`
  }

  async function pathOf(namespace: string, { apiVersion = 'v1', kind, name }: DescribedObject): Promise<string> {
    const group = parseGroupVersion(apiVersion)?.group ?? ''
    // The path of a namespace's metrics differs from that of objects in it.
    if (group === '' && kind === 'Namespace') return `namespaces/${encodeURIComponent(name)}/metrics`
    const type = await kinds.resourceOf(group, kind)
    if (!type) throw new NotComputable(`no matches for kind "${kind}" in group "${group}"`)
    const resource = group === '' ? type.resource : `${type.resource}.${group}`
    const inside = type.namespaced ? `namespaces/${encodeURIComponent(namespace)}/` : ''
    return `${inside}${resource}/${encodeURIComponent(name)}`
  }

  return {
    async ofPods(namespace, labelSelector, resource, container) {
      const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods`
      const items = await explained(
        'unable to fetch metrics from resource metrics API',
        read(path, { labelSelector }),
        'pods.metrics.k8s.io',
      )
      if (items.length === 0) throw new NotComputable('no metrics returned from resource metrics API')
      return new Map(items.flatMap((item) => entryOf(item, usageOf(item, resource, container))))
    },
    async customOfPods(namespace, { name, selector: metricLabelSelector }, labelSelector) {
      const items = await explained(
        'unable to fetch metrics from custom metrics API',
        customRoot().then((root) =>
          read(`${root}/namespaces/${encodeURIComponent(namespace)}/pods/*/${encodeURIComponent(name)}`, {
            labelSelector,
            metricLabelSelector,
          }),
        ),
      )
      if (items.length === 0) throw new NotComputable('no metrics returned from custom metrics API')
      return new Map(items.flatMap((item) => entryOf(item, milliOf(item.value))))
    },
    async customOfObject(namespace, { name, selector: metricLabelSelector }, object) {
      const [item] = await explained(
        'unable to fetch metrics from custom metrics API',
        Promise.all([customRoot(), pathOf(namespace, object)]).then(([root, path]) =>
          read(`${root}/${path}/${encodeURIComponent(name)}`, { metricLabelSelector }),
        ),
      )
      if (!item) throw new NotComputable('no metrics returned from custom metrics API')
      return milliOf(item.value)
    },
    async external(namespace, { name, selector: labelSelector }) {
      const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`
      const items = await explained(
        'unable to fetch metrics from external metrics API',
        read(path, { labelSelector }),
        `${name}.external.metrics.k8s.io`,
      )
      if (items.length === 0) throw new NotComputable('no metrics returned from external metrics API')
      return items.reduce((sum, { value }) => sum + milliOf(value), 0)
    },
  }
}

/** `from`: the resource that is read, which the message names where the answer does not, as with a missing API. */
async function explained<T>(what: string, pending: Promise<T>, from?: string): Promise<T> {
  try {
    return await pending
  } catch (error) {
    const message = messageOf(error)
    const isOfResource = error instanceof StatusError && error.details?.kind === undefined
    const about = isOfResource && from !== undefined ? ` (get ${from})` : ''
    throw new NotComputable(`${what}: ${message}${about}`, { cause: error })
  }
}

function entryOf(item: Item, milli: number | undefined): [string, Sample][] {
  if (milli === undefined) return []
  const name = item.metadata?.name ?? item.describedObject?.name ?? ''
  const atMs = item.timestamp === undefined ? 0 : parseTime(item.timestamp)
  return [[name, { milli, atMs, windowMs: windowOf(item) }]]
}

function windowOf({ window, windowSeconds }: Item): number {
  if (windowSeconds !== undefined) return windowSeconds * 1000
  return window === undefined ? minuteMs : parseDurationMs(window)
}

/** Undefined where a container lacks the resource: the pod counts as one without a sample. */
function usageOf({ containers = [] }: Item, resource: string, wanted: string | undefined): number | undefined {
  let sum = 0
  let found = false
  for (const { name, usage } of containers) {
    if (wanted !== undefined && name !== wanted) continue
    const text = usage?.[resource]
    if (text === undefined) return undefined
    found = true
    sum += milliOf(text)
  }
  return found ? sum : undefined
}

function milliOf(text: string | undefined): number {
  return Number(quantityMilliValue(text ?? ''))
}
