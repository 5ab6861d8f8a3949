import type { InterPodAffinityArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fieldErrors } from '../../object/index.ts'
import { type NodeFilter, type Plugin, type Snapshot } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { type AffinityTerm, matchesTerm, type PodInfo } from '../podinfo.ts'
import { topologyOf } from '../topology.ts'
import { affinityScores } from './affinityscores.ts'

const reasons = {
  affinity: "node(s) didn't match pod affinity rules",
  antiAffinity: "node(s) didn't match pod anti-affinity rules",
  existing: "node(s) didn't satisfy existing pods anti-affinity rules",
} as const

const weightMax = 100

/** Affinity and anti-affinity between pods, in both directions. */
export const interPodAffinity: Plugin<InterPodAffinityArgs> = {
  name: 'InterPodAffinity',
  points: ['preFilter', 'filter', 'preScore', 'score'],
  weight: 2,
  complete: (args) => ({ ...args, hardPodAffinityWeight: args.hardPodAffinityWeight ?? 1 }),
  check: ({ hardPodAffinityWeight: weight = 1 }, path) =>
    weight >= 0 && weight <= weightMax
      ? []
      : [fieldErrors.invalid(path.child('hardPodAffinityWeight'), weight, `not in valid range [0, ${weightMax}]`)],
  filter: () => ({
    name: 'InterPodAffinity',
    prepare(pod, snapshot) {
      const hasOwn = pod.requiredAffinity.length > 0 || pod.requiredAntiAffinity.length > 0
      const others = [...snapshot.nodes.values()].filter(({ antiAffinityPods }) => antiAffinityPods > 0)
      if (!hasOwn && others.length === 0) return undefined
      return createNodeFilter(pod, snapshot, hasOwn ? [...snapshot.nodes.values()] : others)
    },
  }),
  score: (args) => affinityScores(args),
}

/**
 * Counts matching pods by topology once. A node may have other pods than in the snapshot (without victims, with nominated
 * pods): the counts of its own topology are corrected for these.
 */
function createNodeFilter(pod: PodInfo, snapshot: Snapshot, nodes: readonly NodeInfo[]): NodeFilter {
  const counts = {
    affinity: new Map<string, number>(),
    anti: new Map<string, number>(),
    existing: new Map<string, number>(),
  }
  const count = (node: NodeInfo, other: PodInfo, by: number): void => {
    const add = (into: Map<string, number>, key: string): void => {
      const value = topologyOf(node, key)
      if (value !== undefined) into.set(pairOf(key, value), (into.get(pairOf(key, value)) ?? 0) + by)
    }
    if (pod.requiredAffinity.length > 0 && matchesAll(pod.requiredAffinity, other, snapshot))
      for (const { topologyKey } of pod.requiredAffinity) add(counts.affinity, topologyKey)
    for (const term of pod.requiredAntiAffinity) if (matches(term, other, snapshot)) add(counts.anti, term.topologyKey)
    for (const term of other.requiredAntiAffinity)
      if (matches(term, pod, snapshot)) add(counts.existing, term.topologyKey)
  }
  for (const node of nodes) for (const other of node.pods.values()) count(node, other, 1)

  /** Corrects the counts for pods that the node has more or less than in the snapshot, and undoes that. */
  function corrected<T>(node: NodeInfo, ask: () => T): T {
    const known = snapshot.nodes.get(node.name)
    if (!known || known.pods === node.pods) return ask()
    const more = [...node.pods.values()].filter(({ key }) => !known.pods.has(key))
    const less = [...known.pods.values()].filter(({ key }) => !node.pods.has(key))
    for (const each of more) count(node, each, 1)
    for (const each of less) count(node, each, -1)
    const answer = ask()
    for (const each of more) count(node, each, -1)
    for (const each of less) count(node, each, 1)
    return answer
  }
  const countAt = (of: Map<string, number>, node: NodeInfo, key: string): number => {
    const value = topologyOf(node, key)
    return value === undefined ? 0 : (of.get(pairOf(key, value)) ?? 0)
  }
  const keysOfExisting = (): Set<string> =>
    new Set(Array.from(counts.existing.keys(), (pair) => pair.slice(0, pair.indexOf('\n'))))

  return (node) =>
    corrected(node, () => {
      for (const key of keysOfExisting())
        if (countAt(counts.existing, node, key) > 0) return { reason: reasons.existing, isFinal: false }
      if (
        !satisfiesAffinity(pod, node, snapshot, (key) => countAt(counts.affinity, node, key), isNone(counts.affinity))
      )
        return { reason: reasons.affinity, isFinal: true }
      for (const { topologyKey } of pod.requiredAntiAffinity)
        if (countAt(counts.anti, node, topologyKey) > 0) return { reason: reasons.antiAffinity, isFinal: false }
      return undefined
    })
}

/** The first pod of a group that wants to be together may go anywhere. */
function satisfiesAffinity(
  pod: PodInfo,
  node: NodeInfo,
  snapshot: Snapshot,
  countOf: (topologyKey: string) => number,
  isFirst: boolean,
): boolean {
  const terms = pod.requiredAffinity
  if (terms.some(({ topologyKey }) => topologyOf(node, topologyKey) === undefined)) return false
  if (terms.every(({ topologyKey }) => countOf(topologyKey) > 0)) return true
  return isFirst && matchesAll(terms, pod, snapshot)
}

function isNone(counts: Map<string, number>): boolean {
  return [...counts.values()].every((count) => count <= 0)
}

function matches(term: AffinityTerm, { pod }: PodInfo, { namespaceLabels }: Snapshot): boolean {
  return matchesTerm(term, pod, namespaceLabels)
}

function matchesAll(terms: readonly AffinityTerm[], pod: PodInfo, snapshot: Snapshot): boolean {
  return terms.every((term) => matches(term, pod, snapshot))
}

function pairOf(key: string, value: string): string {
  return `${key}\n${value}`
}
