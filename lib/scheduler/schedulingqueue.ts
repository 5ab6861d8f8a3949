import type { Clock } from '../base/index.ts'

/** A pod that waits for a node. */
interface Waiting {
  readonly key: string
  priority: number
  /** Since when it waits, for the order among equals. */
  readonly order: number
  /** When it came. */
  readonly sinceMs: number
  /** Failed attempts. */
  attempts: number
  /** The plugins that refused it last. */
  refused: PodRefusal | undefined
  place: 'active' | 'backoff' | 'unschedulable' | 'taken'
  /** End of the backoff. */
  readyMs: number
  /** When an unschedulable pod is tried again, whatever happens. */
  untilMs: number
  /** The state has changed since the attempt that is under way began. */
  isStale: boolean
}

/** The plugins that refused a pod, for metrics. */
export interface PodRefusal {
  readonly profile: string
  readonly plugins: ReadonlySet<string>
}

interface QueueOptions {
  /** Default 1 s. */
  readonly backoffFirstMs?: number
  /** Default 10 s. */
  readonly backoffMaxMs?: number
  /** A pod that nothing has changed for is tried again after this time. Default 5 minutes. */
  readonly unschedulableMsMax?: number
  /** Called for each entry of a pod into a queue. */
  readonly entered?: (event: string, queue: 'active' | 'backoff' | 'unschedulable') => void
}

/**
 * Pods that wait: important ones first, then those that wait longest. After a failed attempt a pod waits until the
 * cluster has changed, and for 1 to 10 seconds at least.
 */
export class SchedulingQueue {
  readonly #clock: Clock
  readonly #backoffFirstMs: number
  readonly #backoffMaxMs: number
  readonly #unschedulableMsMax: number
  readonly #entered: NonNullable<QueueOptions['entered']>
  readonly #all = new Map<string, Waiting>()
  readonly #active: Waiting[] = []
  /** Those in backoff, and unschedulable ones. */
  readonly #delayed = new Set<Waiting>()
  /** Those whose attempt is under way. */
  readonly #taken = new Set<Waiting>()
  #orders = 0
  #isSorted = true

  constructor(clock: Clock, options: QueueOptions = {}) {
    this.#clock = clock
    this.#backoffFirstMs = options.backoffFirstMs ?? 1000
    this.#backoffMaxMs = options.backoffMaxMs ?? 10_000
    this.#unschedulableMsMax = options.unschedulableMsMax ?? 5 * 60_000
    this.#entered = options.entered ?? (() => {})
  }

  get size(): number {
    return this.#all.size
  }

  /** Numbers of pods by queue; an attempt that is under way counts as active. */
  get sizes(): { active: number; backoff: number; unschedulable: number } {
    const sizes = { active: this.#active.length + this.#taken.size, backoff: 0, unschedulable: 0 }
    for (const { place } of this.#delayed) sizes[place === 'backoff' ? 'backoff' : 'unschedulable']++
    return sizes
  }

  /** The plugins that refused each pod which is unschedulable now. */
  *refusals(): Iterable<PodRefusal> {
    for (const { place, refused } of this.#delayed) if (place === 'unschedulable' && refused) yield refused
  }

  /** When the pod came, and its attempts so far; undefined: it is not waiting. */
  historyOf(key: string): { readonly sinceMs: number; readonly attempts: number } | undefined {
    return this.#all.get(key)
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  /** A pod that has come, or has changed so that another attempt makes sense. */
  add(key: string, priority: number, event = 'UnscheduledPodAdd'): void {
    const known = this.#all.get(key)
    if (known) {
      known.priority = priority
      known.isStale = true
      if (known.place === 'unschedulable' || known.place === 'backoff') {
        this.#activate(known)
        this.#entered(event, 'active')
      }
      return
    }
    const waiting: Waiting = {
      key,
      priority,
      order: this.#orders++,
      sinceMs: this.#clock.monotonicMs(),
      attempts: 0,
      refused: undefined,
      place: 'taken',
      readyMs: 0,
      untilMs: 0,
      isStale: false,
    }
    this.#all.set(key, waiting)
    this.#activate(waiting)
    this.#entered(event, 'active')
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
  failed(key: string, { isRetried = false, refused }: { isRetried?: boolean; refused?: PodRefusal } = {}): void {
    const known = this.#all.get(key)
    if (!known) return
    known.attempts++
    known.readyMs = this.#clock.monotonicMs() + this.#backoffMs(known.attempts)
    known.place = isRetried || known.isStale ? 'backoff' : 'unschedulable'
    known.refused = refused
    this.#entered('ScheduleAttemptFailure', known.place)
    known.untilMs = this.#clock.monotonicMs() + this.#unschedulableMsMax
    this.#taken.delete(known)
    this.#delayed.add(known)
  }

  /** Something has changed that may make room: all pods get another attempt. */
  changed(event: string): void {
    for (const each of this.#taken) each.isStale = true
    for (const each of this.#delayed) {
      if (each.place === 'backoff') continue
      each.place = 'backoff'
      this.#entered(event, 'backoff')
    }
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
    for (const each of this.#delayed) {
      if (dueMs(each) > nowMs) continue
      this.#entered(each.place === 'backoff' ? 'BackoffComplete' : 'UnschedulableTimeout', 'active')
      this.#activate(each)
    }
  }

  #backoffMs(attempts: number): number {
    return Math.min(this.#backoffMaxMs, this.#backoffFirstMs * 2 ** (attempts - 1))
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
