import type { Random } from '../base/index.ts'
import type { NodeFilter, Refusal, Snapshot } from './contract.ts'
import { type PlanMeter, silentMeter } from './metrics.ts'
import type { NodeInfo } from './nodeinfo.ts'
import type { PodInfo } from './podinfo.ts'
import type { Profile } from './profile.ts'

/** A node for a pod, or the reasons for which there is none. */
type Decision = { readonly node: string } | Refused

export interface Refused {
  /** By node. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>
  /** Why no node was asked at all. */
  readonly problem?: string
  /** Names of the plugins that refused nodes, or the pod as a whole. */
  readonly plugins: ReadonlySet<string>
}

/** A filter that knows the pod. */
interface PreparedFilter {
  readonly name: string
  readonly ask: NodeFilter
}

interface Problem {
  readonly problem: string
  readonly plugin: string
}

/** Clusters up to this size are searched whole. */
const searchedMin = 100

interface PlanOptions {
  readonly profile: Profile
  /** Decides between equals. */
  readonly random: Random
  /** The node at which the search begins, so that searches that end early take turns. Default 0. */
  readonly from?: number
  readonly meter?: PlanMeter
}

/** Finds the node that suits a pod best. Pure but for `random`. */
export function chooseNode(
  pod: PodInfo,
  snapshot: Snapshot,
  { profile, random, from = 0, meter = silentMeter }: PlanOptions,
): Decision {
  const prepared = meter.point('PreFilter', () => prepareFilters(pod, snapshot, profile, meter))
  if ('problem' in prepared)
    return { refusals: new Map(), problem: prepared.problem, plugins: new Set([prepared.plugin]) }
  const plugins = new Set<string>()
  const nominated = pod.pod.status.nominatedNodeName
  const kept = nominated === undefined ? undefined : snapshot.nodes.get(nominated)
  if (kept && refusalsOf(pod, kept, snapshot, prepared, plugins).length === 0) return { node: kept.name }
  const refusals = new Map<string, readonly Refusal[]>()
  const feasible = meter.point('Filter', () => {
    const found: NodeInfo[] = []
    const all = [...snapshot.nodes.values()]
    const wanted = searchedNodes(all.length, profile.percentageOfNodesToScore)
    for (let index = 0; index < all.length && found.length < wanted; index++) {
      const node = all[(from + index) % all.length]
      if (!node) continue
      const refused = refusalsOf(pod, node, snapshot, prepared, plugins)
      if (refused.length === 0) found.push(node)
      else refusals.set(node.name, refused)
    }
    return found
  })
  const best = meter.point('Score', () => bestOf(pod, feasible, snapshot, { profile, random, meter }))
  return best === undefined ? { refusals, plugins } : { node: best.name }
}

/** A problem: no node is possible. */
export function prepareFilters(
  pod: PodInfo,
  snapshot: Snapshot,
  { filters }: Profile,
  meter: PlanMeter = silentMeter,
): readonly PreparedFilter[] | Problem {
  const prepared: PreparedFilter[] = []
  for (const filter of filters) {
    const { name } = filter
    const ask = meter.plugin('PreFilter', name, () => filter.prepare(pod, snapshot))
    if (typeof ask === 'string') return { problem: ask, plugin: name }
    if (ask) prepared.push({ name, ask: meter.nodeFilter(name, ask) })
  }
  return prepared
}

/** Nodes with pods of at least the same priority that wait for room there count as if these had come already. */
export function refusalsOf(
  pod: PodInfo,
  node: NodeInfo,
  snapshot: Snapshot,
  prepared: readonly PreparedFilter[],
  plugins?: Set<string>,
): readonly Refusal[] {
  const coming = (snapshot.nominated.get(node.name) ?? []).filter(
    ({ key, priority }) => key !== pod.key && priority >= pod.priority,
  )
  if (coming.length > 0) {
    const full = coming.reduce((info, each) => info.with(each), node)
    const refused = ask(full, prepared, plugins)
    if (refused.length > 0) return refused
  }
  return ask(node, prepared, plugins)
}

/** The first filter that refuses the node decides; its name is added to `plugins`. */
function ask(
  node: NodeInfo,
  prepared: readonly PreparedFilter[],
  plugins: Set<string> | undefined,
): readonly Refusal[] {
  for (const filter of prepared) {
    const refused = filter.ask(node)
    if (refused === undefined) continue
    plugins?.add(filter.name)
    return 'reason' in refused ? [refused] : refused
  }
  return []
}

/** Without a percentage half of the nodes, and fewer the more there are; a hundred at least. */
function searchedNodes(count: number, percentage: number): number {
  if (count <= searchedMin) return count
  const percent = percentage || Math.max(5, 50 - Math.floor(count / 125))
  return Math.max(searchedMin, Math.floor((count * percent) / 100))
}

function bestOf(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  snapshot: Snapshot,
  { profile, random, meter }: PlanOptions & { readonly meter: PlanMeter },
): NodeInfo | undefined {
  if (nodes.length <= 1) return nodes[0]
  const totals = nodes.map(() => 0)
  for (const { weight, score } of profile.scores) {
    const scores = meter.plugin('Score', score.name, () => score.scores(pod, nodes, snapshot)) ?? []
    for (const [index, each] of scores.entries()) totals[index] = (totals[index] ?? 0) + weight * each
  }
  const most = Math.max(...totals)
  const best = nodes.filter((_, index) => totals[index] === most)
  return best[random.below(best.length)]
}
