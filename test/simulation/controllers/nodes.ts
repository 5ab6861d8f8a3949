import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Closable, Random } from '../../../lib/base/index.ts'
import { controllerOf, keyOf } from '../../../lib/controller/index.ts'
import { type Frozen, formatMicroTime, formatTime, StatusError } from '../../../lib/object/index.ts'
import type { Trace } from './trace.ts'
import type { World } from './world.ts'

const { nodes: nodesType, pods: podsType } = resources.core.v1
const leasesType = resources.coordination.v1.leases
const leaseNamespace = 'kube-node-lease'
const beatMs = 40_000
const lookMs = 500

/** Annotations of pod templates that steer what the nodes do with their pods. */
export const fate = { neverReady: 'simulation/never-ready', fails: 'simulation/fails', runs: 'simulation/runs-seconds' }

/** The kubelets, and the scheduler that gives them pods: slow, but without faults of their own. */
export class Nodes {
  /** Nothing fails any more, and everything that waits goes on. */
  isCalm = false
  /** Called with each failure that is none of the cluster's. */
  onError: (error: unknown) => void = () => {}
  readonly #world: World
  readonly #random: Random
  readonly #trace: Trace
  readonly #dead = new Set<string>()
  /** The heartbeats as last written. */
  readonly #leases = new Map<string, Frozen<Lease>>()
  readonly #timers = new Set<Closable>()
  #planned: Closable | undefined
  #working = false
  #addresses = 1

  constructor(world: World, random: Random, trace: Trace) {
    this.#world = world
    this.#random = random
    this.#trace = trace
  }

  async open(names: readonly string[]): Promise<void> {
    for (const name of names) await this.add(name)
    this.#timers.add(this.#world.clock.every(beatMs, () => this.#do(() => this.#beat())))
  }

  close(): void {
    for (const timer of this.#timers) void timer.close()
    void this.#planned?.close()
  }

  /** A machine that registers itself. */
  async add(name: string): Promise<void> {
    const { client, clock } = this.#world
    this.#dead.delete(name)
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { pool: name.endsWith('1') ? 'one' : 'more' } },
      spec: {},
      status: { conditions: [readyCondition(formatTime(clock.now()))], allocatable: { pods: '110' } },
    }
    await client.resource(nodesType).create(node as unknown as Frozen<Node>)
    this.#trace.note('user', 'POST', `nodes/${name}`, '')
    await this.#renew(name)
  }

  /** The machine stops, with all that runs on it. */
  kill(name: string): void {
    this.#trace.note('node', 'STOP', name, '')
    this.#dead.add(name)
  }

  get hasDead(): boolean {
    return this.#dead.size > 0
  }

  /** All machines run again. */
  async revive(): Promise<void> {
    const revived = [...this.#dead]
    this.#dead.clear()
    for (const name of revived) this.#trace.note('node', 'START', name, '')
    await this.#beat()
    this.look()
  }

  /** Pods have changed, or may go on. */
  look(): void {
    this.#planned ??= this.#world.clock.after(lookMs, () => {
      this.#planned = undefined
      this.#do(() => this.#lookOnce())
    })
  }

  #do(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.onError(error))
  }

  async #beat(): Promise<void> {
    for (const { metadata, status } of this.#world.truth.all(nodesType)) {
      const { name = '' } = metadata
      if (this.#dead.has(name)) continue
      await this.#renew(name)
      if (status.conditions?.every(({ type, status: is }) => type !== 'Ready' || is === 'True')) continue
      const condition = readyCondition(formatTime(this.#world.clock.now()))
      await quietly(
        this.#world.client
          .resource(nodesType)
          .patchStatus({ name }, 'strategic', { status: { conditions: [condition] } }),
      )
    }
  }

  async #renew(name: string): Promise<void> {
    const leases = this.#world.client.resource(leasesType)
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: formatMicroTime(this.#world.clock.now()),
    }
    const known = this.#leases.get(name)
    const metadata = { namespace: leaseNamespace, name }
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
    this.#leases.set(name, known ? await leases.update({ ...known, spec }) : await leases.create(lease))
  }

  async #lookOnce(): Promise<void> {
    if (this.#working) return
    this.#working = true
    let left = false
    for (const pod of this.#world.truth.all(podsType)) {
      const act = this.#next(pod)
      if (!act) continue
      left = true
      if (this.#random.fraction() < 0.6) await quietly(act())
    }
    this.#working = false
    if (left) this.look()
  }

  /** What is to be done with a pod, if anything. */
  #next(pod: Frozen<Pod>): (() => Promise<unknown>) | undefined {
    const { metadata, spec, status } = pod
    const node = spec.nodeName
    if (!node) return metadata.deletionTimestamp === undefined ? this.#place(pod) : undefined
    if (this.#dead.has(node) || !this.#world.truth.get(nodesType, node)) return undefined
    if (metadata.deletionTimestamp !== undefined)
      return metadata.deletionGracePeriodSeconds === 0 ? undefined : () => this.#remove(pod)
    if (status.phase === 'Succeeded' || status.phase === 'Failed') return undefined
    const annotations = metadata.annotations ?? {}
    if (annotations[fate.neverReady] !== undefined) return undefined
    const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
    const seconds = annotations[fate.runs]
    if (status.phase === 'Running' && seconds !== undefined) {
      const ranMs = this.#world.clock.now() - Date.parse(String(status.startTime ?? 0))
      if (ranMs < Number(seconds) * 1000) return () => Promise.resolve()
      return () => this.#finish(pod)
    }
    return isReady ? undefined : () => this.#run(pod)
  }

  #place(pod: Frozen<Pod>): (() => Promise<unknown>) | undefined {
    const fitting = this.#world.truth.all(nodesType).filter((node) => this.#fits(pod, node))
    const node = fitting[this.#random.below(fitting.length)]
    if (!node) return undefined
    const target = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name }
    return async () => {
      await this.#world.client
        .resource(podsType)
        .subresource('binding')
        .create(pod.metadata, {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { namespace: pod.metadata.namespace, name: pod.metadata.name, uid: pod.metadata.uid },
          target,
        } as never)
      this.#trace.note('scheduler', 'BIND', `${keyOf(pod)} ${node.metadata.name}`, '')
    }
  }

  #fits(pod: Frozen<Pod>, node: Frozen<Node>): boolean {
    const { name = '' } = node.metadata
    const isDaemon = controllerOf(pod)?.kind === 'DaemonSet'
    if (this.#dead.has(name)) return false
    if (!isDaemon && ((node.spec.taints?.length ?? 0) > 0 || node.spec.unschedulable === true)) return false
    const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
    return (
      terms === undefined ||
      terms.some(({ matchFields = [] }) => matchFields.every(({ values }) => values?.includes(name)))
    )
  }

  async #run(pod: Frozen<Pod>): Promise<void> {
    const now = formatTime(this.#world.clock.now())
    const podIP = pod.status.podIP ?? `10.9.${this.#addresses >> 8}.${this.#addresses++ & 255}`
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now }]
    await this.#patch(pod, {
      phase: 'Running',
      startTime: pod.status.startTime ?? now,
      podIP,
      podIPs: [{ ip: podIP }],
      conditions,
    })
    this.#trace.note('node', 'RUN', keyOf(pod), '')
  }

  async #finish(pod: Frozen<Pod>): Promise<void> {
    const fails = Number(pod.metadata.annotations?.[fate.fails] ?? 0)
    const phase = !this.isCalm && this.#random.fraction() < fails ? 'Failed' : 'Succeeded'
    await this.end(pod, phase)
  }

  /** The pod is over. */
  async end(pod: Frozen<Pod>, phase: 'Succeeded' | 'Failed'): Promise<void> {
    const finishedAt = formatTime(this.#world.clock.now())
    const exitCode = phase === 'Failed' ? 1 : 0
    const containerStatuses = (pod.spec.containers ?? []).map(({ name }) => ({
      name,
      image: 'i',
      imageID: 'i',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, finishedAt } },
      lastState: {},
    }))
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: finishedAt }]
    await this.#patch(pod, { phase, containerStatuses, conditions })
    this.#trace.note('node', phase === 'Failed' ? 'FAIL' : 'SUCCEED', keyOf(pod), '')
  }

  /** Its containers have come to their end, or never began. */
  async #remove(pod: Frozen<Pod>): Promise<void> {
    const { uid } = pod.metadata
    // A pod that never ran has failed as well: jobs that replace only failed pods wait for that.
    if (pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed') await quietly(this.end(pod, 'Failed'))
    this.#trace.note('node', 'DELETE', keyOf(pod), '')
    await this.#world.client.resource(podsType).delete(pod.metadata, { uid, gracePeriodSeconds: 0 })
  }

  async #patch({ metadata }: Frozen<Pod>, status: unknown): Promise<void> {
    await this.#world.client
      .resource(podsType)
      .patchStatus(metadata, 'strategic', { metadata: { uid: metadata.uid }, status })
  }
}

function readyCondition(now: string) {
  return { type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now, reason: 'KubeletReady' }
}

/** Others may have changed it meanwhile. */
export async function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StatusError && error.code < 500) return undefined
    throw error
  }
}
