import { why } from '../text.ts'
import { quantity, readable, sumOf } from './quantity.ts'
import { type ApiObject, fieldOf, isRecord, metadataOf, records, text } from './values.ts'

/** What a pod waits for, as far as the user may read it. */
export interface Surroundings {
  readonly nodes: readonly ApiObject[]
  /** The claims that the pod names; undefined: there is none of the name. */
  readonly claims: ReadonlyMap<string, ApiObject | undefined>
}

/** Why the pod does not run yet, in sentences; none for one that runs or has ended. */
export function whyPending(pod: ApiObject, { nodes, claims }: Surroundings): string[] {
  const phase = fieldOf(pod, 'status', 'phase')
  if (phase === 'Succeeded' || phase === 'Failed') return []
  const spec = fieldOf(pod, 'spec')
  const isPlaced = text(fieldOf(spec, 'nodeName')) !== ''
  return [
    ...(isPlaced ? [] : [...bySchedulers(pod), ...byNodes(spec, nodes), ...byRequests(spec, nodes)]),
    ...(phase === 'Running' ? [] : byClaims(claims)),
    ...byContainers(pod),
  ]
}

function bySchedulers(pod: ApiObject): string[] {
  const gates = records(fieldOf(pod, 'spec', 'schedulingGates')).map(({ name }) => text(name))
  if (gates.length > 0) return [why.gates(gates.join(', '))]
  const condition = records(fieldOf(pod, 'status', 'conditions')).find(({ type }) => type === 'PodScheduled')
  if (condition?.['status'] === 'False') return [why.scheduler(text(condition['message']) || text(condition['reason']))]
  return [why.noScheduler(text(fieldOf(pod, 'spec', 'schedulerName')) || 'default-scheduler')]
}

/** How many nodes each obstacle keeps away. */
function byNodes(spec: unknown, nodes: readonly ApiObject[]): string[] {
  if (nodes.length === 0) return [why.noNodes]
  const obstacles = new Map<string, number>()
  for (const node of nodes)
    for (const obstacle of new Set(obstaclesOf(spec, node))) obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + 1)
  return Array.from(obstacles, ([obstacle, count]) => why.nodes(count, nodes.length, obstacle))
}

function obstaclesOf(spec: unknown, node: ApiObject): string[] {
  const tolerations = records(fieldOf(spec, 'tolerations'))
  const taints = records(fieldOf(node, 'spec', 'taints'))
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
  const labels = metadataOf(node)['labels']
  const selector = fieldOf(spec, 'nodeSelector')
  const lacking = Object.entries(isRecord(selector) ? selector : {}).filter(
    ([key, value]) => fieldOf(labels, key) !== value,
  )
  return [
    ...taints.map(({ key, value, effect }) =>
      why.taint(`${text(key)}${text(value) === '' ? '' : `=${text(value)}`}:${text(effect)}`),
    ),
    ...lacking.map(([key, value]) => why.label(`${key}=${String(value)}`)),
  ]
}

/** As the scheduler decides it: without a key, all taints; without an effect, all effects. */
function tolerates(toleration: Record<string, unknown>, taint: Record<string, unknown>): boolean {
  const { key, operator = 'Equal', value, effect } = toleration
  if (text(effect) !== '' && effect !== taint['effect']) return false
  if (text(key) === '') return operator === 'Exists'
  if (key !== taint['key']) return false
  return operator === 'Exists' || text(value) === text(taint['value'])
}

function byRequests(spec: unknown, nodes: readonly ApiObject[]): string[] {
  const wanted = requestsOf(spec)
  return Array.from(wanted, ([resource, amount]) => {
    const most = Math.max(0, ...nodes.map((node) => quantity(fieldOf(node, 'status', 'allocatable', resource)) || 0))
    return nodes.length > 0 && amount > most
      ? why.tooLarge(resource, readable(resource, amount), readable(resource, most))
      : ''
  }).filter((sentence) => sentence !== '')
}

/** What a pod's containers ask for. */
export function requestsOf(spec: unknown): Map<string, number> {
  return sumOf(records(fieldOf(spec, 'containers')).map((each) => fieldOf(each, 'resources', 'requests')))
}

function byClaims(claims: Surroundings['claims']): string[] {
  return Array.from(claims, ([name, claim]) => {
    if (!claim) return why.noClaim(name)
    const phase = text(fieldOf(claim, 'status', 'phase'))
    return phase === 'Bound' ? '' : why.claim(name, phase, text(fieldOf(claim, 'spec', 'storageClassName')))
  }).filter((sentence) => sentence !== '')
}

function byContainers(pod: ApiObject): string[] {
  const lists = ['initContainerStatuses', 'containerStatuses']
  return lists.flatMap((list) =>
    records(fieldOf(pod, 'status', list)).flatMap((status) => {
      const waiting = fieldOf(status, 'state', 'waiting')
      const reason = text(fieldOf(waiting, 'reason'))
      if (reason === '' || reason === 'PodInitializing') return []
      return why.container(text(status['name']), reason, text(fieldOf(waiting, 'message')))
    }),
  )
}

/** Why a workload has fewer pods than it should: what its conditions say. */
export function whyIncomplete(object: ApiObject): string[] {
  const failed = records(fieldOf(object, 'status', 'conditions')).filter(
    ({ type, status }) =>
      (type === 'ReplicaFailure' && status === 'True') || (type === 'Progressing' && status === 'False'),
  )
  return failed.map(({ reason, message }) => why.condition(text(reason), text(message)))
}
