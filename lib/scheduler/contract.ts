import type { NodeInfo } from './nodeinfo.ts'
import type { Labels, PodInfo } from './podinfo.ts'
import type { VolumeListers } from './volumes.ts'

/** The state of the cluster at one moment, as plans see it. */
export interface Snapshot {
  /** By name, in a stable order. */
  readonly nodes: ReadonlyMap<string, NodeInfo>
  /** Pods that a node is kept free for, by node. */
  readonly nominated: ReadonlyMap<string, readonly PodInfo[]>
  readonly volumes: VolumeListers
  namespaceLabels(namespace: string): Labels
  /** Numbers of pods by node that a controller has. */
  controlledBy(uid: string): ReadonlyMap<string, number> | undefined
}

/** Why a node does not take a pod. */
export interface Refusal {
  /** As users read it: `Insufficient cpu`. */
  readonly reason: string
  /** Removing other pods from the node would not help. */
  readonly isFinal: boolean
}

/** A question about nodes for one pod: `prepare` computes once what all nodes need. */
export interface Filter {
  readonly name: string
  /** Undefined: the filter has nothing to say about this pod. A text: no node is possible, for that reason. */
  prepare(pod: PodInfo, snapshot: Snapshot): NodeFilter | string | undefined
}

/** Undefined: the node may take the pod. `node` may have other pods than in the snapshot. */
export type NodeFilter = (node: NodeInfo) => Refusal | readonly Refusal[] | undefined

/** How well nodes suit one pod. */
export interface Score {
  readonly name: string
  readonly weight: number
  /** Undefined: it makes no difference for this pod. Else raw scores, in the order of the nodes, and how to make 0–100 of them. */
  scores(pod: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): readonly number[] | undefined
}

export const scoreMax = 100

/** The highest becomes 100; `isReversed`: the lowest does. */
export function normalized(raw: readonly number[], isReversed = false): number[] {
  const most = Math.max(...raw, 0)
  if (most === 0) return raw.map(() => (isReversed ? scoreMax : 0))
  return raw.map((each) => {
    const score = Math.floor((each * scoreMax) / most)
    return isReversed ? scoreMax - score : score
  })
}
