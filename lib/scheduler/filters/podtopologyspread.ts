import type { Filter } from '../contract.ts'
import { type Constraint, constraintsOf, countDomains, matching } from '../spread.ts'
import { topologyOf } from '../topology.ts'

const mismatch = "node(s) didn't match pod topology spread constraints"
const missingLabel = `${mismatch} (missing required label)`

/** Constraints that must hold: no topology may have `maxSkew` more matching pods than the one with the fewest. */
export const podTopologySpread: Filter = {
  name: 'PodTopologySpread',
  prepare(pod, snapshot) {
    const constraints = constraintsOf(pod.pod, 'DoNotSchedule')
    if (constraints.length === 0) return undefined
    const keys = constraints.map(({ topologyKey }) => topologyKey)
    const known = constraints.map((constraint) => ({
      constraint,
      domains: countDomains(snapshot.nodes.values(), pod, constraint, keys),
    }))
    return (node) => {
      for (const { constraint, domains } of known) {
        const value = topologyOf(node, constraint.topologyKey)
        if (value === undefined) return { reason: missingLabel, isFinal: true }
        const before = snapshot.nodes.get(node.name)
        const changed = before && before.pods !== node.pods
        const by = changed ? matching(node, pod, constraint) - matching(before, pod, constraint) : 0
        const here = (domains.get(value) ?? 0) + by
        const self = constraint.selector.matches(pod.pod.metadata.labels) ? 1 : 0
        const least = leastOf(constraint, domains, by === 0 ? undefined : { value, count: here })
        if (here + self - least > constraint.maxSkew) return { reason: mismatch, isFinal: false }
      }
      return undefined
    }
  },
}

/** Fewer domains than are wanted count as if another were empty. */
function leastOf(
  { minDomains }: Constraint,
  domains: ReadonlyMap<string, number>,
  changed: { readonly value: string; readonly count: number } | undefined,
): number {
  if (domains.size < minDomains) return 0
  let least = Number.POSITIVE_INFINITY
  for (const [value, count] of domains) least = Math.min(least, value === changed?.value ? changed.count : count)
  return least === Number.POSITIVE_INFINITY ? 0 : least
}
