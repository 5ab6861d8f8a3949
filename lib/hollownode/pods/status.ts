import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../api/gen/core/v1.ts'
import { type Frozen, formatTime } from '../../object/index.ts'
import { type Advance, isSidecar, isTerminal, type Seen } from './advance.ts'
import { type ContainerRecord, type Finished, isRunning } from './record.ts'

/** The status that a node reports of a pod, and when time alone changes it. */
export interface Report {
  readonly status: PodStatus
  readonly againAtMs: number | undefined
}

/** The fields of the status that belong to the node; conditions of others stay as they are. */
export function reportOf(seen: Seen, after: Advance, hostIp: string): Report {
  const { pod, record: before, nowMs } = { ...seen, record: after.record }
  let againAtMs: number | undefined
  const wakeAt = (ms: number): void => {
    if (ms > nowMs && (againAtMs === undefined || ms < againAtMs)) againAtMs = ms
  }
  const view = { seen, after, wakeAt }
  const { spec } = pod
  const initContainerStatuses = (spec.initContainers ?? []).map((each) => containerStatus(view, each, true))
  const containerStatuses = (spec.containers ?? []).map((each) => containerStatus(view, each, false))
  const ephemeralContainerStatuses = (spec.ephemeralContainers ?? []).map((each) =>
    containerStatus(view, each as Frozen<Container>, false),
  )
  const phase = phaseOf(seen, after, containerStatuses)
  const hasSandbox = before.containers.size > 0
  const status: PodStatus = {
    phase,
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    startTime: formatTime(before.acceptedAtMs),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    ...(hasSandbox ? { podIP: before.podIp, podIPs: [{ ip: before.podIp }] } : {}),
    ...(isTerminal(pod) && pod.status.reason ? { reason: pod.status.reason, message: pod.status.message } : {}),
    ...(after.isOverdue && !isTerminal(pod)
      ? { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' }
      : {}),
    ...(initContainerStatuses.length === 0 ? {} : { initContainerStatuses }),
    containerStatuses,
    ...(ephemeralContainerStatuses.length === 0 ? {} : { ephemeralContainerStatuses }),
  }
  const statuses = { initContainerStatuses, containerStatuses }
  return { status: { ...status, conditions: conditionsOf(view, phase, statuses, hasSandbox) }, againAtMs }
}

interface View {
  readonly seen: Seen
  readonly after: Advance
  wakeAt(ms: number): void
}

function containerStatus(view: View, container: Frozen<Container>, isInit: boolean): ContainerStatus {
  const { seen, after, wakeAt } = view
  const record = after.record.containers.get(container.name)
  const { startupDelayMs, readyDelayMs, runsStartup, runsReadiness } = seen.behaviour.container(container)
  const runs = isRunning(record)
  const startedMs = (record?.startedAtMs ?? 0) + startupDelayMs
  const readyMs = startedMs + readyDelayMs
  if (runs && !runsStartup) wakeAt(startedMs)
  if (runs && !runsReadiness) wakeAt(readyMs)
  const isStarted = runs && (runsStartup ? record.hasStarted === true : startedMs <= seen.nowMs)
  const isProbedReady = runsReadiness ? record?.isReady === true : readyMs <= seen.nowMs
  const isReady =
    runs && isStarted && isProbedReady && seen.behaviour.mayBeReady && record.stoppingSinceMs === undefined
  const { image = '', resources } = container
  const last = record?.finished && after.backingOff.has(container.name) ? record.finished : record?.last
  return {
    name: container.name,
    state: stateOf(view, container, record),
    lastState: last ? { terminated: terminated(last) } : {},
    ready: isInit && !isSidecar(container) ? record?.finished?.exitCode === 0 : isReady,
    restartCount: record?.restartCount ?? 0,
    image,
    imageID: record ? image : '',
    ...(record ? { containerID: `hollow://${record.id}` } : {}),
    started: isStarted,
    ...(record && !isInit && resources !== undefined && Object.keys(resources).length > 0
      ? {
          // Frozen objects are not changed here.
          resources: resources as ContainerStatus['resources'],
          ...(resources.requests ? { allocatedResources: { ...resources.requests } } : {}),
        }
      : {}),
  }
}

function stateOf(
  { seen, after }: View,
  { name }: Frozen<Container>,
  record: ContainerRecord | undefined,
): ContainerState {
  const { pod, behaviour, blocked } = seen
  if (record === undefined) {
    if (behaviour.waitingReason !== undefined)
      return { waiting: { reason: behaviour.waitingReason, message: `an annotation of the pod requests it` } }
    const waitsForInit = (pod.spec.initContainers ?? []).length > 0 && !after.hasInitialized
    return {
      waiting: {
        reason: waitsForInit ? 'PodInitializing' : 'ContainerCreating',
        ...(blocked === undefined ? {} : { message: blocked }),
      },
    }
  }
  if (record.finished === undefined) return { running: { startedAt: formatTime(record.startedAtMs) } }
  const pauseMs = after.backingOff.get(name)
  if (pauseMs === undefined) return { terminated: terminated(record.finished) }
  const { namespace = '', uid = '' } = pod.metadata
  const about = `container=${name} pod=${pod.metadata.name ?? ''}_${namespace}(${uid})`
  return {
    waiting: { reason: 'CrashLoopBackOff', message: `back-off ${pauseMs / 1000}s restarting failed ${about}` },
  }
}

function terminated({ exitCode, startedAtMs, finishedAtMs, id }: Finished): ContainerState['terminated'] {
  return {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: formatTime(startedAtMs),
    finishedAt: formatTime(finishedAtMs),
    containerID: `hollow://${id}`,
  }
}

function phaseOf({ pod }: Seen, after: Advance, statuses: readonly ContainerStatus[]): string {
  if (isTerminal(pod)) return pod.status.phase ?? ''
  const { containers } = after.record
  const anyRuns = [...containers.values()].some(isRunning)
  const finished = statuses.map(({ name }) => containers.get(name)?.finished)
  const allSucceeded = finished.every((each) => each?.exitCode === 0)
  if (after.isOver) return allSucceeded ? 'Succeeded' : 'Failed'
  if ((after.isOverdue || after.hasFailed) && !anyRuns) return 'Failed'
  if (!after.hasInitialized || statuses.some(({ name }) => !containers.has(name))) return 'Pending'
  if (anyRuns || after.backingOff.size > 0) return 'Running'
  return allSucceeded ? 'Succeeded' : 'Failed'
}

interface Statuses {
  readonly initContainerStatuses: readonly ContainerStatus[]
  readonly containerStatuses: readonly ContainerStatus[]
}

function conditionsOf(view: View, phase: string, statuses: Statuses, hasSandbox: boolean): PodCondition[] {
  const { pod, nowMs } = view.seen
  const sidecars = new Set((pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name))
  const needed = [
    ...statuses.containerStatuses,
    ...statuses.initContainerStatuses.filter(({ name }) => sidecars.has(name)),
  ]
  const unready = needed.filter(({ ready }) => !ready).map(({ name }) => name)
  const incomplete = statuses.initContainerStatuses
    .filter(({ name, ready, started }) => (sidecars.has(name) ? started !== true : !ready))
    .map(({ name }) => name)
  const initialized =
    view.after.hasInitialized || phase === 'Succeeded'
      ? isTrue('Initialized', phase === 'Succeeded' ? 'PodCompleted' : undefined)
      : isFalse('Initialized', 'ContainersNotInitialized', `containers with incomplete status: ${list(incomplete)}`)
  const containersReady = readiness('ContainersReady', phase, unready)
  const missing = (pod.spec.readinessGates ?? [])
    .map(({ conditionType }) => conditionType)
    .filter((type) => !pod.status.conditions?.some((each) => each.type === type && each.status === 'True'))
  const gates = missing.map((type) => `the status of pod readiness gate "${type}" is not "True"`)
  const ready =
    containersReady.status === 'True' && gates.length > 0
      ? isFalse('Ready', 'ReadinessGatesNotReady', gates.length === 1 ? (gates[0] ?? '') : list(gates))
      : { ...containersReady, type: 'Ready' }
  const stage = hasSandbox ? isTrue('PodReadyToStartContainers') : isFalse('PodReadyToStartContainers')
  return [stage, initialized, ready, containersReady].map((each) => dated(each, pod, nowMs))
}

function readiness(type: string, phase: string, unready: readonly string[]): PodCondition {
  if (phase === 'Succeeded') return isFalse(type, 'PodCompleted')
  if (phase === 'Failed') return isFalse(type, 'PodFailed')
  if (unready.length === 0) return isTrue(type)
  return isFalse(type, 'ContainersNotReady', `containers with unready status: ${list(unready)}`)
}

function isTrue(type: string, reason?: string): PodCondition {
  return { type, status: 'True', ...(reason === undefined ? {} : { reason }) }
}

function isFalse(type: string, reason?: string, message?: string): PodCondition {
  return {
    type,
    status: 'False',
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
}

/** In Go's form. */
function list(names: readonly string[]): string {
  return `[${names.join(' ')}]`
}

/** The time of the transition stays while the status does. */
function dated(condition: PodCondition, pod: Frozen<Pod>, nowMs: number): PodCondition {
  const known = pod.status.conditions?.find(({ type }) => type === condition.type)
  const isSame = known?.status === condition.status && known.lastTransitionTime !== undefined
  return {
    ...condition,
    lastTransitionTime: isSame ? known.lastTransitionTime : formatTime(nowMs),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  }
}
