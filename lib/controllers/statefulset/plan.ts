import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import { type Frozen, scaledIntOrPercent } from '../../object/index.ts'
import { isAvailable, isReady, nextAvailableMs } from '../workloads/podstate.ts'
import {
  claimsOf,
  correctedPod,
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

/** A template under the name of its revision. */
export interface NamedTemplate {
  readonly name: string
  readonly template: Frozen<PodTemplateSpec>
}

export interface Revisions {
  readonly current: NamedTemplate
  readonly update: NamedTemplate
}

export type Action =
  /** The claims that it lacks are made first. */
  | { readonly do: 'create'; readonly pod: SomePod; readonly claims: readonly SomeClaim[]; readonly going?: string }
  | { readonly do: 'delete'; readonly pod: SomePod }
  | { readonly do: 'update'; readonly pod: SomePod }
  | { readonly do: 'claim'; readonly pod: SomePod; readonly claims: readonly SomeClaim[] }
  /** Claims get the owners that the retention policy wants. */
  | { readonly do: 'retain'; readonly claims: readonly SomeClaim[] }
  /** The policy can't be followed. */
  | { readonly do: 'warn'; readonly claim: string }

export interface Plan {
  /** One after the other; the actions of a phase at once where the set is parallel. A failure ends it. */
  readonly phases: readonly (readonly Action[])[]
  readonly againAfterMs: number | undefined
}

/** Plans the changes of pods in this turn; an ordered set goes no further than the first pod that it must wait for. */
export function plan(seen: Observed, revisions: Revisions, nowMs: number): Plan {
  const againAfterMs = nextAvailableMs(seen.pods, seen.set.spec.minReadySeconds ?? 0, nowMs)
  if (seen.set.metadata.deletionTimestamp !== undefined) return { phases: [], againAfterMs }
  return { phases: new Walk(seen, revisions, nowMs).phases(), againAfterMs }
}

type Slot = { readonly pod: SomePod; readonly exists: boolean }

class Walk {
  readonly #seen: Observed
  readonly #revisions: Revisions
  readonly #nowMs: number
  readonly #ordered: boolean
  readonly #slots: readonly Slot[]
  /** Highest ordinal first. */
  readonly #condemned: readonly SomePod[]

  constructor(seen: Observed, revisions: Revisions, nowMs: number) {
    const { set, pods } = seen
    this.#seen = seen
    this.#revisions = revisions
    this.#nowMs = nowMs
    this.#ordered = set.spec.podManagementPolicy !== 'Parallel'
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
    this.#slots = Array.from({ length: replicasOf(set) }, (_, index) => {
      const ordinal = startOf(set) + index
      const pod = byOrdinal.get(ordinal)
      return pod ? { pod, exists: true } : { pod: this.#newPod(ordinal), exists: false }
    })
    this.#condemned = pods
      .filter((pod) => !isInRange(set, ordinalOf(pod)))
      .sort((left, right) => ordinalOf(right) - ordinalOf(left))
  }

  phases(): readonly (readonly Action[])[] {
    const replicas: Action[] = []
    for (const slot of this.#slots) {
      const goesOn = this.#replica(slot, replicas)
      if (!goesOn && this.#ordered) return [replicas]
    }
    const kept: Action[] = this.#condemned.flatMap((pod) => this.#retention(pod))
    const gone: Action[] = []
    for (const pod of this.#condemned) {
      const goesOn = this.#condemn(pod, gone)
      if (!goesOn && this.#ordered) return [replicas, kept, gone]
    }
    return [replicas, kept, gone, this.#update()]
  }

  /** Brings one pod on; false where an ordered set waits for it. */
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
    const going = existingClaims(this.#seen.set, pod, this.#seen.claims).find(
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
    )
    return { do: 'create', pod, claims, ...(going ? { going: going.metadata.name ?? '' } : {}) }
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

  #firstUnhealthy(): SomePod | undefined {
    const slot = this.#slots.find(({ pod, exists }) => !exists || !isHealthy(pod))
    return slot?.pod ?? [...this.#condemned].reverse().find((pod) => !isHealthy(pod))
  }

  /** Pods of another revision make room for new ones, from the highest to the partition. */
  #update(): Action[] {
    const { set } = this.#seen
    const { type, rollingUpdate } = set.spec.updateStrategy
    if (type === 'OnDelete') return []
    let budget = this.#disruptions()
    const several = budget !== undefined
    const actions: Action[] = []
    const least = rollingUpdate?.partition ?? 0
    for (let index = this.#slots.length - 1; index >= least; index--) {
      const slot = this.#slots[index]
      if (!slot) continue
      if (several && (budget ?? 0) <= 0) break
      const isOld = slot.pod.metadata.labels?.[revisionLabel] !== this.#revisions.update.name
      if (slot.exists && isOld && !isGoing(slot.pod)) {
        actions.push({ do: 'delete', pod: slot.pod })
        if (!several) return actions
        budget = (budget ?? 0) - 1
      } else if (!several && !(slot.exists && this.#isFine(slot.pod) && !isGoing(slot.pod))) return actions
    }
    return actions
  }

  /** How many more pods may be unavailable; undefined: one at a time, in order. */
  #disruptions(): number | undefined {
    const { set, severalUnavailable } = this.#seen
    const most = set.spec.updateStrategy.rollingUpdate?.maxUnavailable
    if (!severalUnavailable || most === undefined) return undefined
    const allowed = Math.max(1, scaledIntOrPercent(most, replicasOf(set), 'down'))
    const unavailable = this.#slots.filter(({ pod, exists }) => !exists || isGoing(pod) || !this.#isFine(pod)).length
    return Math.max(0, allowed - unavailable)
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

/** Below the partition pods stay what they were. */
function isCurrentNeeded(set: SomeSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy
  if (type !== 'RollingUpdate') return false
  const count = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status.currentReplicas ?? 0)
  return ordinal < startOf(set) + count
}

function isGoing({ metadata }: SomePod): boolean {
  return metadata.deletionTimestamp !== undefined
}

function isHealthy(pod: SomePod): boolean {
  return pod.status.phase === 'Running' && isReady(pod) && !isGoing(pod)
}
