import { scaledIntOrPercent } from '../../object/index.ts'
import { isAvailable, isReady, nextAvailableMs } from '../shared/podstate.ts'
import { decide, type NodeDecision, podsByNode, type SomeNode, type SomePod, type SomeSet } from './nodes.ts'
import { isUpdated } from './pod.ts'

export interface Observed {
  readonly set: SomeSet
  readonly pods: readonly SomePod[]
  readonly nodes: readonly SomeNode[]
  /** Value of the revision label of the set's present template. */
  readonly hash: string
  /** The remaining backoff of a node's failed pod, in milliseconds. */
  pause(node: string): number
}

export interface Plan {
  /** Nodes that get a pod. */
  readonly create: readonly string[]
  readonly delete: readonly SomePod[]
  /** Events about failed and succeeded pods. */
  readonly over: readonly { readonly pod: SomePod; readonly node: string }[]
  readonly againAfterMs: number | undefined
}

/** Maximum number of pods created in one turn, and of pods deleted. */
const burst = 250

export function plan(seen: Observed, nowMs: number): Plan {
  const { set } = seen
  if (set.metadata.deletionTimestamp !== undefined) return { create: [], delete: [], over: [], againAfterMs: undefined }
  const planner = new Planner(seen, nowMs)
  planner.manage()
  // The rollout waits while pods are created or deleted.
  if (planner.isIdle && set.spec.updateStrategy.type === 'RollingUpdate') planner.roll()
  return planner.plan()
}

class Planner {
  readonly #seen: Observed
  readonly #nowMs: number
  readonly #byNode: ReadonlyMap<string, readonly SomePod[]>
  readonly #decisions: ReadonlyMap<string, NodeDecision>
  readonly #create: string[] = []
  readonly #delete: SomePod[] = []
  readonly #over: { pod: SomePod; node: string }[] = []
  #againAfterMs: number | undefined

  constructor(seen: Observed, nowMs: number) {
    this.#seen = seen
    this.#nowMs = nowMs
    this.#byNode = podsByNode(seen.pods)
    this.#decisions = new Map(seen.nodes.map((node) => [node.metadata.name ?? '', decide(seen.set, node)]))
    this.#againBy(nextAvailableMs(seen.pods, seen.set.spec.minReadySeconds ?? 0, nowMs))
  }

  get isIdle(): boolean {
    return this.#create.length === 0 && this.#delete.length === 0
  }

  plan(): Plan {
    return {
      create: this.#create.slice(0, burst),
      delete: this.#delete.slice(0, burst),
      over: this.#over,
      againAfterMs: this.#againAfterMs,
    }
  }

  /** Plans the missing and the superfluous pods of every node. */
  manage(): void {
    for (const [node, { run, stay }] of this.#decisions) {
      const pods = this.#byNode.get(node)
      if (pods === undefined) {
        if (run) this.#create.push(node)
      } else if (stay) this.#keepOne(node, pods)
      else this.#delete.push(...pods.filter(isStaying))
    }
    for (const [node, pods] of this.#byNode)
      if (!this.#decisions.has(node)) this.#delete.push(...pods.filter((pod) => !pod.spec.nodeName && isStaying(pod)))
  }

  #keepOne(node: string, pods: readonly SomePod[]): void {
    const running: SomePod[] = []
    for (const pod of pods.filter(isStaying)) {
      const { phase } = pod.status
      if (phase === 'Failed' || phase === 'Succeeded') this.#end(node, pod)
      else running.push(pod)
    }
    if (running.length <= 1) return
    if (this.#surge === 0) return void this.#delete.push(...running.slice(1))
    const fresh = running.filter((pod) => this.#isNew(pod))
    const old = running.filter((pod) => !this.#isNew(pod))
    this.#delete.push(...fresh.slice(1), ...old.slice(1))
    const [[newest], [oldest]] = [fresh, old]
    if (newest && oldest && (!isReady(oldest) || this.#isAvailable(newest))) this.#delete.push(oldest)
  }

  /** Replaces a finished pod; a failed one after its backoff. */
  #end(node: string, pod: SomePod): void {
    const pauseMs = pod.status.phase === 'Failed' ? this.#seen.pause(node) : 0
    if (pauseMs > 0) return this.#againBy(pauseMs)
    this.#over.push({ pod, node })
    this.#delete.push(pod)
  }

  roll(): void {
    if (this.#surge > 0) this.#rollWithSurge()
    else this.#rollInPlace()
  }

  #rollInPlace(): void {
    let unavailable = 0
    const replaced: SomePod[] = []
    const candidates: SomePod[] = []
    for (const pods of this.#byNode.values()) {
      const pair = this.#pair(pods)
      if (!pair || Boolean(pair.old) === Boolean(pair.fresh)) unavailable++
      else if (pair.fresh) unavailable += this.#isAvailable(pair.fresh) ? 0 : 1
      else if (pair.old) (this.#isAvailable(pair.old) ? candidates : replaced).push(pair.old)
    }
    this.#delete.push(...replaced, ...candidates.slice(0, Math.max(0, this.#unavailableMax - unavailable)))
  }

  #rollWithSurge(): void {
    let [surging, available] = [0, 0]
    const [always, candidates, leaving]: [string[], string[], SomePod[]] = [[], [], []]
    for (const [node, pods] of this.#byNode) {
      const pair = this.#pair(pods)
      if (!pair) {
        surging++
        continue
      }
      const { fresh, old } = pair
      const serving = old ?? fresh
      if (serving && this.#isAvailable(serving)) available++
      if (fresh && old) {
        if (this.#isAvailable(fresh)) this.#delete.push(old)
        else surging++
      } else if (old) {
        const { run } = this.#decisions.get(node) ?? { run: false }
        if (!this.#isAvailable(old)) {
          if (run) always.push(node)
          else this.#delete.push(old)
        } else if (run) candidates.push(node)
        else leaving.push(old)
      }
    }
    this.#create.push(...always, ...candidates.slice(0, Math.max(0, this.#surge - surging)))
    this.#delete.push(...leaving.slice(0, Math.max(0, available - this.#desired)))
  }

  /** The old and the new pod of a node; undefined where the node has any other pods. */
  #pair(pods: readonly SomePod[]): { readonly old?: SomePod; readonly fresh?: SomePod } | undefined {
    let [old, fresh]: [SomePod | undefined, SomePod | undefined] = [undefined, undefined]
    for (const pod of pods) {
      if (!isStaying(pod)) return undefined
      if (this.#isNew(pod)) {
        if (fresh) return undefined
        fresh = pod
      } else {
        if (old) return undefined
        old = pod
      }
    }
    return { old, fresh }
  }

  get #desired(): number {
    let count = 0
    for (const { run } of this.#decisions.values()) if (run) count++
    return count
  }

  get #surge(): number {
    const { type, rollingUpdate } = this.#seen.set.spec.updateStrategy
    if (type !== 'RollingUpdate') return 0
    return scaledIntOrPercent(rollingUpdate?.maxSurge ?? 0, this.#desired, 'up')
  }

  get #unavailableMax(): number {
    const most = this.#seen.set.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1
    const scaled = scaledIntOrPercent(most, this.#desired, 'up')
    return scaled === 0 && this.#desired > 0 ? 1 : scaled
  }

  #isNew(pod: SomePod): boolean {
    return isUpdated(this.#seen.set, pod, this.#seen.hash)
  }

  #isAvailable(pod: SomePod): boolean {
    return isAvailable(pod, this.#seen.set.spec.minReadySeconds ?? 0, this.#nowMs)
  }

  #againBy(afterMs: number | undefined): void {
    if (afterMs !== undefined) this.#againAfterMs = Math.min(afterMs, this.#againAfterMs ?? afterMs)
  }
}

function isStaying({ metadata }: SomePod): boolean {
  return metadata.deletionTimestamp === undefined
}
