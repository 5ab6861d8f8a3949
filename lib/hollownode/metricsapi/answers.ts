import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import {
  type Frozen,
  formatQuantity,
  formatTime,
  parseLabelSelector,
  StatusError,
  statusErrors,
} from '../../object/index.ts'
import type { RequestInfo } from '../../request/index.ts'
import { type ContainerUsage, nodeUsage, type Usage } from '../kubelet/usage.ts'

const group = 'metrics.k8s.io'
const version = 'v1beta1'
const groupVersion = `${group}/${version}`
const root = `/apis/${groupVersion}`
const window = '15s'

/** The objects and uses that the metrics are made of. */
export interface Sources {
  readonly nodes: Lister<Node>
  readonly pods: Lister<Pod>
  /** The use of a pod's running containers; undefined: no node of this process runs it. */
  usageOf(key: string): readonly ContainerUsage[] | undefined
  /** Names of the nodes of this process. */
  readonly nodeNames: ReadonlySet<string>
  now(): number
}

/** Answers an authorized GET of the resource metrics API. Throws StatusError. */
export function answerMetrics(info: RequestInfo, labelSelector: string, sources: Sources): object {
  const { path, verb, resource, namespaced, namespace, name, parts } = info
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] }
  if (path === `/apis/${group}`) return { ...apiGroup, kind: 'APIGroup', apiVersion: 'v1' }
  if (path === root) return resourceList
  const isPods = resource === 'pods'
  const isServed = info.isResource && info.group === group && info.version === version && parts.length <= 2
  if (!isServed || !(isPods || (resource === 'nodes' && !namespaced)))
    throw new StatusError(404, 'NotFound', '404 page not found')
  if (verb !== 'get' && verb !== 'list') throw statusErrors.methodNotSupported({ group, resource }, verb)
  const selector = parseLabelSelector(labelSelector)
  const metrics = isPods ? podMetrics(sources, namespace, selector) : nodeMetrics(sources, selector)
  // A list by name was authorized for that name alone.
  const named = name === '' ? metrics : metrics.filter(({ metadata }) => metadata.name === name)
  if (verb === 'list')
    return {
      kind: isPods ? 'PodMetricsList' : 'NodeMetricsList',
      apiVersion: groupVersion,
      metadata: {},
      items: named,
    }
  const [one] = named
  if (!one || (isPods && namespace === '')) throw statusErrors.notFound({ group, resource }, name)
  return one
}

type Selector = ReturnType<typeof parseLabelSelector>

interface Metrics {
  readonly metadata: { readonly name: string | undefined }
}

function podMetrics({ pods, usageOf, now }: Sources, namespace: string, selector: Selector): Metrics[] {
  const all = namespace === '' ? pods.all() : pods.in(namespace)
  return [...all].flatMap((pod) => {
    if (!selector.matches(pod.metadata.labels)) return []
    const containers = usageOf(`${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`) ?? []
    if (containers.length === 0) return []
    return [
      {
        kind: 'PodMetrics',
        ...measured(pod, now()),
        containers: containers.map((each) => ({ name: each.name, usage: usage(each) })),
      },
    ]
  })
}

function nodeMetrics({ nodes, pods, nodeNames, usageOf, now }: Sources, selector: Selector): Metrics[] {
  const used = new Map<string, { cpuMillis: number; memoryBytes: number }>()
  for (const { metadata, spec } of pods.all()) {
    const total = used.get(spec.nodeName ?? '') ?? { ...nodeUsage }
    used.set(spec.nodeName ?? '', total)
    for (const each of usageOf(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`) ?? []) {
      total.cpuMillis += each.cpuMillis
      total.memoryBytes += each.memoryBytes
    }
  }
  return [...nodes.all()]
    .filter(({ metadata }) => nodeNames.has(metadata.name ?? '') && selector.matches(metadata.labels))
    .map((node) => ({
      kind: 'NodeMetrics',
      ...measured(node, now()),
      usage: usage(used.get(node.metadata.name ?? '') ?? nodeUsage),
    }))
}

function measured({ metadata }: Frozen<Pod | Node>, nowMs: number) {
  const { name, namespace, labels } = metadata
  const time = formatTime(nowMs)
  return {
    apiVersion: groupVersion,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(labels ? { labels } : {}),
      creationTimestamp: time,
    },
    timestamp: time,
    window,
  }
}

function usage({ cpuMillis, memoryBytes }: Usage): Record<string, string> {
  return {
    cpu: formatQuantity(BigInt(Math.round(cpuMillis)), -3, 'decimalSI'),
    memory: formatQuantity(BigInt(Math.round(memoryBytes)), 0, 'binarySI'),
  }
}

const preferred = { groupVersion, version }
const apiGroup = { name: group, versions: [preferred], preferredVersion: preferred }

const resourceList = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ],
}
