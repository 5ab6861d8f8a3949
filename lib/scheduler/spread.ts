import type { Pod, TopologySpreadConstraint } from '../../api/gen/core/v1.ts'
import { fitsNode, tolerates } from '../kinds/index.ts'
import { type Frozen, type LabelSelector, labelSelectorFromObject } from '../object/index.ts'
import type { NodeInfo } from './nodeinfo.ts'
import type { PodInfo } from './podinfo.ts'
import { topologyOf } from './topology.ts'

/** A constraint on how pods spread over topologies, ready to be asked. */
export interface Constraint {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly minDomains: number
  readonly selector: LabelSelector
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}

/** `selector`: that of constraints which name none, as those of a profile. */
export function constraintsOf(
  pod: Frozen<Pod>,
  constraints: readonly Frozen<TopologySpreadConstraint>[],
  whenUnsatisfiable: string,
  selector?: LabelSelector,
): Constraint[] {
  return constraints
    .filter((each) => each.whenUnsatisfiable === whenUnsatisfiable)
    .map((each) => ({
      topologyKey: each.topologyKey,
      maxSkew: each.maxSkew,
      minDomains: each.minDomains ?? 1,
      selector: selector ?? selectorOf(pod, each),
      honorsAffinity: each.nodeAffinityPolicy !== 'Ignore',
      honorsTaints: each.nodeTaintsPolicy === 'Honor',
    }))
}

/** Labels that the pod shares with those of its revision narrow the selector. */
function selectorOf(
  pod: Frozen<Pod>,
  { labelSelector, matchLabelKeys = [] }: Frozen<TopologySpreadConstraint>,
): LabelSelector {
  const labels = pod.metadata.labels ?? {}
  const more = matchLabelKeys
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator: 'In', values: [labels[key] ?? ''] }))
  if (more.length === 0 || labelSelector === undefined) return labelSelectorFromObject(labelSelector)
  return labelSelectorFromObject({
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...more],
  })
}

/** The node's pods count for the constraint. */
function counts(node: NodeInfo, pod: Frozen<Pod>, { honorsAffinity, honorsTaints }: Constraint): boolean {
  if (honorsAffinity && !fitsNode(pod.spec, node.node)) return false
  return (
    !honorsTaints ||
    (node.node.spec.taints ?? []).every(
      (taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.spec.tolerations ?? [], taint),
    )
  )
}

/** Number of pods on the node that a constraint of the pod is about. */
export function matching(node: NodeInfo, pod: PodInfo, { selector }: Constraint): number {
  const { namespace } = pod.pod.metadata
  let count = 0
  for (const { pod: other } of node.pods.values())
    if (
      other.metadata.namespace === namespace &&
      other.metadata.deletionTimestamp === undefined &&
      selector.matches(other.metadata.labels)
    )
      count++
  return count
}

/** Matching pods by the value of the constraint's label, over nodes with all labels that the pod's constraints name. */
export function countDomains(
  nodes: Iterable<NodeInfo>,
  pod: PodInfo,
  constraint: Constraint,
  keys: readonly string[],
): Map<string, number> {
  const domains = new Map<string, number>()
  for (const node of nodes) {
    if (keys.some((key) => topologyOf(node, key) === undefined) || !counts(node, pod.pod, constraint)) continue
    const value = topologyOf(node, constraint.topologyKey) ?? ''
    domains.set(value, (domains.get(value) ?? 0) + matching(node, pod, constraint))
  }
  return domains
}
