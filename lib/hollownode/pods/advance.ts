import { createHash } from 'node:crypto'
import type { Container, Pod } from '../../../api/gen/core/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'
import type { PodBehaviour } from './behaviour.ts'
import { type ContainerRecord, isRunning, type PodRecord, withContainer } from './record.ts'
import { restartsAfter } from './restarts.ts'

/** One pod as its node sees it. */
export interface Seen {
  readonly pod: Frozen<Pod>
  readonly record: PodRecord
  readonly behaviour: PodBehaviour
  /** Why its containers can't start yet; undefined: they can. */
  readonly blocked: string | undefined
  readonly nowMs: number
}

/** The record after the node's work, and what belongs to it outside the record. */
export interface Advance {
  readonly record: PodRecord
  /** Containers that begin to run. */
  readonly started: readonly string[]
  /** Containers whose hook before the stop begins now, by the time that it may take. */
  readonly hooksBegun: ReadonlyMap<string, number>
  /** Containers that the node has ended. */
  readonly stopped: readonly string[]
  /** Containers whose restart waits, and the pause. */
  readonly backingOff: ReadonlyMap<string, number>
  /** The pod has no container left, and is being deleted. */
  readonly isOver: boolean
  readonly isOverdue: boolean
  /** An init container has failed for good. */
  readonly hasFailed: boolean
  readonly hasInitialized: boolean
  /** When time alone changes something. */
  readonly againAtMs: number | undefined
}

const backoffMsMax = 300_000
/** However long its hook has taken, a container may take so long to end. */
const stopMsMin = 2000

/** The time that a pod's containers have to end, their hooks included. */
export function graceMsOf({ metadata, spec }: Frozen<Pod>): number {
  return (metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30) * 1000
}

/** Does everything for a pod that is due now. A pure function: times and ends of processes are in the record. */
export function advance(seen: Seen): Advance {
  const turn = new Turn(seen)
  turn.run()
  return turn
}

export function isSidecar({ restartPolicy }: Frozen<Container>): boolean {
  return restartPolicy === 'Always'
}

class Turn implements Advance {
  record: PodRecord
  readonly started: string[] = []
  readonly hooksBegun = new Map<string, number>()
  readonly stopped: string[] = []
  readonly backingOff = new Map<string, number>()
  isOver = false
  isOverdue = false
  hasFailed = false
  hasInitialized = false
  againAtMs: number | undefined
  readonly #seen: Seen

  constructor(seen: Seen) {
    this.#seen = seen
    this.record = seen.record
  }

  run(): void {
    const { pod } = this.#seen
    const isGoing = pod.metadata.deletionTimestamp !== undefined
    this.#finishDue()
    this.#checkDeadline()
    this.hasInitialized = this.#initContainers.every((each) => this.#isPast(each))
    if (isGoing || this.isOverdue || isTerminal(pod)) {
      this.#stopAll()
      this.isOver = isGoing && !this.#runsAny(this.#all)
    } else if (this.#mayStart()) this.#proceedAll()
  }

  get #initContainers(): readonly Frozen<Container>[] {
    return this.#seen.pod.spec.initContainers ?? []
  }

  get #containers(): readonly Frozen<Container>[] {
    return this.#seen.pod.spec.containers ?? []
  }

  get #all(): readonly Frozen<Container>[] {
    return [...this.#containers, ...(this.#seen.pod.spec.ephemeralContainers ?? []), ...this.#initContainers]
  }

  /** Ends containers whose time is over. */
  #finishDue(): void {
    for (const each of this.#all) {
      const record = this.record.containers.get(each.name)
      const { runsForMs, exitCode } = this.#seen.behaviour.container(each)
      if (!isRunning(record) || runsForMs === undefined) continue
      const dueMs = record.startedAtMs + runsForMs
      if (dueMs > this.#seen.nowMs) this.#wakeAt(dueMs)
      else this.#finish(each.name, record, exitCode, dueMs)
    }
  }

  #checkDeadline(): void {
    const { activeDeadlineSeconds } = this.#seen.pod.spec
    if (activeDeadlineSeconds === undefined) return
    const dueMs = this.record.acceptedAtMs + activeDeadlineSeconds * 1000
    this.isOverdue = dueMs <= this.#seen.nowMs
    if (!this.isOverdue) this.#wakeAt(dueMs)
  }

  #mayStart(): boolean {
    const { behaviour, blocked, nowMs } = this.#seen
    if (blocked !== undefined || behaviour.waitingReason !== undefined) return this.record.containers.size > 0
    const startMs = this.record.acceptedAtMs + behaviour.startDelayMs
    if (startMs > nowMs) this.#wakeAt(startMs)
    return startMs <= nowMs
  }

  /** A container that ends as it starts is started again in the same turn, until it has to pause. */
  #proceedAll(): void {
    for (let before: PodRecord | undefined; this.record !== before; ) {
      before = this.record
      this.backingOff.clear()
      this.#proceed()
    }
  }

  #proceed(): void {
    if (this.#initContainers.some((each) => !isSidecar(each) && this.#isDone(each) && !this.#isPast(each))) {
      this.hasFailed = true
      return this.#stopAll()
    }
    const isEnding = this.#containers.every((each) => this.#isDone(each))
    for (const each of this.#initContainers) {
      if (isEnding) break
      if (isSidecar(each)) this.#keepRunning(each)
      else if (!this.#isPast(each)) {
        this.#keepRunning(each)
        this.#finishDue()
      }
      if (!this.#isPast(each)) return
    }
    this.hasInitialized = true
    for (const each of this.#containers) this.#keepRunning(each)
    for (const each of this.#seen.pod.spec.ephemeralContainers ?? [])
      if (!this.record.containers.has(each.name)) this.#start(each.name, undefined)
    this.#finishDue()
    if (this.#containers.every((each) => this.#isDone(each))) this.#stop(this.#initContainers)
  }

  /** The containers behind an init container may start. */
  #isPast(each: Frozen<Container>): boolean {
    const record = this.record.containers.get(each.name)
    if (record === undefined) return false
    if (!isSidecar(each)) return record.finished?.exitCode === 0
    // A sidecar that has started once holds up nothing, though it may be starting again.
    if (record.restartCount > 0 || record.finished) return true
    const { startupDelayMs, runsStartup } = this.#seen.behaviour.container(each)
    if (runsStartup) return record.hasStarted === true
    const startedMs = record.startedAtMs + startupDelayMs
    if (startedMs > this.#seen.nowMs) this.#wakeAt(startedMs)
    return startedMs <= this.#seen.nowMs
  }

  /** It has ended and is not started again. */
  #isDone(each: Frozen<Container>): boolean {
    const finished = this.record.containers.get(each.name)?.finished
    return finished !== undefined && !restartsAfter(this.#seen.pod.spec, each, finished.exitCode)
  }

  #keepRunning(each: Frozen<Container>): void {
    const record = this.record.containers.get(each.name)
    if (record === undefined) return this.#start(each.name, undefined)
    const { finished, restartCount } = record
    if (finished === undefined || this.#isDone(each)) return
    const { crashBackoffMs } = this.#seen.behaviour
    const pauseMs =
      restartCount === 0 ? 0 : Math.max(1, Math.min(backoffMsMax, crashBackoffMs * 2 ** (restartCount - 1)))
    const againMs = finished.finishedAtMs + pauseMs
    if (againMs <= this.#seen.nowMs) return this.#start(each.name, record)
    this.backingOff.set(each.name, pauseMs)
    this.#wakeAt(againMs)
  }

  #start(name: string, before: ContainerRecord | undefined): void {
    const restartCount = before === undefined ? 0 : before.restartCount + 1
    const id = createHash('sha256').update(`${this.#seen.pod.metadata.uid}/${name}/${restartCount}`).digest('hex')
    this.record = withContainer(this.record, name, {
      id,
      startedAtMs: this.#seen.nowMs,
      restartCount,
      ...(before?.finished ? { last: before.finished } : {}),
    })
    this.started.push(name)
  }

  #finish(name: string, record: ContainerRecord, exitCode: number, finishedAtMs: number): void {
    const { id, startedAtMs } = record
    this.record = withContainer(this.record, name, {
      ...record,
      finished: { id, startedAtMs, finishedAtMs, exitCode },
    })
    this.stopped.push(name)
  }

  /** Sidecars are stopped once everything else has ended. */
  #stopAll(): void {
    const sidecars = this.#initContainers.filter(isSidecar)
    const others = this.#all.filter((each) => !sidecars.includes(each))
    this.#stop(others)
    if (!this.#runsAny(others)) this.#stop(sidecars)
  }

  /** Asks containers to end, after their hooks; those that take too long are killed. */
  #stop(containers: readonly Frozen<Container>[]): void {
    const { pod, behaviour, nowMs } = this.#seen
    const graceMs = graceMsOf(pod)
    for (const each of containers) {
      const record = this.record.containers.get(each.name)
      if (!isRunning(record)) continue
      const { stopDelayMs, hasProcess, hasPreStop } = behaviour.container(each)
      const sinceMs = record.stoppingSinceMs ?? nowMs
      const hasHook = hasPreStop && graceMs > 0
      const endOfHookMs = hasHook ? (record.hookEndedAtMs ?? sinceMs + graceMs) : sinceMs
      // The hook has run in the container's grace period.
      const leftMs = hasHook ? Math.max(stopMsMin, sinceMs + graceMs - endOfHookMs) : graceMs
      const endMs = endOfHookMs + Math.min(stopDelayMs, leftMs)
      if (endMs <= nowMs) this.#finish(each.name, record, stopDelayMs > leftMs ? 137 : hasProcess ? 143 : 0, endMs)
      else {
        if (hasHook && record.stoppingSinceMs === undefined) this.hooksBegun.set(each.name, graceMs)
        this.record = withContainer(this.record, each.name, { ...record, stoppingSinceMs: sinceMs })
        this.#wakeAt(endMs)
      }
    }
  }

  #runsAny(containers: readonly Frozen<Container>[]): boolean {
    return containers.some(({ name }) => isRunning(this.record.containers.get(name)))
  }

  #wakeAt(ms: number): void {
    if (this.againAtMs === undefined || ms < this.againAtMs) this.againAtMs = ms
  }
}

export function isTerminal({ status }: Frozen<Pod>): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed'
}

/** The record of a pod that an earlier process of the node has run: its containers go on. */
export function recordOf(pod: Frozen<Pod>, podIp: string, nowMs: number): PodRecord {
  const { status } = pod
  const containers = new Map<string, ContainerRecord>()
  const all = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]
  for (const { name, state, restartCount, containerID = '' } of all.flatMap((each) => each ?? [])) {
    const id = containerID.replace(/^.*:\/\//, '')
    const { running, terminated } = state
    if (running) containers.set(name, { id, restartCount, startedAtMs: timeOf(running.startedAt, nowMs) })
    else if (terminated) {
      const startedAtMs = timeOf(terminated.startedAt, nowMs)
      const finishedAtMs = timeOf(terminated.finishedAt, nowMs)
      const { exitCode } = terminated
      containers.set(name, {
        id,
        restartCount,
        startedAtMs,
        finished: { id, startedAtMs, finishedAtMs, exitCode },
      })
    }
  }
  return { acceptedAtMs: timeOf(status.startTime, nowMs), podIp: status.podIP || podIp, containers }
}

function timeOf(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : parseTime(text)
}
