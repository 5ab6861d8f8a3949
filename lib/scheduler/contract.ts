import type { Pod } from '../../api/gen/core/v1.ts'
import type { FieldError, FieldPath, Frozen, LabelSelector } from '../object/index.ts'
import type { DeviceSnapshot } from './dra/contract.ts'
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
  /** Undefined: devices are not served. */
  readonly devices: DeviceSnapshot | undefined
  namespaceLabels(namespace: string): Labels
  /** Selects the pods of the services and the workload that the pod belongs to; undefined: it belongs to none. */
  defaultSelector(pod: Frozen<Pod>): LabelSelector | undefined
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
  /** Scores from 0 to 100, in the order of the nodes. Undefined: it makes no difference for this pod. */
  scores(pod: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot): readonly number[] | undefined
}

/** A step of a decision, by its stock name. */
export type ExtensionPoint =
  | 'preEnqueue'
  | 'queueSort'
  | 'preFilter'
  | 'filter'
  | 'postFilter'
  | 'preScore'
  | 'score'
  | 'reserve'
  | 'permit'
  | 'preBind'
  | 'bind'
  | 'postBind'

/** A part of the decision that profiles choose by its stock name, and configure. */
export interface Plugin<Args = unknown> {
  readonly name: string
  /** The points that it has in the stock scheduler: configurations enable it there. */
  readonly points: readonly ExtensionPoint[]
  /** The weight of its scores where a profile names none. Default 1. */
  readonly weight?: number
  /** Completes the arguments of a configuration file; absent: it takes none. */
  complete?(args: Args): object
  /** The mistakes in completed arguments, in stock words. */
  check?(args: Args, path: FieldPath): readonly FieldError[]
  /** `args`: completed; undefined: the defaults. */
  filter?(args: Args | undefined): Filter
  score?(args: Args | undefined): Score
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
