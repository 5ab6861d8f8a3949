import type { Node, Pod } from '../../api/gen/core/v1.ts'
import { keyOf } from '../controller/index.ts'
import type { Frozen } from '../object/index.ts'
import { NodeInfo } from './nodeinfo.ts'
import { changedInfo, type PodInfo, podInfo } from './podinfo.ts'

/** Nodes with their pods, kept up to date by changes; pods whose binding is under way count where they go. */
export class ClusterState {
  readonly #nodes = new Map<string, NodeInfo>()
  /** Pods on nodes that are not known (yet). */
  readonly #homeless = new Map<string, Map<string, PodInfo>>()
  /** The node on which a pod counts. */
  readonly #places = new Map<string, { readonly node: string; readonly controllerUid: string | undefined }>()
  readonly #assumed = new Set<string>()
  readonly #nominations = new Map<string, { readonly node: string; readonly pod: PodInfo }>()

  /** Numbers of pods by node, by the uid of their controller. */
  readonly #controlled = new Map<string, Map<string, number>>()

  get nodes(): ReadonlyMap<string, NodeInfo> {
    return this.#nodes
  }

  /** Numbers of what is known, as the stock metric counts them. */
  get sizes(): { nodes: number; pods: number; assumed_pods: number } {
    return { nodes: this.#nodes.size, pods: this.#places.size, assumed_pods: this.#assumed.size }
  }

  get nominated(): ReadonlyMap<string, readonly PodInfo[]> {
    const byNode = new Map<string, PodInfo[]>()
    for (const { node, pod } of this.#nominations.values()) {
      const pods = byNode.get(node)
      if (pods) pods.push(pod)
      else byNode.set(node, [pod])
    }
    return byNode
  }

  controlledBy(uid: string): ReadonlyMap<string, number> | undefined {
    return this.#controlled.get(uid)
  }

  setNode(node: Frozen<Node>): void {
    const name = node.metadata.name ?? ''
    const pods = this.#nodes.get(name)?.pods ?? this.#homeless.get(name) ?? new Map<string, PodInfo>()
    this.#homeless.delete(name)
    this.#nodes.set(name, NodeInfo.of(node, pods.values()))
  }

  removeNode(name: string): void {
    const known = this.#nodes.get(name)
    this.#nodes.delete(name)
    if (known && known.pods.size > 0) this.#homeless.set(name, new Map(known.pods))
  }

  /** A pod as the informer shows it. */
  setPod(pod: Frozen<Pod>): void {
    const key = keyOf(pod)
    const { nodeName = '' } = pod.spec
    const isFinished = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
    if (nodeName === '' || isFinished) {
      if (isFinished || !this.#assumed.has(key)) this.#leave(key)
      const nominated = pod.status.nominatedNodeName ?? ''
      if (nominated !== '' && !isFinished) this.nominate(podInfo(pod), nominated)
      else this.#nominations.delete(key)
      return
    }
    this.#assumed.delete(key)
    this.#nominations.delete(key)
    this.#enter(changedInfo(this.#nodes.get(nodeName)?.pods.get(key), pod), nodeName)
  }

  removePod(key: string): void {
    this.#assumed.delete(key)
    this.#nominations.delete(key)
    this.#leave(key)
  }

  /** The pod counts on the node from now on, though no one else has seen that yet. */
  assume(pod: PodInfo, node: string): void {
    this.#assumed.add(pod.key)
    this.#enter(pod, node)
  }

  /** The binding has failed. */
  forget(key: string): void {
    if (this.#assumed.delete(key)) this.#leave(key)
  }

  isAssumed(key: string): boolean {
    return this.#assumed.has(key)
  }

  /** The node is kept free for a pod whose victims are ending. */
  nominate(pod: PodInfo, node: string): void {
    this.#nominations.set(pod.key, { node, pod })
  }

  #enter(pod: PodInfo, name: string): void {
    this.#leave(pod.key)
    this.#places.set(pod.key, { node: name, controllerUid: pod.controllerUid })
    this.#count(pod.controllerUid, name, 1)
    const node = this.#nodes.get(name)
    if (node) this.#nodes.set(name, node.with(pod))
    else this.#homeless.set(name, new Map(this.#homeless.get(name)).set(pod.key, pod))
  }

  #leave(key: string): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    this.#places.delete(key)
    this.#count(place.controllerUid, place.node, -1)
    const node = this.#nodes.get(place.node)
    if (node) this.#nodes.set(place.node, node.without(key))
    else this.#homeless.get(place.node)?.delete(key)
  }

  #count(uid: string | undefined, node: string, by: 1 | -1): void {
    if (uid === undefined) return
    const counts = this.#controlled.get(uid) ?? new Map<string, number>()
    const count = (counts.get(node) ?? 0) + by
    if (count > 0) counts.set(node, count)
    else counts.delete(node)
    if (counts.size > 0) this.#controlled.set(uid, counts)
    else this.#controlled.delete(uid)
  }
}
