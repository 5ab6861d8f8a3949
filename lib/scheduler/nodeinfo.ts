import type { Node } from '../../api/gen/core/v1.ts'
import { type Frozen, quantityMilliValue, quantityValue } from '../object/index.ts'
import type { HostPort, PodInfo } from './podinfo.ts'

/** A node and the pods on it, with their sums. Its users don't change it. */
export class NodeInfo {
  readonly name: string
  readonly node: Frozen<Node>
  readonly allocatable: ReadonlyMap<string, number>
  readonly pods: ReadonlyMap<string, PodInfo>
  readonly requested: ReadonlyMap<string, number>
  readonly scoredCpu: number
  readonly scoredMemory: number
  /** Number of pods that keep others away, and of pods that prefer or need others near. */
  readonly antiAffinityPods: number
  readonly preferringPods: number

  private constructor(
    node: Frozen<Node>,
    allocatable: ReadonlyMap<string, number>,
    pods: ReadonlyMap<string, PodInfo>,
    sums: Sums,
  ) {
    this.name = node.metadata.name ?? ''
    this.node = node
    this.allocatable = allocatable
    this.pods = pods
    this.requested = sums.requested
    this.scoredCpu = sums.scoredCpu
    this.scoredMemory = sums.scoredMemory
    this.antiAffinityPods = sums.antiAffinityPods
    this.preferringPods = sums.preferringPods
  }

  static of(node: Frozen<Node>, pods: Iterable<PodInfo>): NodeInfo {
    const allocatable = new Map<string, number>()
    for (const [name, amount] of Object.entries(node.status.allocatable ?? {}))
      allocatable.set(name, Number(name === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount)))
    const byKey = new Map(Array.from(pods, (each) => [each.key, each]))
    return new NodeInfo(node, allocatable, byKey, sumsOf(byKey.values()))
  }

  /** The same node with other pods. */
  withPods(pods: Iterable<PodInfo>): NodeInfo {
    const byKey = new Map(Array.from(pods, (each) => [each.key, each]))
    return new NodeInfo(this.node, this.allocatable, byKey, sumsOf(byKey.values()))
  }

  with(pod: PodInfo): NodeInfo {
    const pods = new Map(this.pods).set(pod.key, pod)
    return new NodeInfo(this.node, this.allocatable, pods, addTo(this, pod, 1))
  }

  without(key: string): NodeInfo {
    const pod = this.pods.get(key)
    if (!pod) return this
    const pods = new Map(this.pods)
    pods.delete(key)
    return new NodeInfo(this.node, this.allocatable, pods, addTo(this, pod, -1))
  }

  /** A host port of the pod is taken. */
  conflictsWith(ports: readonly HostPort[]): boolean {
    if (ports.length === 0) return false
    return [...this.pods.values()].some((pod) => pod.ports.some((taken) => ports.some((port) => clash(taken, port))))
  }
}

interface Sums {
  readonly requested: ReadonlyMap<string, number>
  readonly scoredCpu: number
  readonly scoredMemory: number
  readonly antiAffinityPods: number
  readonly preferringPods: number
}

function sumsOf(pods: Iterable<PodInfo>): Sums {
  let sums: Sums = { requested: new Map(), scoredCpu: 0, scoredMemory: 0, antiAffinityPods: 0, preferringPods: 0 }
  for (const pod of pods) sums = addTo(sums, pod, 1)
  return sums
}

function addTo(sums: Sums, pod: PodInfo, factor: 1 | -1): Sums {
  const requested = new Map(sums.requested)
  for (const [name, amount] of pod.requests) requested.set(name, (requested.get(name) ?? 0) + factor * amount)
  return {
    requested,
    scoredCpu: sums.scoredCpu + factor * pod.scoredCpu,
    scoredMemory: sums.scoredMemory + factor * pod.scoredMemory,
    antiAffinityPods: sums.antiAffinityPods + (pod.requiredAntiAffinity.length > 0 ? factor : 0),
    preferringPods: sums.preferringPods + (hasPreferences(pod) ? factor : 0),
  }
}

/** The pod changes the scores of nodes for other pods. */
function hasPreferences({ preferredAffinity, preferredAntiAffinity, requiredAffinity }: PodInfo): boolean {
  return preferredAffinity.length + preferredAntiAffinity.length + requiredAffinity.length > 0
}

function clash(left: HostPort, right: HostPort): boolean {
  const isAny = left.ip === '0.0.0.0' || right.ip === '0.0.0.0'
  return left.port === right.port && left.protocol === right.protocol && (isAny || left.ip === right.ip)
}
