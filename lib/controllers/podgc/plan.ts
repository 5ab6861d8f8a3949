import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { keyOf, type Lister } from '../../controller/index.ts'
import { type Frozen, parseTime } from '../../object/index.ts'

type Reason = 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled'

export interface Doomed {
  readonly pod: Frozen<Pod>
  readonly reason: Reason
}

/** The pods to delete, without those of missing nodes, which `nodesMissing` names. */
interface Plan {
  readonly doomed: readonly Doomed[]
  readonly nodesMissing: readonly string[]
}

const outOfService = 'node.kubernetes.io/out-of-service'

export function plan(pods: Lister<Pod>, nodes: Lister<Node>, threshold: number): Plan {
  const doomed = new Map<string, Doomed>()
  const add = (pod: Frozen<Pod>, reason: Reason): void => {
    if (!doomed.has(keyOf(pod))) doomed.set(keyOf(pod), { pod, reason })
  }
  const nodesMissing = new Set<string>()
  for (const pod of tooMany(pods, threshold)) add(pod, 'terminated')
  for (const pod of pods.all()) {
    const { nodeName = '' } = pod.spec
    const isDeleting = pod.metadata.deletionTimestamp !== undefined
    if (nodeName === '') {
      if (isDeleting) add(pod, 'unscheduled')
      continue
    }
    const node = nodes.get(nodeName)
    if (!node) nodesMissing.add(nodeName)
    else if (isDeleting && isOutOfService(node)) add(pod, 'out-of-service')
  }
  return { doomed: [...doomed.values()], nodesMissing: [...nodesMissing] }
}

/** Finished pods beyond the threshold: evicted ones first, then the oldest. */
function tooMany(pods: Lister<Pod>, threshold: number): readonly Frozen<Pod>[] {
  if (threshold <= 0) return []
  const ended: Frozen<Pod>[] = []
  for (const pod of pods.all()) if (isTerminal(pod) && pod.metadata.deletionTimestamp === undefined) ended.push(pod)
  if (ended.length <= threshold) return []
  const created = ({ metadata }: Frozen<Pod>): number => parseTime(metadata.creationTimestamp ?? '') || 0
  const isEvicted = ({ status }: Frozen<Pod>): boolean => status?.reason === 'Evicted'
  ended.sort((left, right) => Number(isEvicted(right)) - Number(isEvicted(left)) || created(left) - created(right))
  return ended.slice(0, ended.length - threshold)
}

export function isTerminal({ status }: Frozen<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

function isOutOfService({ spec, status }: Frozen<Node>): boolean {
  const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True')
  return !isReady && (spec?.taints?.some(({ key }) => key === outOfService) ?? false)
}
