import { assert, type Clock, UnorderedSet, type UnorderedSetItem } from '../base/index.ts'
import { SeatDemand } from './seatdemand.ts'
import type { Width } from './width.ts'

/** Why a request was refused, as metrics name it. */
export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled'

export interface QueueSettings {
  /** 0: requests don't wait; one that finds no seat is refused. */
  readonly queues: number
  readonly handSize: number
  readonly queueLengthLimit: number
}

/** Requests of a flow go to the queues of one hand. */
export interface Flow {
  readonly schema: string
  readonly distinguisher: string
  /** Indexes of its queues, as many as the hand size; empty for a level without queues. */
  readonly hand: readonly number[]
}

/** Receives the events of a set, for metrics. */
interface QueueSetObserver {
  enqueued(request: QueuedRequest, lengthAfter: number): void
  dispatched(request: QueuedRequest): void
  refused(request: QueuedRequest, why: Refusal): void
  /** The set's seats or requests have changed. */
  sampled(nowMs: number): void
  /** The next request needs more seats than are free. */
  noAccommodation(request: QueuedRequest): void
}

/** Estimated execution time of a request. */
const estimatedSeconds = 0.003
const noQueue = -1

/** A request in a set. */
export class QueuedRequest implements UnorderedSetItem {
  readonly flow: Flow
  readonly width: Width
  readonly arrivedMs: number
  /** The request, for debug pages. */
  readonly subject: unknown
  /** Maximum number of seats that it takes at one time. */
  readonly seatsMax: number
  /** Seat-seconds. */
  readonly work: number
  state: 'waiting' | 'executing' | 'over' = 'waiting'
  startedMs = 0
  /** Virtual time of its arrival. */
  arrivalR = 0
  queue = noQueue
  /** Set by the set of executing requests. */
  place = -1
  /** Called once, when it gets its seats or is refused. */
  onDecided: ((refusal: Refusal | undefined) => void) | undefined = undefined

  constructor(flow: Flow, width: Width, arrivedMs: number, subject: unknown) {
    this.flow = flow
    this.width = width
    this.arrivedMs = arrivedMs
    this.subject = subject
    this.seatsMax = Math.max(width.initialSeats, width.finalSeats)
    this.work = width.initialSeats * estimatedSeconds + (width.finalSeats * width.extraLatencyMs) / 1000
  }
}

/** A queue exists while requests wait in it or execute from it: an idle one has no state. */
interface Queue {
  readonly index: number
  readonly waiting: QueuedRequest[]
  executing: number
  seatsInUse: number
  /** Virtual time at which its next request would start if every queue were served alone. */
  nextDispatchR: number
  /** Seat-seconds of the waiting requests. */
  waitingWork: number
}

/**
 * The requests of one priority level: fair queuing of requests that take several seats, by virtual time. R, the virtual
 * time, advances at the rate at which each active queue is served (seats for each queue). A queue with much work has
 * its next start late in virtual time, and a queue with little work starts now: so a mouse does not wait for an
 * elephant. Invariants: seatsInUse is the sum of seatsMax over the executing requests; while requests wait, either too
 * few seats are free for the next one, or it is being dispatched.
 */
export class QueueSet {
  readonly #clock: Clock
  readonly #observer: QueueSetObserver
  readonly demand: SeatDemand
  readonly #executing = new UnorderedSet<QueuedRequest>()
  /** By index. Only the active ones, so that a level with many queues costs no more than its requests. */
  readonly #queues = new Map<number, Queue>()
  #settings: QueueSettings = { queues: 0, handSize: 0, queueLengthLimit: 0 }
  #exempt = false
  #seats = 0
  #seatsInUse = 0
  #seatsWaiting = 0
  #waiting = 0
  #enqueues = 0
  #robin = 0
  #currentR = 0
  #advancedMs: number

  constructor(clock: Clock, observer: QueueSetObserver) {
    this.#clock = clock
    this.#observer = observer
    this.#advancedMs = clock.monotonicMs()
    this.demand = new SeatDemand(this.#advancedMs)
  }

  get seats(): number {
    return this.#seats
  }
  get seatsInUse(): number {
    return this.#seatsInUse
  }
  get seatsWaiting(): number {
    return this.#seatsWaiting
  }
  get waiting(): number {
    return this.#waiting
  }
  get executingCount(): number {
    return this.#executing.size
  }
  get activeQueues(): number {
    return this.#queues.size
  }
  get currentR(): number {
    return this.#currentR
  }
  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing.size === 0
  }
  /** Requests that have seats, including those whose clients have been answered. */
  executing(): Iterable<QueuedRequest> {
    return this.#executing.values()
  }
  *queued(): Generator<QueuedRequest> {
    for (const queue of this.#queues.values()) yield* queue.waiting
  }
  /** Undefined while no request waits in it or executes from it. */
  queue(index: number): Readonly<Queue> | undefined {
    return this.#queues.get(index)
  }

  /** When there are fewer queues than before, surplus ones are served until they are empty and take no new requests. */
  configure(settings: QueueSettings, exempt: boolean): void {
    this.#settings = settings
    this.#exempt = exempt
  }

  setSeats(seats: number): void {
    this.#advance(this.#clock.monotonicMs())
    this.#seats = seats
    this.#dispatchAll()
  }

  /** Executes, queues or refuses the request; returns the reason of a refusal. */
  start(request: QueuedRequest): Refusal | undefined {
    this.#advance(request.arrivedMs)
    if (this.#exempt) return this.#execute(request)
    if (this.#settings.queues === 0) {
      if (!this.#accommodates(request)) return this.#refuse(request, 'concurrency-limit')
      return this.#execute(request)
    }
    const at = this.#chooseQueue(request.flow.hand)
    const length = this.#queues.get(at)?.waiting.length ?? 0
    if (this.#seatsInUse >= this.#seats && length >= this.#settings.queueLengthLimit)
      return this.#refuse(request, 'queue-full')
    this.#enqueue(request, at)
    this.#dispatchAll()
    return undefined
  }

  /** Removes a waiting request: its maximum wait is over, or its client has gone. No effect on others. */
  giveUp(request: QueuedRequest, why: 'time-out' | 'cancelled'): void {
    const queue = this.#queues.get(request.queue)
    if (request.state !== 'waiting' || queue === undefined) return
    this.#advance(this.#clock.monotonicMs())
    const at = queue.waiting.indexOf(request)
    assert(at >= 0, 'a waiting request is in its queue')
    queue.waiting.splice(at, 1)
    this.#leaveQueue(request, queue)
    this.#dropIfIdle(queue)
    request.state = 'over'
    this.#sample()
    this.#observer.refused(request, why)
    request.onDecided?.(why)
    // It may have blocked requests for fewer seats.
    this.#dispatchAll()
  }

  /** Its handler is done: releases its seats at once, or after the extra latency of its width. */
  finish(request: QueuedRequest, nowMs = this.#clock.monotonicMs()): void {
    if (request.state !== 'executing') return
    const { extraLatencyMs } = request.width
    if (extraLatencyMs > 0) this.#clock.after(extraLatencyMs, () => this.#release(request, this.#clock.monotonicMs()))
    else this.#release(request, nowMs)
  }

  #release(request: QueuedRequest, nowMs: number): void {
    this.#advance(nowMs)
    request.state = 'over'
    this.#executing.delete(request)
    this.#seatsInUse -= request.seatsMax
    const queue = this.#queues.get(request.queue)
    if (queue !== undefined) {
      queue.executing--
      queue.seatsInUse -= request.seatsMax
      const actualSeconds = (nowMs - request.startedMs - request.width.extraLatencyMs) / 1000
      queue.nextDispatchR -= request.width.initialSeats * (estimatedSeconds - actualSeconds)
      this.#dropIfIdle(queue)
    }
    this.#sample()
    this.#dispatchAll()
  }

  #execute(request: QueuedRequest): undefined {
    request.state = 'executing'
    request.startedMs = this.#advancedMs
    this.#executing.add(request)
    this.#seatsInUse += request.seatsMax
    this.#sample()
    this.#observer.dispatched(request)
    request.onDecided?.(undefined)
  }

  #refuse(request: QueuedRequest, why: Refusal): Refusal {
    request.state = 'over'
    this.#observer.refused(request, why)
    return why
  }

  /** A request for more than all seats executes alone. */
  #accommodates({ seatsMax }: QueuedRequest): boolean {
    if (seatsMax > this.#seats) return this.#executing.size === 0
    return this.#seatsInUse + seatsMax <= this.#seats
  }

  /** The queue of the hand with the least work; ties go to a different one each time. */
  #chooseQueue(hand: readonly number[]): number {
    const offset = this.#enqueues++
    let chosen = noQueue
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < hand.length; at++) {
      const index = hand[(offset + at) % hand.length] ?? noQueue
      const work = this.#queues.get(index)?.waitingWork ?? 0
      if (work < least) {
        least = work
        chosen = index
      }
    }
    return chosen
  }

  #enqueue(request: QueuedRequest, at: number): void {
    let queue = this.#queues.get(at)
    if (queue === undefined) {
      queue = { index: at, waiting: [], executing: 0, seatsInUse: 0, nextDispatchR: this.#currentR, waitingWork: 0 }
      this.#queues.set(at, queue)
    }
    request.queue = at
    request.arrivalR = this.#currentR
    queue.waiting.push(request)
    queue.waitingWork += request.work
    this.#waiting++
    this.#seatsWaiting += request.seatsMax
    this.#sample()
    this.#observer.enqueued(request, queue.waiting.length)
  }

  #leaveQueue(request: QueuedRequest, queue: Queue): void {
    // Rounding must not leave work in an empty queue.
    queue.waitingWork = queue.waiting.length === 0 ? 0 : queue.waitingWork - request.work
    this.#waiting--
    this.#seatsWaiting -= request.seatsMax
  }

  #dropIfIdle(queue: Queue): void {
    if (queue.waiting.length === 0 && queue.executing === 0) this.#queues.delete(queue.index)
  }

  #dispatchAll(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#seats) if (!this.#dispatchNext()) return
  }

  /** Dispatches the next request; false when too few seats are free. */
  #dispatchNext(): boolean {
    const queue = this.#nextQueue()
    const request = queue?.waiting[0]
    if (queue === undefined || request === undefined) return false
    if (!this.#accommodates(request)) {
      this.#observer.noAccommodation(request)
      return false
    }
    this.#robin = queue.index
    queue.waiting.shift()
    this.#leaveQueue(request, queue)
    // A queue earns no credit for the time before its request arrived.
    if (request.arrivalR > queue.nextDispatchR) queue.nextDispatchR = request.arrivalR
    queue.nextDispatchR += request.work
    queue.executing++
    queue.seatsInUse += request.seatsMax
    this.#execute(request)
    return true
  }

  /** The queue whose next request would finish first in virtual time; ties take turns in the order of their indexes. */
  #nextQueue(): Queue | undefined {
    let chosen: Queue | undefined
    let earliest = Number.POSITIVE_INFINITY
    for (const queue of this.#queues.values()) {
      const head = queue.waiting[0]
      if (head === undefined) continue
      const finishR = queue.nextDispatchR + head.work
      if (finishR > earliest) continue
      if (finishR === earliest && chosen !== undefined && this.#turnOf(queue) > this.#turnOf(chosen)) continue
      earliest = finishR
      chosen = queue
    }
    return chosen
  }

  /** Queues after the one that was served last come first. */
  #turnOf({ index }: Queue): number {
    return index > this.#robin ? index - this.#robin : index - this.#robin + Number.MAX_SAFE_INTEGER / 2
  }

  /** Advances virtual time. It restarts at 0 whenever all queues are idle, so that it stays precise. */
  #advance(nowMs: number): void {
    const seconds = (nowMs - this.#advancedMs) / 1000
    this.#advancedMs = nowMs
    if (this.#queues.size === 0) {
      this.#currentR = 0
      return
    }
    const rate = Math.min(this.#seatsInUse + this.#seatsWaiting, this.#seats) / this.#queues.size
    this.#currentR += rate * seconds
  }

  #sample(): void {
    this.demand.set(this.#seatsInUse + this.#seatsWaiting, this.#advancedMs)
    this.#observer.sampled(this.#advancedMs)
  }
}
