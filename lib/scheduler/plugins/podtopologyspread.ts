import type { PodTopologySpreadArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'
import { type Filter, type Plugin, type Score, type Snapshot, scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { PodInfo } from '../podinfo.ts'
import { type Constraint, constraintsOf, countDomains, matching } from '../spread.ts'
import { TopologyCounts, topologyOf } from '../topology.ts'

const mismatch = "node(s) didn't match pod topology spread constraints"
const missingLabel = `${mismatch} (missing required label)`
const zoneLabel = 'topology.kubernetes.io/zone'
const actions = ['DoNotSchedule', 'ScheduleAnyway']

/** How the pods of one workload spread over zones, nodes and other topologies. */
export const podTopologySpread: Plugin<PodTopologySpreadArgs> = {
  name: 'PodTopologySpread',
  points: ['preFilter', 'filter', 'preScore', 'score'],
  weight: 2,
  complete: (args) => ({ ...args, defaultingType: args.defaultingType || 'System' }),
  check: checkDefaults,
  filter: createFilter,
  score: createScore,
}

function checkDefaults(
  { defaultingType = '', defaultConstraints = [] }: PodTopologySpreadArgs,
  path: FieldPath,
): FieldError[] {
  const typePath = path.child('defaultingType')
  const list = path.child('defaultConstraints')
  const problems: FieldError[] = []
  if (defaultingType !== 'System' && defaultingType !== 'List')
    problems.push(fieldErrors.notSupported(typePath, defaultingType, ['System', 'List']))
  else if (defaultingType === 'System' && defaultConstraints.length > 0)
    problems.push(fieldErrors.invalid(typePath, defaultingType, 'when .defaultConstraints are not empty'))
  for (const [index, { maxSkew, topologyKey, whenUnsatisfiable, labelSelector }] of defaultConstraints.entries()) {
    const at = list.index(index)
    if (maxSkew <= 0) problems.push(fieldErrors.invalid(at.child('maxSkew'), maxSkew, 'not in valid range (0, inf)'))
    if (topologyKey === '') problems.push(fieldErrors.required(at.child('topologyKey'), 'can not be empty'))
    if (whenUnsatisfiable === '') problems.push(fieldErrors.required(at.child('whenUnsatisfiable'), 'can not be empty'))
    else if (!actions.includes(whenUnsatisfiable))
      problems.push(fieldErrors.notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable, actions))
    if (labelSelector !== undefined)
      problems.push(
        fieldErrors.forbidden(
          at.child('labelSelector'),
          'constraint must not define a selector, as they deduced for each pod',
        ),
      )
    const isRepeated = defaultConstraints
      .slice(0, index)
      .some((each) => each.topologyKey === topologyKey && each.whenUnsatisfiable === whenUnsatisfiable)
    if (isRepeated) problems.push(fieldErrors.duplicate(at, `{${topologyKey}, ${whenUnsatisfiable}}`))
  }
  return problems
}

/** The constraints of the pod, or those that the profile has for pods without any. */
function constraintsFor(
  { pod }: PodInfo,
  action: string,
  args: PodTopologySpreadArgs | undefined,
  snapshot: Snapshot,
): Constraint[] {
  const own = pod.spec.topologySpreadConstraints ?? []
  const defaults = args?.defaultingType === 'List' ? (args.defaultConstraints ?? []) : []
  if (own.length > 0 || defaults.length === 0) return constraintsOf(pod, own, action)
  const selector = snapshot.defaultSelector(pod)
  return selector === undefined ? [] : constraintsOf(pod, defaults, action, selector)
}

/** Constraints that must hold: no topology may have `maxSkew` more matching pods than the one with the fewest. */
function createFilter(args: PodTopologySpreadArgs | undefined): Filter {
  return {
    name: 'PodTopologySpread',
    prepare(pod, snapshot) {
      const constraints = constraintsFor(pod, 'DoNotSchedule', args, snapshot)
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

/** Constraints that may be broken; without any, pods of one controller spread over nodes and zones. */
function createScore(args: PodTopologySpreadArgs | undefined): Score {
  return {
    name: 'PodTopologySpread',
    scores(pod, nodes, snapshot) {
      const constraints = constraintsFor(pod, 'ScheduleAnyway', args, snapshot)
      if (constraints.length > 0) return scoresOf(constraints, pod, nodes, snapshot)
      const isOff = args?.defaultingType === 'List' || (pod.pod.spec.topologySpreadConstraints ?? []).length > 0
      return isOff ? undefined : spreadOfController(pod, nodes, snapshot)
    },
  }
}

function scoresOf(
  constraints: readonly Constraint[],
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  snapshot: Snapshot,
): number[] {
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
}

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
