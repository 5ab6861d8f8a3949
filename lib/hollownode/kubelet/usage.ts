import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, quantityMilliValue, quantityValue } from '../../object/index.ts'
import { annotationPrefix } from '../pods/behaviour.ts'
import { isRunning, type PodRecord } from '../pods/record.ts'

/** Resources that a container claims to use. */
export interface Usage {
  readonly cpuMillis: number
  readonly memoryBytes: number
}

export interface ContainerUsage extends Usage {
  readonly name: string
  readonly startedAtMs: number
}

/** The share of its request that a container uses where no annotation says more, and what it uses without one. */
const requestShare = 0.5
const plainUsage: Usage = { cpuMillis: 1, memoryBytes: 16 * 1024 * 1024 }

/** The use of a pod's running containers: `hollow.pilothouse/cpu: 250m`, `hollow.pilothouse/memory.web: 1Gi`. */
export function podUsage(pod: Frozen<Pod>, { containers }: PodRecord): ContainerUsage[] {
  return [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].flatMap((container) => {
    const record = containers.get(container.name)
    if (!isRunning(record)) return []
    return [
      {
        name: container.name,
        startedAtMs: record.startedAtMs,
        cpuMillis: amount(pod, container, 'cpu') ?? plainUsage.cpuMillis,
        memoryBytes: amount(pod, container, 'memory') ?? plainUsage.memoryBytes,
      },
    ]
  })
}

function amount(pod: Frozen<Pod>, container: Frozen<Container>, resource: 'cpu' | 'memory'): number | undefined {
  const value = (text: string): number | undefined => {
    try {
      return Number(resource === 'cpu' ? quantityMilliValue(text) : quantityValue(text))
    } catch {
      return undefined
    }
  }
  const { annotations = {} } = pod.metadata
  const key = `${annotationPrefix}${resource}`
  const stated = annotations[`${key}.${container.name}`] ?? annotations[key]
  if (stated !== undefined) return value(stated)
  const request = container.resources?.requests?.[resource]
  const asked = request === undefined ? undefined : value(request)
  return asked === undefined ? undefined : Math.round(asked * requestShare)
}

export interface PodUsage {
  readonly namespace: string
  readonly name: string
  readonly containers: readonly ContainerUsage[]
}

/** The page that kubelets serve at `/metrics/resource`. */
export function resourceMetrics(pods: readonly PodUsage[], startedAtMs: number, nowMs: number): string {
  const all = pods.flatMap(({ containers }) => containers)
  const sum = (of: (each: ContainerUsage) => number): number => all.reduce((total, each) => total + of(each), 0)
  const cpuSeconds = ({ cpuMillis, startedAtMs: since }: ContainerUsage): number =>
    ((cpuMillis / 1000) * Math.max(0, nowMs - since)) / 1000
  const pages: string[] = []
  const add = (name: string, type: string, help: string, samples: readonly (readonly [string, number])[]): void => {
    pages.push(`# HELP ${name} [STABLE] ${help}\n# TYPE ${name} ${type}\n`)
    for (const [labels, value] of samples) pages.push(`${name}${labels} ${value} ${nowMs}\n`)
  }
  const perContainer = (of: (each: ContainerUsage) => number): (readonly [string, number])[] =>
    pods.flatMap(({ namespace, name, containers }) =>
      containers.map(
        (each) => [`{container="${each.name}",namespace="${namespace}",pod="${name}"}`, of(each)] as const,
      ),
    )
  const perPod = (of: (each: ContainerUsage) => number): (readonly [string, number])[] =>
    pods.map(({ namespace, name, containers }) => [
      `{namespace="${namespace}",pod="${name}"}`,
      containers.reduce((total, each) => total + of(each), 0),
    ])
  const memory = (each: ContainerUsage): number => each.memoryBytes
  add(
    'container_cpu_usage_seconds_total',
    'counter',
    'Cumulative cpu time consumed by the container in core-seconds',
    perContainer(cpuSeconds),
  )
  add(
    'container_memory_working_set_bytes',
    'gauge',
    'Current working set of the container in bytes',
    perContainer(memory),
  )
  add(
    'container_start_time_seconds',
    'gauge',
    'Start time of the container since unix epoch in seconds',
    perContainer((each) => each.startedAtMs / 1000),
  )
  add('node_cpu_usage_seconds_total', 'counter', 'Cumulative cpu time consumed by the node in core-seconds', [
    ['', sum(cpuSeconds) + (nowMs - startedAtMs) / 100_000],
  ])
  add('node_memory_working_set_bytes', 'gauge', 'Current working set of the node in bytes', [
    ['', sum(memory) + nodeUsage.memoryBytes],
  ])
  add(
    'pod_cpu_usage_seconds_total',
    'counter',
    'Cumulative cpu time consumed by the pod in core-seconds',
    perPod(cpuSeconds),
  )
  add('pod_memory_working_set_bytes', 'gauge', 'Current working set of the pod in bytes', perPod(memory))
  pages.push(
    '# HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise\n# TYPE resource_scrape_error gauge\nresource_scrape_error 0\n',
  )
  return pages.join('')
}

/** The use of a node beside its pods. */
export const nodeUsage: Usage = { cpuMillis: 10, memoryBytes: 64 * 1024 * 1024 }
