import type { Node, Pod } from '../../api/gen/core/v1.ts'
import { Pauses, type Random } from '../base/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  type InformerEvent,
  isConflict,
  isNotFound,
  keyOf,
  type TurnResult,
} from '../controller/index.ts'
import type { Frozen } from '../object/index.ts'
import { createBinding } from './binding.ts'
import { hasChanged, isSameNode, makesRoom } from './changes.ts'
import type { Snapshot } from './contract.ts'
import { deallocateIdle } from './dra/deallocate.ts'
import { DeviceState, type Reservation } from './dra/state.ts'
import { type Listers, listersOf, snapshotOf } from './listers.ts'
import { unschedulableMessage } from './message.ts'
import { createSchedulerMetrics, type SchedulerMetrics } from './metrics.ts'
import type { NodeInfo } from './nodeinfo.ts'
import { endVictims, reportUnschedulable } from './perform.ts'
import { chooseNode, type Refused } from './plan.ts'
import { type PodInfo, podInfo } from './podinfo.ts'
import { type Preemption, preempt } from './preempt.ts'
import { defaultProfile, type Profile } from './profile.ts'
import { recordersOf } from './recorders.ts'
import { SchedulingQueue } from './schedulingqueue.ts'
import { ClusterState } from './state.ts'
import { unschedulableCounts } from './unschedulablecounts.ts'

export interface SchedulerOptions {
  /** The scheduler takes the pods that name one of these. Default: the stock profile, `default-scheduler`. */
  readonly profiles?: readonly Profile[]
  /** Chooses between nodes that suit a pod equally well. Default: the context's. */
  readonly random?: Random
  /** Pauses of a pod that fits nowhere. Default 1 s to 10 s. */
  readonly backoffFirstMs?: number
  readonly backoffMaxMs?: number
  /** How long a pod waits for changes before it is tried again without any. Default 5 minutes. */
  readonly unschedulableMsMax?: number
  /** The machine, for the instance that reports its events. */
  readonly host?: string
}

/** The one key of its queue: pods wait in a queue of their own, by priority. */
const queueKey = 'pods'
const defaultName = 'default-scheduler'

/** Gives pods to nodes. */
export function createScheduler(options: SchedulerOptions = {}): ControllerDefinition {
  return {
    name: 'scheduler',
    account: 'kube-scheduler',
    component: options.profiles?.[0]?.name ?? defaultName,
    start: (context) => new Scheduler(context, options).start(),
  }
}

class Scheduler {
  readonly #context: ControllerContext
  readonly #profiles: ReadonlyMap<string, Profile>
  readonly #random: Random
  readonly #metrics: SchedulerMetrics
  readonly #state = new ClusterState()
  readonly #waiting: SchedulingQueue
  readonly #listers: Listers
  readonly #turns
  readonly #devices: DeviceState | undefined
  readonly #binding
  readonly #eventsOf
  /** Pods of ours with scheduling gates. */
  readonly #gated = new Set<string>()
  #bindings = 0
  /** The node at which the next search begins. */
  #from = 0

  constructor(context: ControllerContext, options: SchedulerOptions) {
    const { profiles = [defaultProfile(defaultName)], random = context.random, host, ...backoff } = options
    this.#context = context
    this.#profiles = new Map(profiles.map((profile) => [profile.name, profile]))
    this.#random = random
    this.#metrics = createSchedulerMetrics(context.metrics, context.clock)
    this.#waiting = new SchedulingQueue(context.clock, { ...backoff, entered: this.#metrics.incoming })
    this.#listers = listersOf(context, { spreads: profiles.some(({ spreads }) => spreads) })
    this.#turns = context.reconcile({ name: 'scheduler', workers: 1, turn: async () => await this.#run() })
    this.#eventsOf = recordersOf(context, profiles, host)
    this.#devices = DeviceState.follow(context, (event) => this.#changed(event))
    this.#binding = createBinding(context, this.#listers, this.#devices)
  }

  start(): void {
    const { pods, nodes, claims, volumes, classes, csiNodes } = this.#listers
    pods.subscribe((change) => this.#podChanged(change))
    nodes.subscribe((change) => this.#nodeChanged(change))
    claims.subscribe((change) => this.#changed(eventOf('PersistentVolumeClaim', change)))
    volumes.subscribe((change) => this.#changed(eventOf('PersistentVolume', change)))
    classes.subscribe((change) => this.#changed(eventOf('StorageClass', change)))
    csiNodes.subscribe((change) => this.#changed(eventOf('CSINode', change)))
    this.#metrics.collect({
      pending: () => ({ ...this.#waiting.sizes, gated: this.#gated.size }),
      cache: () => this.#state.sizes,
      bindings: () => this.#bindings,
      unschedulable: () => unschedulableCounts(this.#waiting.refusals()),
    })
  }

  #podChanged(change: InformerEvent<Pod>): void {
    const { object: pod, before, deleted } = change
    const key = keyOf(pod)
    const wasPlaced = before?.spec.nodeName !== undefined && before.spec.nodeName !== ''
    this.#gated.delete(key)
    if (deleted) {
      this.#state.removePod(key)
      this.#waiting.remove(key)
      if (wasPlaced || before?.status.nominatedNodeName) this.#changed('AssignedPodDelete')
      return
    }
    this.#state.setPod(pod)
    if (pod.spec.nodeName) {
      this.#waiting.remove(key)
      if (this.#waiting.size > 0 && makesRoom(before, pod)) this.#changed(eventOf('AssignedPod', change))
      return
    }
    const profile = this.#profileOf(pod)
    if (!profile || this.#state.isAssumed(key)) return
    if (isGated(pod, profile)) return void this.#gated.add(key)
    const isNew = !this.#waiting.has(key)
    if (isNew || hasChanged(before, pod)) {
      this.#waiting.add(key, pod.spec.priority ?? 0, eventOf('UnscheduledPod', change))
      this.#wake()
    }
  }

  #nodeChanged(change: InformerEvent<Node>): void {
    const { object: node, before, deleted } = change
    if (deleted) this.#state.removeNode(node.metadata.name ?? '')
    else if (!before || !isSameNode(before, node)) this.#state.setNode(node)
    else return
    this.#changed(eventOf('Node', change))
  }

  #changed(event: string): void {
    if (this.#waiting.size === 0) return
    this.#waiting.changed(event)
    this.#wake()
  }

  #wake(): void {
    this.#turns.add(queueKey)
  }

  /** The profile of a pod that waits for a node; undefined: it is another scheduler's, or is ending. */
  #profileOf(pod: Frozen<Pod>): Profile | undefined {
    const { phase } = pod.status
    if (pod.metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed') return undefined
    return this.#profiles.get(pod.spec.schedulerName ?? defaultName)
  }

  async #run(): Promise<TurnResult> {
    const pauses = new Pauses(this.#context.clock)
    for (let key = this.#waiting.take(); key !== undefined; key = this.#waiting.take()) {
      if (this.#context.signal.aborted) return {}
      await this.#schedule(key)
      if (pauses.isDue) await pauses.pause()
    }
    return { againAfterMs: this.#waiting.nextMs() }
  }

  async #schedule(key: string): Promise<void> {
    const pod = this.#listers.pods.get(key)
    const profile = pod && this.#profileOf(pod)
    if (!profile || pod.spec.nodeName || isGated(pod, profile)) return this.#waiting.remove(key)
    const sinceMs = this.#context.clock.monotonicMs()
    const info = podInfo(pod)
    const snapshot = snapshotOf(this.#state, this.#listers, this.#devices)
    const meter = this.#metrics.planMeter(profile.name)
    const decision = chooseNode(info, snapshot, { profile, random: this.#random, from: this.#from++, meter })
    this.#metrics.algorithm(this.#secondsSince(sinceMs))
    if ('node' in decision) {
      this.#place(info, decision.node, profile, sinceMs)
      return
    }
    this.#waiting.failed(key, { refused: { profile: profile.name, plugins: decision.plugins } })
    await this.#refuse(info, snapshot, decision, profile)
    this.#metrics.attempted(profile.name, 'unschedulable', this.#secondsSince(sinceMs))
  }

  /** The pod counts on the node from now on, and has the devices that it claims. */
  #place(info: PodInfo, name: string, profile: Profile, sinceMs: number): void {
    const node = this.#state.nodes.get(name)
    if (!node) return this.#waiting.failed(info.key, { isRetried: true })
    let reservations: readonly Reservation[]
    try {
      reservations = this.#devices?.reserve(info, node) ?? []
    } catch (error) {
      this.#context.log.verbose(2, 'devices could not be reserved', { pod: info.key, node: name, error })
      return this.#waiting.failed(info.key, { isRetried: true })
    }
    this.#state.assume(info, name)
    void this.#bind(info, { node, profile, reservations }, sinceMs)
  }

  /** Ends less important pods for one that fits nowhere, and reports why it waits. */
  async #refuse(info: PodInfo, snapshot: Snapshot, decision: Refused, profile: Profile): Promise<void> {
    const { refusals, problem } = decision
    let message = unschedulableMessage(snapshot.nodes.size, refusals, problem)
    const preemption = this.#preempt(info, snapshot, decision, profile)
    if (typeof preemption === 'string') message = `${message} ${preemption}`
    const nominated = typeof preemption === 'object' ? preemption.node : undefined
    const performer = this.#performerOf(profile)
    try {
      if (typeof preemption === 'object') {
        this.#state.nominate(info, preemption.node)
        await endVictims(info, preemption, profile.name, performer)
      }
      const freed = this.#devices && (await deallocateIdle(info, this.#devices, performer.client))
      await reportUnschedulable(info, freed ? `${message} ${freed}` : message, nominated, performer)
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error))
        this.#context.log.warn('a pod was not reported', { pod: info.key, error })
    }
  }

  #preempt(info: PodInfo, snapshot: Snapshot, decision: Refused, profile: Profile): Preemption | string | undefined {
    if (snapshot.nodes.size === 0) return undefined
    const sinceMs = this.#context.clock.monotonicMs()
    const found = preempt(info, snapshot, decision, [...this.#listers.budgets.all()], profile)
    if (found === undefined) return undefined
    this.#metrics.preemption(typeof found === 'object' ? found.victims.length : 0)
    this.#metrics.step(profile.name, 'PostFilter', typeof found === 'object', this.#secondsSince(sinceMs))
    return found
  }

  async #bind(
    info: PodInfo,
    place: { readonly node: NodeInfo; readonly profile: Profile; readonly reservations: readonly Reservation[] },
    sinceMs: number,
  ): Promise<void> {
    const { node, profile } = place
    const { key, pod } = info
    const { log, signal } = this.#context
    const events = this.#eventsOf(profile.name)
    this.#bindings++
    try {
      const performer = this.#performerOf(profile)
      await this.#binding(info, { ...place, performer })
      const history = this.#waiting.historyOf(key)
      if (history) this.#metrics.scheduled(history.attempts + 1, this.#secondsSince(history.sinceMs))
      this.#waiting.remove(key)
      this.#metrics.attempted(profile.name, 'scheduled', this.#secondsSince(sinceMs))
      const note = `Successfully assigned ${key} to ${node.name}`
      events.record(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note })
    } catch (error) {
      if (signal.aborted) return
      this.#state.forget(key)
      if (isNotFound(error)) return this.#waiting.remove(key)
      log.verbose(2, 'a pod was not bound', { pod: key, node: node.name, error })
      const note = error instanceof Error ? error.message : String(error)
      events.record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note })
      this.#metrics.attempted(profile.name, 'error', this.#secondsSince(sinceMs))
      this.#waiting.failed(key, { isRetried: true })
      this.#wake()
    } finally {
      this.#bindings--
    }
  }

  #secondsSince(sinceMs: number): number {
    return (this.#context.clock.monotonicMs() - sinceMs) / 1000
  }

  #performerOf({ name }: Profile) {
    const { client, clock } = this.#context
    return { client, events: this.#eventsOf(name), now: () => clock.now() }
  }
}

function isGated(pod: Frozen<Pod>, { honorsGates }: Profile): boolean {
  return honorsGates && (pod.spec.schedulingGates ?? []).length > 0
}

/** The stock name of a change, for metrics: `NodeAdd`. */
function eventOf(
  resource: string,
  { before, deleted }: { readonly before?: unknown; readonly deleted: boolean },
): string {
  return `${resource}${deleted ? 'Delete' : before === undefined ? 'Add' : 'Update'}`
}
