import type { InterPodAffinityArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { type Score, type Snapshot, scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { type AffinityTerm, matchesTerm, type PodInfo } from '../podinfo.ts'
import { TopologyCounts, topologyOf } from '../topology.ts'

/** Preferred affinity and anti-affinity between pods, in both directions. */
export function affinityScores({
  hardPodAffinityWeight = 1,
  ignorePreferredTermsOfExistingPods = false,
}: Partial<InterPodAffinityArgs> = {}): Score {
  return {
    name: 'InterPodAffinity',
    scores(pod, nodes, snapshot) {
      const hasOwn = pod.preferredAffinity.length > 0 || pod.preferredAntiAffinity.length > 0
      if (!hasOwn && ignorePreferredTermsOfExistingPods) return undefined
      const sums = new TopologyCounts()
      const keys = new Set(keysOf(pod))
      for (const node of snapshot.nodes.values()) {
        if (!hasOwn && node.preferringPods === 0) continue
        for (const other of node.pods.values()) {
          addWeights(sums, pod, other, node, snapshot, hardPodAffinityWeight)
          for (const key of keysOf(other)) keys.add(key)
        }
      }
      return sums.isEmpty ? undefined : between(nodes.map((node) => sumOf(sums, node, keys)))
    },
  }
}

function sumOf(sums: TopologyCounts, node: NodeInfo, keys: ReadonlySet<string>): number {
  let total = 0
  for (const key of keys) {
    const value = topologyOf(node, key)
    if (value !== undefined) total += sums.of(key, value)
  }
  return total
}

/** The lowest becomes 0, the highest 100. */
function between(raw: readonly number[]): number[] {
  const [most, least] = [Math.max(...raw), Math.min(...raw)]
  return raw.map((each) => (most === least ? 0 : Math.floor((scoreMax * (each - least)) / (most - least))))
}

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
  hardAffinityWeight: number,
): void {
  const add = (term: AffinityTerm, about: PodInfo, weight: number): void => {
    const value = topologyOf(node, term.topologyKey)
    if (value !== undefined && matchesTerm(term, about.pod, namespaceLabels)) sums.add(term.topologyKey, value, weight)
  }
  for (const { term, weight } of pod.preferredAffinity) add(term, other, weight)
  for (const { term, weight } of pod.preferredAntiAffinity) add(term, other, -weight)
  for (const { term, weight } of other.preferredAffinity) add(term, pod, weight)
  for (const { term, weight } of other.preferredAntiAffinity) add(term, pod, -weight)
  if (hardAffinityWeight > 0) for (const term of other.requiredAffinity) add(term, pod, hardAffinityWeight)
}
