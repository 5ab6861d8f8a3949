import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../../lib/base/index.ts'
import { controllerOf, keyOf, nameOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'
import type { Network } from './network.ts'
import type { Truth, Write } from './truth.ts'

/** The longest that an informer lags behind. */
const lagMsMax = 30_000
const podsType = resources.core.v1.pods

/** A pod that ceased to be of use, until the write at `revision` shows it. */
interface Lost {
  readonly pod: Frozen<Pod>
  readonly revision: number
  readonly deletedBy: string | undefined
}

/**
 * What a manager may know: its informers lag behind, and it takes some time from what it sees to what it does. A
 * controller is right if what it does is right for a state that it may still see.
 */
export class View {
  readonly truth: Truth
  /** How long a turn may take from what it sees to its last write. */
  turnMs = 0
  networks: readonly Network[] = []
  readonly #clock: Clock
  #inactive: Lost[] = []
  #unready: Lost[] = []

  constructor(truth: Truth, clock: Clock) {
    this.truth = truth
    this.#clock = clock
  }

  clear(): void {
    this.#inactive = []
    this.#unready = []
    this.networks = []
  }

  /** Managers that may write at this time, and those whose last writes such a one may not have seen. */
  get leaders(): number {
    const writing = this.networks.filter(({ mayWrite }) => mayWrite)
    const isOne = (network: Network): boolean =>
      network.mayWrite || writing.some((other) => network.overlapped(other, lagMsMax + this.turnMs))
    return this.networks.filter(isOne).length
  }

  /** True: some manager may still act on the state before that write. */
  mayPrecede(resource: string, revision: number): boolean {
    const atMs = this.#clock.monotonicMs() - this.turnMs
    return this.networks.some((network) => network.mayWrite && network.shownAt(resource, atMs) < revision)
  }

  /** The states of an object that a manager may act on, the newest last. */
  versions<T extends ApiObject>(type: ResourceType<T>, uid: string): readonly Frozen<T>[] {
    const resource = nameOf(type)
    const past = this.truth.past(uid).filter(({ revision }) => this.mayPrecede(resource, revision))
    const now = this.truth.byUid(uid)
    return [...past.map(({ object }) => object), ...(now ? [now] : [])] as Frozen<T>[]
  }

  note({ resource, before, after, revision }: Write, deletedBy: string | undefined): void {
    if (resource !== nameOf(podsType) || !before) return
    const was = before as Frozen<Pod>
    const is = after as Frozen<Pod> | undefined
    if (isActive(was) && !(is && isActive(is))) this.#inactive.push({ pod: was, revision, deletedBy })
    if (isReady(was) && !(is && isReady(is))) this.#unready.push({ pod: was, revision, deletedBy })
  }

  pods(uid: string): Frozen<Pod>[] {
    return this.truth.all(podsType).filter((pod) => controllerOf(pod)?.uid === uid)
  }

  /** Pods that are active no more, which a manager may still count on. */
  *seenActive(): Iterable<Lost> {
    for (const lost of this.#inactive) if (this.mayPrecede(nameOf(podsType), lost.revision)) yield lost
  }

  *seenReady(): Iterable<Lost> {
    for (const lost of this.#unready) if (this.mayPrecede(nameOf(podsType), lost.revision)) yield lost
  }

  /** The pod of that key is ready, or may still be taken for it. */
  maySeeReady(key: string): boolean {
    const pod = this.truth.get(podsType, key)
    if (pod && isReady(pod)) return true
    return Array.from(this.seenReady()).some((lost) => keyOf(lost.pod) === key)
  }
}

export function isActive({ metadata, status }: Frozen<Pod>): boolean {
  return metadata.deletionTimestamp === undefined && !isTerminal(status.phase)
}

export function isTerminal(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

export function isReady(pod: Frozen<Pod>): boolean {
  const conditions = pod.status.conditions ?? []
  return isActive(pod) && conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}
