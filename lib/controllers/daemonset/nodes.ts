import type { DaemonSet } from '../../../api/gen/apps/v1.ts'
import type { Node, Pod, PodSpec, Toleration } from '../../../api/gen/core/v1.ts'
import { fitsNode, tolerates } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import { byCreation } from '../shared/creationtime.ts'
import { isTerminal } from '../shared/podstate.ts'

export type SomeSet = Frozen<DaemonSet>
export type SomePod = Frozen<Pod>
export type SomeNode = Frozen<Node>

export interface NodeDecision {
  /** The node should get a pod. */
  readonly run: boolean
  /** An existing pod may stay. */
  readonly stay: boolean
}

/** Decides whether a node gets a pod of the set. The scheduler checks the node's state and resources. */
export function decide({ spec: { template } }: SomeSet, node: SomeNode): NodeDecision {
  const { nodeName = '' } = template.spec
  if ((nodeName !== '' && nodeName !== node.metadata.name) || !fitsNode(template.spec, node))
    return { run: false, stay: false }
  const tolerations = daemonTolerations(template.spec)
  const bad = (node.spec.taints ?? []).filter(
    (taint) => (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !tolerates(tolerations, taint),
  )
  return { run: bad.length === 0, stay: bad.every(({ effect }) => effect !== 'NoExecute') }
}

const endured: readonly (readonly [string, string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
]

/** The template's tolerations, and those of every daemon pod. */
export function daemonTolerations({ tolerations = [], hostNetwork }: Frozen<PodSpec>): Frozen<Toleration>[] {
  const more = hostNetwork ? [...endured, ['network-unavailable', 'NoSchedule'] as const] : endured
  const result: Frozen<Toleration>[] = [...tolerations]
  for (const [name, effect] of more) {
    const added = { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }
    const index = result.findIndex(
      (each) =>
        each.key === added.key && each.effect === effect && each.operator === 'Exists' && (each.value ?? '') === '',
    )
    if (index < 0) result.push(added)
    else result[index] = added
  }
  return result
}

/** The node on which a pod runs, or to which its affinity binds it. */
function targetNode({ spec }: SomePod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  for (const { matchFields = [] } of terms)
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In' && values.length === 1) return values[0]
  return undefined
}

/** Pods by node; per node, scheduled pods first, then by age. Finished pods that are being deleted don't count. */
export function podsByNode(pods: readonly SomePod[]): Map<string, SomePod[]> {
  const byNode = new Map<string, SomePod[]>()
  for (const pod of pods) {
    const node = targetNode(pod)
    if (node === undefined || (isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue
    const known = byNode.get(node)
    if (known) known.push(pod)
    else byNode.set(node, [pod])
  }
  for (const each of byNode.values()) each.sort(byAssignment)
  return byNode
}

function byAssignment(left: SomePod, right: SomePod): number {
  return Number(!left.spec.nodeName) - Number(!right.spec.nodeName) || byCreation(left, right)
}
