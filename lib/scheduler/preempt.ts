import type { PodDisruptionBudget } from '../../api/gen/policy/v1.ts'
import { type Frozen, labelSelectorFromObject } from '../object/index.ts'
import type { Snapshot } from './contract.ts'
import { histogram } from './message.ts'
import type { NodeInfo } from './nodeinfo.ts'
import { prepareFilters, type Refused, refusalsOf } from './plan.ts'
import { type PodInfo, startedMs } from './podinfo.ts'
import type { Profile } from './profile.ts'

/** Pods that make room for another one by ending. */
export interface Preemption {
  readonly node: string
  readonly victims: readonly PodInfo[]
}

interface Candidate extends Preemption {
  /** Victims that a disruption budget protects. */
  readonly violations: number
}

/** The filters of one profile, which know the pod. */
type Prepared = Parameters<typeof refusalsOf>[3]
type Budgets = readonly Frozen<PodDisruptionBudget>[]

const notHelpful = 'Preemption is not helpful for scheduling'

/**
 * Finds the node on which the least important pods have to end for a pod. A text: why there is none, to be appended to
 * the message about the pod. Undefined: the profile ends no pods for others.
 */
export function preempt(
  pod: PodInfo,
  snapshot: Snapshot,
  { refusals }: Pick<Refused, 'refusals'>,
  budgets: Budgets,
  profile: Profile,
): Preemption | string | undefined {
  const { preemption: limits } = profile
  if (!limits) return undefined
  const count = snapshot.nodes.size
  if (pod.pod.spec.preemptionPolicy === 'Never') return `preemption: not eligible due to preemptionPolicy=Never.`
  if (isWaitingForVictims(pod, snapshot))
    return `preemption: not eligible due to a terminating pod on the nominated node.`
  const prepared = prepareFilters(pod, snapshot, profile)
  if ('problem' in prepared) return `preemption: 0/${count} nodes are available: ${count} ${notHelpful}.`
  const problems: string[] = []
  const candidates: Candidate[] = []
  const most = Math.max(limits.absolute, Math.floor((count * limits.percentage) / 100))
  for (const [name, refused] of refusals) {
    const node = snapshot.nodes.get(name)
    if (!node) continue
    if (refused.some(({ isFinal }) => isFinal)) problems.push(notHelpful)
    else if (candidates.length < most) {
      const candidate = victimsOn(pod, node, snapshot, prepared, budgets)
      if (candidate) candidates.push(candidate)
      else problems.push('No preemption victims found for incoming pod')
    }
  }
  const best = candidates.toSorted(compareCandidates)[0]
  return best ?? `preemption: 0/${count} nodes are available: ${histogram(problems)}.`
}

/** Victims of an earlier attempt are still ending. */
function isWaitingForVictims({ pod, priority }: PodInfo, { nodes }: Snapshot): boolean {
  const node = nodes.get(pod.status.nominatedNodeName ?? '')
  if (!node) return false
  return [...node.pods.values()].some(
    (other) => other.pod.metadata.deletionTimestamp !== undefined && other.priority < priority,
  )
}

/** The pods that have to end so that the pod fits: of those less important, as few as possible. */
function victimsOn(
  pod: PodInfo,
  node: NodeInfo,
  snapshot: Snapshot,
  prepared: Prepared,
  budgets: Budgets,
): Candidate | undefined {
  const lower = [...node.pods.values()].filter(({ priority }) => priority < pod.priority)
  if (lower.length === 0) return undefined
  let left = node.withPods([...node.pods.values()].filter((each) => !lower.includes(each)))
  if (refusalsOf(pod, left, snapshot, prepared).length > 0) return undefined
  const guarded = protectedBy(lower, budgets)
  const victims: PodInfo[] = []
  let violations = 0
  // Those that a budget protects stay rather than others, and important ones rather than unimportant ones.
  const order = [...lower].sort(
    (a, b) =>
      Number(guarded.has(b.key)) - Number(guarded.has(a.key)) || b.priority - a.priority || startedMs(a) - startedMs(b),
  )
  for (const each of order) {
    const fuller = left.with(each)
    if (refusalsOf(pod, fuller, snapshot, prepared).length === 0) left = fuller
    else {
      victims.push(each)
      if (guarded.has(each.key)) violations++
    }
  }
  return { node: node.name, victims, violations }
}

/** Pods whose end a budget does not allow, as many as exceed it. */
function protectedBy(pods: readonly PodInfo[], budgets: Budgets): Set<string> {
  const left = budgets.map(({ status }) => status.disruptionsAllowed)
  const guarded = new Set<string>()
  for (const { key, pod } of pods.toSorted((a, b) => b.priority - a.priority))
    for (const [index, { metadata, spec, status }] of budgets.entries()) {
      if (metadata.namespace !== pod.metadata.namespace || spec.selector === undefined) continue
      if (status.disruptedPods?.[pod.metadata.name ?? ''] !== undefined) continue
      const selector = labelSelectorFromObject(spec.selector)
      if (selector.empty || !selector.matches(pod.metadata.labels)) continue
      left[index] = (left[index] ?? 0) - 1
      if ((left[index] ?? 0) < 0) guarded.add(key)
    }
  return guarded
}

/** The fewest violations of budgets, the least important victims, the fewest, and those that started last. */
function compareCandidates(left: Candidate, right: Candidate): number {
  const highest = ({ victims }: Candidate): number => Math.max(...victims.map(({ priority }) => priority))
  const sum = ({ victims }: Candidate): number => victims.reduce((total, { priority }) => total + priority + 2 ** 31, 0)
  const earliest = (of: Candidate): number =>
    Math.min(...of.victims.filter(({ priority }) => priority === highest(of)).map(startedMs))
  return (
    left.violations - right.violations ||
    highest(left) - highest(right) ||
    sum(left) - sum(right) ||
    left.victims.length - right.victims.length ||
    earliest(right) - earliest(left)
  )
}
