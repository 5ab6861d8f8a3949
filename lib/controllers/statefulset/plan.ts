import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import { type Frozen, scaledIntOrPercent } from '../../object/index.ts'
import { isAvailable, isReady, nextAvailableMs } from '../shared/podstate.ts'
import {
  claimsOf,
  correctedPod,
  endOf,
  isInRange,
  ordinalOf,
  podOf,
  replicasOf,
  revisionLabel,
  type SomeClaim,
  type SomePod,
  type SomeSet,
  startOf,
} from './identity.ts'
import { existingClaims, hasRetention, isStale, retained } from './retention.ts'

export interface Observed {
  readonly set: SomeSet
  readonly pods: readonly SomePod[]
  readonly claims: Lister<SomeClaim>
  /** The gate MaxUnavailableStatefulSet. */
  readonly severalUnavailable: boolean
}

/** A template and the name of its revision. */
export interface NamedTemplate {
  readonly name: string
  readonly template: Frozen<PodTemplateSpec>
}

export interface Revisions {
  readonly current: NamedTemplate
  readonly update: NamedTemplate
}

export type Action =
  /** Its missing claims are created first. */
  | {
      readonly do: 'create'
      readonly pod: SomePod
      readonly claims: readonly SomeClaim[]
      readonly terminating?: string
    }
  | { readonly do: 'delete'; readonly pod: SomePod }
  | { readonly do: 'update'; readonly pod: SomePod }
  | { readonly do: 'claim'; readonly pod: SomePod; readonly claims: readonly SomeClaim[] }
  /** Sets the owners of claims by the retention policy. */
  | { readonly do: 'retain'; readonly claims: readonly SomeClaim[] }
  /** The policy can't be applied. */
  | { readonly do: 'warn'; readonly claim: string }

export interface Plan {
  /** Performed one after the other; in a parallel set the actions of a phase at once. A failure ends the turn. */
  readonly phases: readonly (readonly Action[])[]
  readonly againAfterMs: number | undefined
}

/** Maximum number of actions in a phase of a parallel set; the rest follows in the next turn. */
const burst = 500
/** The next turn waits until the informers show the writes of this one. */
const nextBurstMs = 1

/**
 * Plans the changes of pods in this turn. An ordered set stops at the first pod that it must wait for, a parallel one
 * after a burst: neither visits more than the existing pods and claims and one burst of missing ones, however many
 * replicas are wanted.
 */
export function plan(seen: Observed, revisions: Revisions, nowMs: number): Plan {
  const againAfterMs = nextAvailableMs(seen.pods, seen.set.spec.minReadySeconds ?? 0, nowMs)
  if (seen.set.metadata.deletionTimestamp !== undefined) return { phases: [], againAfterMs }
  const walk = new Walk(seen, revisions, nowMs)
  const phases = walk.phases()
  return { phases, againAfterMs: walk.isCut ? nextBurstMs : againAfterMs }
}

interface Member {
  readonly ordinal: number
  readonly pod: SomePod
}

interface Slot {
  readonly pod: SomePod
  readonly exists: boolean
}

class Walk {
  readonly #seen: Observed
  readonly #revisions: Revisions
  readonly #nowMs: number
  readonly #ordered: boolean
  /** Existing pods in range, lowest ordinal first. */
  readonly #present: readonly Member[]
  /** Pods out of range, highest ordinal first. */
  readonly #condemned: readonly SomePod[]
  #isCut = false

  constructor(seen: Observed, revisions: Revisions, nowMs: number) {
    const { set, pods } = seen
    this.#seen = seen
    this.#revisions = revisions
    this.#nowMs = nowMs
    this.#ordered = set.spec.podManagementPolicy !== 'Parallel'
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
    this.#present = Array.from(byOrdinal, ([ordinal, pod]) => ({ ordinal, pod }))
      .filter(({ ordinal }) => isInRange(set, ordinal))
      .sort((left, right) => left.ordinal - right.ordinal)
    this.#condemned = pods
      .filter((pod) => !isInRange(set, ordinalOf(pod)))
      .sort((left, right) => ordinalOf(right) - ordinalOf(left))
  }

  /** The turn has reached the limit of a burst. */
  get isCut(): boolean {
    return this.#isCut
  }

  phases(): readonly (readonly Action[])[] {
    const replicas: Action[] = []
    let work = 0
    for (const slot of this.#slots()) {
      this.#isCut = !this.#ordered && work >= burst
      if (this.#isCut) break
      const before = replicas.length
      const goesOn = this.#replica(slot, replicas)
      work += replicas.slice(before).filter(isWork).length
      if (!goesOn && this.#ordered) return [replicas]
    }
    const kept: Action[] = this.#condemned.flatMap((pod) => this.#retention(pod))
    const gone: Action[] = []
    for (const pod of this.#condemned) {
      const goesOn = this.#condemn(pod, gone)
      if (!goesOn && this.#ordered) return [replicas, kept, gone]
    }
    return [replicas, kept, gone, this.#update()].map((actions) => this.#bounded(actions))
  }

  #bounded(actions: readonly Action[]): readonly Action[] {
    if (this.#ordered) return actions
    let work = 0
    const bounded = actions.filter((action) => !isWork(action) || work++ < burst)
    if (bounded.length < actions.length) this.#isCut = true
    return bounded
  }

  /** Yields the set's ordinals in order with their pods, existing or to be created. */
  *#slots(): Generator<Slot, void> {
    const present = this.#present.values()
    let { value: next } = present.next()
    const end = endOf(this.#seen.set)
    for (let ordinal = startOf(this.#seen.set); ordinal < end; ordinal++) {
      if (next?.ordinal === ordinal) {
        yield { pod: next.pod, exists: true }
        next = present.next().value
      } else yield { pod: this.#newPod(ordinal), exists: false }
    }
  }

  /** Plans the next action on one pod; false where an ordered set waits for it. */
  #replica({ pod, exists }: Slot, actions: Action[]): boolean {
    const { set } = this.#seen
    const { phase } = pod.status
    if (exists && (phase === 'Failed' || phase === 'Succeeded')) {
      if (!isGoing(pod)) actions.push({ do: 'delete', pod })
      return false
    }
    if (!exists) {
      if (existingClaims(set, pod, this.#seen.claims).some((claim) => isStale(pod, claim))) return false
      actions.push(this.#creation(pod))
      return false
    }
    if (phase === 'Pending' || phase === undefined) {
      const claims = this.#missingClaims(pod)
      if (claims.length > 0) actions.push({ do: 'claim', pod, claims })
    }
    if (this.#ordered && (isGoing(pod) || !isAvailable(pod, this.#minReady, this.#nowMs) || phase !== 'Running'))
      return false
    const corrected = correctedPod(set, pod)
    if (corrected) actions.push({ do: 'update', pod: corrected })
    actions.push(...this.#retention(pod))
    return true
  }

  #creation(pod: SomePod): Action {
    const claims = this.#missingClaims(pod)
    const terminating = existingClaims(this.#seen.set, pod, this.#seen.claims).find(
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
    )
    return { do: 'create', pod, claims, terminating: terminating && (terminating.metadata.name ?? '') }
  }

  #missingClaims(pod: SomePod): readonly SomeClaim[] {
    const { set, claims } = this.#seen
    const namespace = set.metadata.namespace ?? ''
    return claimsOf(set, ordinalOf(pod)).filter(
      ({ metadata }) => claims.get(`${namespace}/${metadata.name ?? ''}`) === undefined,
    )
  }

  #retention(pod: SomePod): Action[] {
    const { set, claims } = this.#seen
    if (!hasRetention(set)) return []
    const actions: Action[] = []
    const changed: SomeClaim[] = []
    for (const claim of existingClaims(set, pod, claims)) {
      const after = retained(set, pod, claim)
      if (after === 'foreign') actions.push({ do: 'warn', claim: claim.metadata.name ?? '' })
      else if (after) changed.push(after)
    }
    return changed.length === 0 ? actions : [...actions, { do: 'retain', claims: changed }]
  }

  /** False where an ordered set waits. */
  #condemn(pod: SomePod, actions: Action[]): boolean {
    if (isGoing(pod)) return false
    if (this.#ordered && !this.#isFine(pod) && pod !== this.#firstUnhealthy()) return false
    actions.push({ do: 'delete', pod })
    return false
  }

  get #missing(): number {
    return endOf(this.#seen.set) - startOf(this.#seen.set) - this.#present.length
  }

  /** The first unhealthy condemned pod, if all pods in range exist and are healthy. */
  #firstUnhealthy(): SomePod | undefined {
    if (this.#missing > 0 || this.#present.some(({ pod }) => !isHealthy(pod))) return undefined
    return this.#condemned.findLast((pod) => !isHealthy(pod))
  }

  /** Deletes pods of other revisions, from the highest ordinal down to the partition. */
  #update(): Action[] {
    const { set } = this.#seen
    const { type, rollingUpdate } = set.spec.updateStrategy
    if (type === 'OnDelete') return []
    const least = startOf(set) + (rollingUpdate?.partition ?? 0)
    const candidates = this.#present.filter(({ ordinal }) => ordinal >= least).reverse()
    const budget = this.#disruptions()
    return budget === undefined ? this.#updateOne(candidates) : this.#updateSeveral(candidates, budget)
  }

  /** The first old pod, once all pods above it exist and are healthy. */
  #updateOne(candidates: readonly Member[]): Action[] {
    let expected = endOf(this.#seen.set) - 1
    for (const { ordinal, pod } of candidates) {
      if (ordinal !== expected--) return []
      if (this.#isOld(pod) && !isGoing(pod)) return [{ do: 'delete', pod }]
      if (!this.#isFine(pod) || isGoing(pod)) return []
    }
    return []
  }

  #updateSeveral(candidates: readonly Member[], budget: number): Action[] {
    const old = candidates.filter(({ pod }) => this.#isOld(pod) && !isGoing(pod))
    return old.slice(0, budget).map(({ pod }) => ({ do: 'delete', pod }))
  }

  #isOld({ metadata }: SomePod): boolean {
    return metadata.labels?.[revisionLabel] !== this.#revisions.update.name
  }

  /** The number of further pods that may be unavailable; undefined: one at a time, in order. */
  #disruptions(): number | undefined {
    const { set, severalUnavailable } = this.#seen
    const most = set.spec.updateStrategy.rollingUpdate?.maxUnavailable
    if (!severalUnavailable || most === undefined) return undefined
    const allowed = Math.max(1, scaledIntOrPercent(most, replicasOf(set), 'down'))
    const unavailable = this.#present.filter(({ pod }) => isGoing(pod) || !this.#isFine(pod)).length
    return Math.max(0, allowed - unavailable - this.#missing)
  }

  #isFine(pod: SomePod): boolean {
    return pod.status.phase === 'Running' && isAvailable(pod, this.#minReady, this.#nowMs)
  }

  get #minReady(): number {
    return this.#seen.set.spec.minReadySeconds ?? 0
  }

  #newPod(ordinal: number): SomePod {
    const { set } = this.#seen
    const { current, update } = this.#revisions
    return podOf(set, ordinal, isCurrentNeeded(set, ordinal) ? current : update)
  }
}

/** Pods below the partition keep the current revision. */
function isCurrentNeeded(set: SomeSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy
  if (type !== 'RollingUpdate') return false
  const count = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status.currentReplicas ?? 0)
  return ordinal < startOf(set) + count
}

/** False for warnings, which every turn repeats. */
function isWork(action: Action): boolean {
  return action.do !== 'warn'
}

function isGoing({ metadata }: SomePod): boolean {
  return metadata.deletionTimestamp !== undefined
}

function isHealthy(pod: SomePod): boolean {
  return pod.status.phase === 'Running' && isReady(pod) && !isGoing(pod)
}
