import type { Clock } from '../base/index.ts'

/** A pod that waits for a node. */
interface Waiting {
  readonly key: string
  priority: number
  /** Since when it waits, for the order among equals. */
  readonly order: number
  /** Failed attempts. */
  attempts: number
  place: 'active' | 'backoff' | 'unschedulable' | 'taken'
  /** End of the backoff. */
  readyMs: number
  /** When an unschedulable pod is tried again, whatever happens. */
  untilMs: number
  /** The state has changed since the attempt that is under way began. */
  isStale: boolean
}

const backoffFirstMs = 1000
const backoffMaxMs = 10_000
/** A pod that nothing has changed for is tried again after this time. */
const unschedulableMsMax = 5 * 60_000

/**
 * Pods that wait: important ones first, then those that wait longest. After a failed attempt a pod waits until the
 * cluster has changed, and for 1 to 10 seconds at least.
 */
export class SchedulingQueue {
  readonly #clock: Clock
  readonly #all = new Map<string, Waiting>()
  readonly #active: Waiting[] = []
  /** Those in backoff, and unschedulable ones. */
  readonly #delayed = new Set<Waiting>()
  /** Those whose attempt is under way. */
  readonly #taken = new Set<Waiting>()
  #orders = 0
  #isSorted = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#all.size
  }

  get activeSize(): number {
    return this.#active.length
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  /** A pod that has come, or has changed so that another attempt makes sense. */
  add(key: string, priority: number): void {
    const known = this.#all.get(key)
    if (known) {
      known.priority = priority
      known.isStale = true
      if (known.place === 'unschedulable' || known.place === 'backoff') this.#activate(known)
      return
    }
    const waiting: Waiting = {
      key,
      priority,
      order: this.#orders++,
      attempts: 0,
      place: 'taken',
      readyMs: 0,
      untilMs: 0,
      isStale: false,
    }
    this.#all.set(key, waiting)
    this.#activate(waiting)
  }

  remove(key: string): void {
    const known = this.#all.get(key)
    if (!known) return
    this.#all.delete(key)
    this.#delayed.delete(known)
    this.#taken.delete(known)
    const index = known.place === 'active' ? this.#active.indexOf(known) : -1
    if (index >= 0) this.#active.splice(index, 1)
  }

  /** The next pod, whose attempt begins. */
  take(): string | undefined {
    this.#promote()
    if (!this.#isSorted) {
      // The last one is taken first.
      this.#active.sort((left, right) => left.priority - right.priority || right.order - left.order)
      this.#isSorted = true
    }
    const next = this.#active.pop()
    if (!next) return undefined
    next.place = 'taken'
    this.#taken.add(next)
    next.isStale = false
    return next.key
  }

  /** The attempt has failed. `isRetried`: another one makes sense without any change. */
  failed(key: string, isRetried = false): void {
    const known = this.#all.get(key)
    if (!known) return
    known.attempts++
    known.readyMs = this.#clock.monotonicMs() + Math.min(backoffMaxMs, backoffFirstMs * 2 ** (known.attempts - 1))
    known.place = isRetried || known.isStale ? 'backoff' : 'unschedulable'
    known.untilMs = this.#clock.monotonicMs() + unschedulableMsMax
    this.#taken.delete(known)
    this.#delayed.add(known)
  }

  /** Something has changed that may make room: all pods get another attempt. */
  changed(): void {
    for (const each of this.#taken) each.isStale = true
    for (const each of this.#delayed) each.place = 'backoff'
  }

  /** Milliseconds until a pod can be taken; undefined: none will. */
  nextMs(): number | undefined {
    if (this.#active.length > 0) return 0
    const nowMs = this.#clock.monotonicMs()
    let next: number | undefined
    for (const each of this.#delayed) {
      const leftMs = Math.max(0, dueMs(each) - nowMs)
      if (next === undefined || leftMs < next) next = leftMs
    }
    return next
  }

  #promote(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const each of this.#delayed) if (dueMs(each) <= nowMs) this.#activate(each)
  }

  #activate(waiting: Waiting): void {
    waiting.place = 'active'
    this.#delayed.delete(waiting)
    this.#active.push(waiting)
    this.#isSorted = false
  }
}

function dueMs({ place, readyMs, untilMs }: Waiting): number {
  return place === 'backoff' ? readyMs : untilMs
}
