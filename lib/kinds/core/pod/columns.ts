import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, humanDuration, parseTime } from '../../../object/index.ts'
import type { Column, RowCondition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { specOf, statusOf } from './validate.ts'

/** The summary of a pod's containers in its row. */
interface Summary {
  ready: number
  total: number
  status: string
  restarts: number
  lastRestartMs: number
}

export const podColumns: readonly Column[] = [
  nameColumn,
  textColumn('Ready', 'Containers that are ready, of all.', (object) => {
    const { ready, total } = summarize(object)
    return `${ready}/${total}`
  }),
  textColumn(
    'Status',
    'Phase of the pod, or what keeps its containers from running.',
    (object) => summarize(object).status,
  ),
  textColumn('Restarts', 'How often its containers were restarted, and when last.', (object, { nowMs }) => {
    const { restarts, lastRestartMs } = summarize(object)
    return restarts > 0 && lastRestartMs > 0
      ? `${restarts} (${humanDuration(nowMs - lastRestartMs)} ago)`
      : String(restarts)
  }),
  ageColumn,
  textColumn('IP', 'Address of the pod.', (object) => statusOf(object).podIPs?.[0]?.ip || '<none>', 1),
  textColumn('Node', 'Node that the pod is bound to.', (object) => specOf(object).nodeName || '<none>', 1),
  textColumn(
    'Nominated Node',
    'Node on which room is being made for the pod.',
    (object) => statusOf(object).nominatedNodeName || '<none>',
    1,
  ),
  textColumn('Readiness Gates', 'Conditions that must be true, of all that the pod names.', readinessGates, 1),
]

export const podColumnReads: readonly string[] = [
  'metadata.name',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'spec.nodeName',
  'spec.readinessGates',
  'spec.containers.name',
  'spec.initContainers.name',
  'spec.initContainers.restartPolicy',
  'status',
]

/** The row of a finished pod has a condition. */
export function podRowConditions(object: ApiObject): readonly RowCondition[] {
  const { phase } = statusOf(object)
  if (phase === 'Succeeded') return [completed(phase, 'The pod has completed successfully.')]
  if (phase === 'Failed') return [completed(phase, 'The pod failed.')]
  return []
}

function completed(reason: string, message: string): RowCondition {
  return { type: 'Completed', status: 'True', reason, message }
}

function readinessGates(object: ApiObject): string {
  const gates = specOf(object).readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const conditions = statusOf(object).conditions ?? []
  const met = gates.filter((gate) =>
    conditions.some(({ type, status }) => type === gate.conditionType && status === 'True'),
  )
  return `${met.length}/${gates.length}`
}

function summarize(object: ApiObject): Summary {
  const spec = specOf(object)
  const status = statusOf(object)
  const sidecars = new Set(spec.initContainers?.filter((one) => one.restartPolicy === 'Always').map(({ name }) => name))
  const summary: Summary = {
    ready: 0,
    total: (spec.containers?.length ?? 0) + sidecars.size,
    status: status.reason || status.phase || '',
    restarts: 0,
    lastRestartMs: 0,
  }
  if (status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated'))
    summary.status = 'SchedulingGated'
  const initializing = walkInitContainers(summary, spec, status, sidecars)
  const initialized = status.conditions?.some((one) => one.type === 'Initialized' && one.status === 'True')
  if (!initializing || initialized) walkContainers(summary, status, sidecars)
  if (object.metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') summary.status = 'Unknown'
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.status = 'Terminating'
  }
  return summary
}

function countRestarts(summary: Summary, status: core.ContainerStatus): void {
  summary.restarts += status.restartCount ?? 0
  const ended = status.lastState?.terminated?.finishedAt
  if (ended) summary.lastRestartMs = Math.max(summary.lastRestartMs, parseTime(ended))
}

/** True when an init container determines the pod's state. */
function walkInitContainers(
  summary: Summary,
  spec: core.PodSpec,
  status: core.PodStatus,
  sidecars: ReadonlySet<string>,
): boolean {
  const total = spec.initContainers?.length ?? 0
  for (const [index, one] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(summary, one)
    const isSidecar = sidecars.has(one.name)
    if (one.state?.terminated?.exitCode === 0) continue
    if (isSidecar && one.started === true) {
      if (one.ready) summary.ready++
      continue
    }
    summary.status = initStatus(one, index, total)
    return true
  }
  return false
}

function initStatus({ state }: core.ContainerStatus, index: number, total: number): string {
  if (state?.terminated) return `Init:${endedBy(state.terminated)}`
  const waiting = state?.waiting?.reason
  return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`
}

function endedBy(terminated: core.ContainerStateTerminated): string {
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
}

function walkContainers(summary: Summary, status: core.PodStatus, sidecars: ReadonlySet<string>): void {
  // From here on only long-running containers count.
  summary.restarts = 0
  summary.lastRestartMs = 0
  for (const one of status.initContainerStatuses ?? []) if (sidecars.has(one.name)) countRestarts(summary, one)
  let running = false
  let failure = ''
  for (const one of [...(status.containerStatuses ?? [])].reverse()) {
    countRestarts(summary, one)
    const { state } = one
    if (state?.waiting?.reason) summary.status = state.waiting.reason
    else if (state?.terminated) {
      summary.status = endedBy(state.terminated)
      if (state.terminated.exitCode !== 0) failure = summary.status
    } else if (one.ready && state?.running) {
      running = true
      summary.ready++
    }
  }
  if (summary.status !== 'Completed') return
  const isReady = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
  if (running && isReady) summary.status = 'Running'
  else if (failure !== '') summary.status = failure
  else if (running) summary.status = 'NotReady'
}
