import type { Pod, PodAffinityTerm } from '../../api/gen/core/v1.ts'
import { controllerOf, keyOf } from '../controller/index.ts'
import {
  type Frozen,
  type LabelSelector,
  labelSelectorFromObject,
  parseTime,
  quantityMilliValue,
  quantityValue,
} from '../object/index.ts'
import { podResources } from '../quota/index.ts'

/** A pod as the scheduler looks at it: what is read often is computed once. */
export interface PodInfo {
  readonly pod: Frozen<Pod>
  readonly key: string
  readonly priority: number
  /** Thousandths of a core, and units of everything else. */
  readonly requests: ReadonlyMap<string, number>
  /** For scores: a pod without requests is taken to use something. */
  readonly scoredCpu: number
  readonly scoredMemory: number
  readonly ports: readonly HostPort[]
  readonly requiredAffinity: readonly AffinityTerm[]
  readonly requiredAntiAffinity: readonly AffinityTerm[]
  readonly preferredAffinity: readonly WeightedTerm[]
  readonly preferredAntiAffinity: readonly WeightedTerm[]
  readonly controllerUid: string | undefined
}

export interface HostPort {
  readonly ip: string
  readonly protocol: string
  readonly port: number
}

/** Which pods a term is about, and the label by which nodes belong together. */
export interface AffinityTerm {
  readonly topologyKey: string
  readonly selector: LabelSelector
  readonly namespaces: ReadonlySet<string>
  /** Selects further namespaces by their labels; undefined: none. */
  readonly namespaceSelector: LabelSelector | undefined
}

export interface WeightedTerm {
  readonly weight: number
  readonly term: AffinityTerm
}

/** Stock schedulers take a container without requests to use this much. */
const scoredCpuMin = 100
const scoredMemoryMin = 200 * 1024 * 1024

export function podInfo(pod: Frozen<Pod>): PodInfo {
  // The resources of a pod are computed from its whole spec and status, which are not changed.
  const { requests } = podResources(pod as Pod, { podLevel: true, overhead: true, held: true })
  const amounts = new Map<string, number>()
  for (const [name, amount] of Object.entries(requests))
    amounts.set(name, Number(name === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount)))
  const { affinity } = pod.spec
  const terms = (of: readonly Frozen<PodAffinityTerm>[] | undefined): AffinityTerm[] =>
    (of ?? []).map((term) => affinityTerm(pod, term))
  const weighted = (
    of: readonly Frozen<{ weight: number; podAffinityTerm: PodAffinityTerm }>[] | undefined,
  ): WeightedTerm[] =>
    (of ?? []).map(({ weight, podAffinityTerm }) => ({ weight, term: affinityTerm(pod, podAffinityTerm) }))
  const containers = pod.spec.containers?.length ?? 1
  return {
    pod,
    key: keyOf(pod),
    priority: pod.spec.priority ?? 0,
    requests: amounts,
    scoredCpu: amounts.get('cpu') ?? scoredCpuMin * containers,
    scoredMemory: amounts.get('memory') ?? scoredMemoryMin * containers,
    ports: hostPorts(pod),
    requiredAffinity: terms(affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: terms(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: weighted(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: weighted(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    controllerUid: controllerOf(pod)?.uid,
  }
}

/** As `podInfo`, from what is known about the pod; most changes are of its status alone. */
export function changedInfo(known: PodInfo | undefined, pod: Frozen<Pod>): PodInfo {
  const before = known?.pod.metadata
  const isSame =
    known !== undefined &&
    before?.uid === pod.metadata.uid &&
    pod.metadata.generation !== undefined &&
    before?.generation === pod.metadata.generation &&
    !isResized(pod) &&
    !isResized(known.pod)
  return isSame ? { ...known, pod } : podInfo(pod)
}

/** Its containers may hold other resources than its spec asks for. */
function isResized({ status }: Frozen<Pod>): boolean {
  return status.conditions?.some(({ type }) => type.startsWith('PodResize')) === true
}

/** The start of a pod, for choices between victims; a pod that has not started counts as the latest. */
export function startedMs({ pod }: PodInfo): number {
  const { startTime } = pod.status
  return startTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(startTime)
}

/** A term is about the pod, which lies in a namespace with these labels. */
export function matchesTerm(term: AffinityTerm, pod: Frozen<Pod>, labelsOf: (namespace: string) => Labels): boolean {
  const { namespace = '', labels } = pod.metadata
  const isMeant = term.namespaces.has(namespace) || term.namespaceSelector?.matches(labelsOf(namespace)) === true
  return isMeant && term.selector.matches(labels)
}

export type Labels = Readonly<Record<string, string>> | undefined

function affinityTerm(pod: Frozen<Pod>, term: Frozen<PodAffinityTerm>): AffinityTerm {
  const { topologyKey, namespaces = [], namespaceSelector } = term
  const own = namespaces.length === 0 && namespaceSelector === undefined ? [pod.metadata.namespace ?? ''] : namespaces
  return {
    topologyKey,
    selector: labelSelectorFromObject(term.labelSelector),
    namespaces: new Set(own),
    namespaceSelector: namespaceSelector === undefined ? undefined : labelSelectorFromObject(namespaceSelector),
  }
}

function hostPorts({ spec }: Frozen<Pod>): HostPort[] {
  const all = [
    ...(spec.containers ?? []),
    ...(spec.initContainers ?? []).filter((each) => each.restartPolicy === 'Always'),
  ]
  return all.flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) =>
      hostPort > 0 ? [{ ip: hostIP === '' ? '0.0.0.0' : hostIP, protocol, port: hostPort }] : [],
    ),
  )
}
