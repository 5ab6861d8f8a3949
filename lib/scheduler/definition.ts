import type { Node, Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
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
import { deepEqual, type Frozen } from '../object/index.ts'
import { createBinding } from './binding.ts'
import type { Snapshot } from './contract.ts'
import { unschedulableMessage } from './message.ts'
import { endVictims, reportUnschedulable } from './perform.ts'
import { chooseNode } from './plan.ts'
import { type PodInfo, podInfo } from './podinfo.ts'
import { preempt } from './preempt.ts'
import { SchedulingQueue } from './schedulingqueue.ts'
import { ClusterState } from './state.ts'

export interface SchedulerOptions {
  /** The scheduler takes pods with one of these names. Default `default-scheduler`. */
  readonly names?: readonly string[]
  /** Chooses between nodes that suit a pod equally well. Default: the context's. */
  readonly random?: Random
}

/** The one key of its queue: pods wait in a queue of their own, by priority. */
const queueKey = 'pods'

/** Gives pods to nodes. */
export function createScheduler({
  names = ['default-scheduler'],
  random,
}: SchedulerOptions = {}): ControllerDefinition {
  return {
    name: 'scheduler',
    account: 'kube-scheduler',
    component: 'default-scheduler',
    start: (context) => new Scheduler(context, new Set(names), random ?? context.random).start(),
  }
}

class Scheduler {
  readonly #context: ControllerContext
  readonly #names: ReadonlySet<string>
  readonly #random: Random
  readonly #state = new ClusterState()
  readonly #waiting: SchedulingQueue
  readonly #listers: ReturnType<typeof informersOf>
  readonly #turns
  readonly #binding
  /** The node at which the next search begins. */
  #from = 0

  constructor(context: ControllerContext, names: ReadonlySet<string>, random: Random) {
    this.#context = context
    this.#names = names
    this.#random = random
    this.#waiting = new SchedulingQueue(context.clock)
    this.#listers = informersOf(context)
    this.#turns = context.reconcile({ name: 'scheduler', workers: 1, turn: async () => await this.#run() })
    const { claims } = this.#listers
    this.#binding = createBinding({ context, claims, volumes: this.#volumes })
  }

  start(): void {
    const { pods, nodes, claims, volumes, classes } = this.#listers
    pods.subscribe((change) => this.#podChanged(change))
    nodes.subscribe((change) => this.#nodeChanged(change))
    for (const each of [claims, volumes, classes]) each.subscribe(() => this.#changed())
  }

  get #volumes() {
    const { claims, volumes, classes } = this.#listers
    return { claims, volumes, classes }
  }

  #podChanged({ object: pod, before, deleted }: InformerEvent<Pod>): void {
    const key = keyOf(pod)
    const wasPlaced = before?.spec.nodeName !== undefined && before.spec.nodeName !== ''
    if (deleted) {
      this.#state.removePod(key)
      this.#waiting.remove(key)
      if (wasPlaced || before?.status.nominatedNodeName) this.#changed()
      return
    }
    this.#state.setPod(pod)
    if (pod.spec.nodeName) {
      this.#waiting.remove(key)
      if (this.#waiting.size > 0 && makesRoom(before, pod)) this.#changed()
      return
    }
    if (!this.#isMine(pod) || this.#state.isAssumed(key)) return
    const isNew = !this.#waiting.has(key)
    if (isNew || hasChanged(before, pod)) {
      this.#waiting.add(key, pod.spec.priority ?? 0)
      this.#wake()
    }
  }

  #nodeChanged({ object: node, before, deleted }: InformerEvent<Node>): void {
    if (deleted) this.#state.removeNode(node.metadata.name ?? '')
    else if (!before || !isSameNode(before, node)) this.#state.setNode(node)
    else return
    this.#changed()
  }

  #changed(): void {
    if (this.#waiting.size === 0) return
    this.#waiting.changed()
    this.#wake()
  }

  #wake(): void {
    this.#turns.add(queueKey)
  }

  #isMine(pod: Frozen<Pod>): boolean {
    return (
      this.#names.has(pod.spec.schedulerName ?? 'default-scheduler') &&
      pod.metadata.deletionTimestamp === undefined &&
      (pod.spec.schedulingGates ?? []).length === 0 &&
      pod.status.phase !== 'Succeeded' &&
      pod.status.phase !== 'Failed'
    )
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
    if (!pod || pod.spec.nodeName || !this.#isMine(pod)) return this.#waiting.remove(key)
    const info = podInfo(pod)
    const snapshot = this.#snapshot()
    const decision = chooseNode(info, snapshot, this.#random, this.#from++)
    if ('node' in decision) {
      this.#state.assume(info, decision.node)
      void this.#bind(info, decision.node)
      return
    }
    const { refusals, problem } = decision
    let message = unschedulableMessage(snapshot.nodes.size, refusals, problem)
    const preemption =
      snapshot.nodes.size === 0 ? undefined : preempt(info, snapshot, decision, [...this.#listers.budgets.all()])
    if (typeof preemption === 'string') message = `${message} ${preemption}`
    this.#waiting.failed(key)
    try {
      if (typeof preemption === 'object') {
        this.#state.nominate(info, preemption.node)
        const name = pod.spec.schedulerName ?? 'default-scheduler'
        await endVictims(info, preemption, name, this.#performer)
      }
      await reportUnschedulable(
        info,
        message,
        typeof preemption === 'object' ? preemption.node : undefined,
        this.#performer,
      )
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error))
        this.#context.log.warn('a pod was not reported', { pod: key, error })
    }
  }

  async #bind(info: PodInfo, node: string): Promise<void> {
    const { key, pod } = info
    const { events, log, signal } = this.#context
    try {
      await this.#binding(info, node, this.#state.nodes.get(node), this.#performer)
      this.#waiting.remove(key)
      events.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${key} to ${node}`)
    } catch (error) {
      if (signal.aborted) return
      this.#state.forget(key)
      if (isNotFound(error)) return this.#waiting.remove(key)
      log.verbose(2, 'a pod was not bound', { pod: key, node, error })
      const text = error instanceof Error ? error.message : String(error)
      events.event(pod, 'Warning', 'FailedScheduling', `binding rejected: ${text}`)
      this.#waiting.failed(key, true)
      this.#wake()
    }
  }

  get #performer() {
    const { client, events, clock } = this.#context
    return { client, events, now: () => clock.now() }
  }

  #snapshot(): Snapshot {
    const { namespaces } = this.#listers
    return {
      nodes: this.#state.nodes,
      nominated: this.#state.nominated,
      volumes: this.#volumes,
      controlledBy: (uid) => this.#state.controlledBy(uid),
      namespaceLabels: (namespace) => namespaces.get(namespace)?.metadata.labels,
    }
  }
}

function informersOf(context: ControllerContext) {
  return {
    pods: context.informer(resources.core.v1.pods),
    nodes: context.informer(resources.core.v1.nodes),
    claims: context.informer(resources.core.v1.persistentvolumeclaims),
    volumes: context.informer(resources.core.v1.persistentvolumes),
    classes: context.informer(resources.storage.v1.storageclasses),
    budgets: context.informer(resources.policy.v1.poddisruptionbudgets),
    namespaces: context.informer(resources.core.v1.namespaces),
  }
}

/** True where room comes free, or where the affinity of other pods may be satisfied now. */
function makesRoom(before: Frozen<Pod> | undefined, after: Frozen<Pod>): boolean {
  const { phase } = after.status
  if (phase !== before?.status.phase && (phase === 'Succeeded' || phase === 'Failed')) return true
  return hasChanged(before, after)
}

/** The pod may fit elsewhere now; its status, which the scheduler itself writes, does not count. */
function hasChanged(before: Frozen<Pod> | undefined, after: Frozen<Pod>): boolean {
  if (!before || !deepEqual(before.metadata.labels, after.metadata.labels)) return true
  const { generation } = after.metadata
  // A spec is decoded when it is read.
  if (generation !== undefined && before.metadata.generation === generation) return false
  return !deepEqual(before.spec, after.spec)
}

/** False for changes that may make room; heartbeats don't. */
function isSameNode(before: Frozen<Node>, after: Frozen<Node>): boolean {
  return (
    deepEqual(before.spec, after.spec) &&
    deepEqual(before.metadata.labels, after.metadata.labels) &&
    deepEqual(before.status.allocatable, after.status.allocatable)
  )
}
