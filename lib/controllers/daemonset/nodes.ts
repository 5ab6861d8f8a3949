import type { DaemonSet } from '../../../api/gen/apps/v1.ts'
import type { Node, Pod, PodSpec, Toleration } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { byCreation } from '../shared/creationtime.ts'
import { fitsNode } from '../shared/fitsnode.ts'
import { isTerminal } from '../shared/podstate.ts'
import { tolerates } from '../shared/tolerates.ts'

export type SomeSet = Frozen<DaemonSet>
export type SomePod = Frozen<Pod>
export type SomeNode = Frozen<Node>

export interface Decision {
  /** A pod is to be made where there is none. */
  readonly run: boolean
  /** One that is there may stay. */
  readonly stay: boolean
}

/** Whether a set's pods belong on a node. The node's state and size don't matter: the scheduler looks at those. */
export function decide({ spec: { template } }: SomeSet, node: SomeNode): Decision {
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

/** The template's tolerations, and what every daemon puts up with. */
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

/** The node that a pod runs on, or waits for. */
function targetNode({ spec }: SomePod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  for (const { matchFields = [] } of terms)
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In' && values.length === 1) return values[0]
  return undefined
}

/** Pods by node, on each node what is assigned first, then the oldest. Those that are over and going don't count. */
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
