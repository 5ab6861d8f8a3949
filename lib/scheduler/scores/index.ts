import { matchesNodeTerm, tolerates } from '../../kinds/index.ts'
import { normalized, type Score, type Snapshot, scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { type AffinityTerm, matchesTerm, type PodInfo } from '../podinfo.ts'
import { constraintsOf, countDomains } from '../spread.ts'
import { TopologyCounts, topologyOf } from '../topology.ts'

const taintToleration: Score = {
  name: 'TaintToleration',
  weight: 3,
  scores({ pod }, nodes) {
    const tolerations = (pod.spec.tolerations ?? []).filter(
      ({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule',
    )
    const raw = nodes.map(
      ({ node }) =>
        (node.spec.taints ?? []).filter(
          (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint),
        ).length,
    )
    return raw.some((count) => count > 0) ? normalized(raw, true) : undefined
  },
}

const nodeAffinity: Score = {
  name: 'NodeAffinity',
  weight: 2,
  scores({ pod }, nodes) {
    const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    if (terms.length === 0) return undefined
    return normalized(
      nodes.map(({ node }) =>
        terms.reduce((sum, { weight, preference }) => sum + (matchesNodeTerm(preference, node) ? weight : 0), 0),
      ),
    )
  },
}

/** Nodes with more free resources come first. */
const leastAllocated: Score = {
  name: 'NodeResourcesFit',
  weight: 1,
  scores: (pod, nodes) =>
    nodes.map((node) => {
      const [cpu, memory] = fractions(pod, node)
      return Math.floor((scoreMax * (Math.max(0, 1 - cpu) + Math.max(0, 1 - memory))) / 2)
    }),
}

/** Nodes of which as much of the cores as of the memory is used come first. */
const balancedAllocation: Score = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  scores: (pod, nodes) =>
    nodes.map((node) => {
      const [cpu, memory] = fractions(pod, node)
      return Math.floor(scoreMax * (1 - Math.abs(Math.min(1, cpu) - Math.min(1, memory)) / 2))
    }),
}

function fractions(pod: PodInfo, { scoredCpu, scoredMemory, allocatable }: NodeInfo): [cpu: number, memory: number] {
  const of = (used: number, most: number): number => (most === 0 ? 1 : used / most)
  return [
    of(scoredCpu + pod.scoredCpu, allocatable.get('cpu') ?? 0),
    of(scoredMemory + pod.scoredMemory, allocatable.get('memory') ?? 0),
  ]
}

/** Constraints that may be broken; without any, pods of one controller spread over nodes and zones. */
const podTopologySpread: Score = {
  name: 'PodTopologySpread',
  weight: 2,
  scores(pod, nodes, snapshot) {
    const constraints = constraintsOf(pod.pod, 'ScheduleAnyway')
    if (constraints.length === 0)
      return (pod.pod.spec.topologySpreadConstraints ?? []).length > 0
        ? undefined
        : spreadOfController(pod, nodes, snapshot)
    const totals = nodes.map(() => 0)
    for (const constraint of constraints) {
      const domains = countDomains(snapshot.nodes.values(), pod, constraint, [constraint.topologyKey])
      // Many domains weigh more than few, as in the stock scheduler.
      const weight = Math.log(domains.size + 2)
      for (const [index, node] of nodes.entries()) {
        const value = topologyOf(node, constraint.topologyKey)
        const count = value === undefined ? Math.max(0, ...domains.values()) + 1 : (domains.get(value) ?? 0)
        totals[index] = (totals[index] ?? 0) + count * weight + constraint.maxSkew - 1
      }
    }
    return fewestFirst(totals)
  },
}

const zoneLabel = 'topology.kubernetes.io/zone'

function spreadOfController(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { nodes: all, controlledBy }: Snapshot,
): number[] | undefined {
  const own = pod.controllerUid === undefined ? undefined : controlledBy(pod.controllerUid)
  if (own === undefined || own.size === 0) return undefined
  const zones = new TopologyCounts()
  for (const [name, count] of own) {
    const node = all.get(name)
    if (node) zones.add(zoneLabel, topologyOf(node, zoneLabel) ?? '', count)
  }
  return fewestFirst(
    nodes.map((node) => (own.get(node.name) ?? 0) + zones.of(zoneLabel, topologyOf(node, zoneLabel) ?? '') / 2),
  )
}

function fewestFirst(totals: readonly number[]): number[] {
  const most = Math.max(...totals)
  const least = Math.min(...totals)
  return totals.map((total) => (most === least ? scoreMax : Math.floor((scoreMax * (most - total)) / (most - least))))
}

/** Preferred affinity and anti-affinity between pods, in both directions. */
const interPodAffinity: Score = {
  name: 'InterPodAffinity',
  weight: 2,
  scores(pod, nodes, snapshot) {
    const hasOwn = pod.preferredAffinity.length > 0 || pod.preferredAntiAffinity.length > 0
    const sums = new TopologyCounts()
    const keys = new Set(keysOf(pod))
    for (const node of snapshot.nodes.values()) {
      if (!hasOwn && node.preferringPods === 0) continue
      for (const other of node.pods.values()) {
        addWeights(sums, pod, other, node, snapshot)
        for (const key of keysOf(other)) keys.add(key)
      }
    }
    if (sums.isEmpty) return undefined
    const raw = nodes.map((node) => {
      let total = 0
      for (const key of keys) {
        const value = topologyOf(node, key)
        if (value !== undefined) total += sums.of(key, value)
      }
      return total
    })
    const [most, least] = [Math.max(...raw), Math.min(...raw)]
    return raw.map((each) => (most === least ? 0 : Math.floor((scoreMax * (each - least)) / (most - least))))
  },
}

/** The weight of required affinity of pods that run, as of the stock scheduler. */
const hardAffinityWeight = 1

function keysOf(pod: PodInfo): string[] {
  return [
    ...pod.preferredAffinity.map(({ term }) => term.topologyKey),
    ...pod.preferredAntiAffinity.map(({ term }) => term.topologyKey),
    ...pod.requiredAffinity.map(({ topologyKey }) => topologyKey),
  ]
}

function addWeights(
  sums: TopologyCounts,
  pod: PodInfo,
  other: PodInfo,
  node: NodeInfo,
  { namespaceLabels }: Snapshot,
): void {
  const add = (term: AffinityTerm, about: PodInfo, weight: number): void => {
    const value = topologyOf(node, term.topologyKey)
    if (value !== undefined && matchesTerm(term, about.pod, namespaceLabels)) sums.add(term.topologyKey, value, weight)
  }
  for (const { term, weight } of pod.preferredAffinity) add(term, other, weight)
  for (const { term, weight } of pod.preferredAntiAffinity) add(term, other, -weight)
  for (const { term, weight } of other.preferredAffinity) add(term, pod, weight)
  for (const { term, weight } of other.preferredAntiAffinity) add(term, pod, -weight)
  for (const term of other.requiredAffinity) add(term, pod, hardAffinityWeight)
}

/** With the weights of the stock scheduler's default profile. */
export const scores: readonly Score[] = [
  taintToleration,
  nodeAffinity,
  podTopologySpread,
  interPodAffinity,
  leastAllocated,
  balancedAllocation,
]
