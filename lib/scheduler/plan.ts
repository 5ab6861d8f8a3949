import type { Random } from '../base/index.ts'
import type { NodeFilter, Refusal, Snapshot } from './contract.ts'
import { filters } from './filters/index.ts'
import type { NodeInfo } from './nodeinfo.ts'
import type { PodInfo } from './podinfo.ts'
import { scores } from './scores/index.ts'

/** A node for a pod, or the reasons for which there is none. */
type Decision = { readonly node: string } | Refused

export interface Refused {
  /** By node. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>
  /** Why no node was asked at all. */
  readonly problem?: string
}

/** Clusters up to this size are searched whole. */
const searchedMin = 100

/**
 * Finds the node that suits a pod best. Pure but for `random`, which decides between equals; `from` is the node at which
 * the search begins, so that searches that end early take turns.
 */
export function chooseNode(pod: PodInfo, snapshot: Snapshot, random: Random, from = 0): Decision {
  const prepared = prepareFilters(pod, snapshot)
  if (typeof prepared === 'string') return { refusals: new Map(), problem: prepared }
  const nominated = pod.pod.status.nominatedNodeName
  const kept = nominated === undefined ? undefined : snapshot.nodes.get(nominated)
  if (kept && refusalsOf(pod, kept, snapshot, prepared).length === 0) return { node: kept.name }
  const refusals = new Map<string, readonly Refusal[]>()
  const feasible: NodeInfo[] = []
  const all = [...snapshot.nodes.values()]
  const wanted = searchedNodes(all.length)
  for (let index = 0; index < all.length && feasible.length < wanted; index++) {
    const node = all[(from + index) % all.length]
    if (!node) continue
    const refused = refusalsOf(pod, node, snapshot, prepared)
    if (refused.length === 0) feasible.push(node)
    else refusals.set(node.name, refused)
  }
  const best = bestOf(pod, feasible, snapshot, random)
  return best === undefined ? { refusals } : { node: best.name }
}

/** A text: no node is possible, for that reason. */
export function prepareFilters(pod: PodInfo, snapshot: Snapshot): readonly NodeFilter[] | string {
  const prepared: NodeFilter[] = []
  for (const filter of filters) {
    const each = filter.prepare(pod, snapshot)
    if (typeof each === 'string') return each
    if (each) prepared.push(each)
  }
  return prepared
}

/** Nodes with pods of at least the same priority that wait for room there count as if these had come already. */
export function refusalsOf(
  pod: PodInfo,
  node: NodeInfo,
  snapshot: Snapshot,
  prepared: readonly NodeFilter[],
): readonly Refusal[] {
  const coming = (snapshot.nominated.get(node.name) ?? []).filter(
    ({ key, priority }) => key !== pod.key && priority >= pod.priority,
  )
  if (coming.length > 0) {
    const full = coming.reduce((info, each) => info.with(each), node)
    const refused = ask(full, prepared)
    if (refused.length > 0) return refused
  }
  return ask(node, prepared)
}

/** The first filter that refuses the node decides. */
function ask(node: NodeInfo, prepared: readonly NodeFilter[]): readonly Refusal[] {
  for (const filter of prepared) {
    const refused = filter(node)
    if (refused !== undefined) return 'reason' in refused ? [refused] : refused
  }
  return []
}

/** Half of the nodes, and fewer the more there are, but a hundred at least. */
function searchedNodes(count: number): number {
  if (count <= searchedMin) return count
  const percent = Math.max(5, 50 - Math.floor(count / 125))
  return Math.max(searchedMin, Math.floor((count * percent) / 100))
}

function bestOf(pod: PodInfo, nodes: readonly NodeInfo[], snapshot: Snapshot, random: Random): NodeInfo | undefined {
  if (nodes.length <= 1) return nodes[0]
  const totals = nodes.map(() => 0)
  for (const { weight, scores: scoreAll } of scores)
    for (const [index, score] of (scoreAll(pod, nodes, snapshot) ?? []).entries())
      totals[index] = (totals[index] ?? 0) + weight * score
  const most = Math.max(...totals)
  const best = nodes.filter((_, index) => totals[index] === most)
  return best[random.below(best.length)]
}
