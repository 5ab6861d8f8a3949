import { assert } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { CacheOptions } from '../options.ts'
import type { CacheEvent } from './cacheevent.ts'

type HistoryOptions = Pick<CacheOptions, 'historyEventsMin' | 'historyEventsMax' | 'historyFreshMs' | 'historyBytesMax'>

/**
 * The recent changes of one resource; the oldest are dropped first. Every change has a sequence number, its position
 * since the start. History is complete after the revision `floor`: with a floor of 7 and changes at 9 and 12, a watch
 * may resume after 7, 8 or any later revision, but not after 6, as a change at 7 may have been dropped.
 */
export class History {
  readonly #options: HistoryOptions
  readonly #resized: (direction: 'increase' | 'decrease', capacity: number) => void
  #slots: (CacheEvent | undefined)[]
  #first = 0
  #next = 0
  #bytes = 0
  #floor: Revision

  constructor(
    floor: Revision,
    options: HistoryOptions,
    resized: (direction: 'increase' | 'decrease', capacity: number) => void = () => {},
  ) {
    this.#floor = floor
    this.#options = options
    this.#resized = resized
    this.#slots = emptySlots(options.historyEventsMin)
  }

  get floor(): Revision {
    return this.#floor
  }

  /** Sequence of the oldest kept change. */
  get first(): number {
    return this.#first
  }

  /** Sequence of the next change to be added. */
  get next(): number {
    return this.#next
  }

  get capacity(): number {
    return this.#slots.length
  }

  get bytes(): number {
    return this.#bytes
  }

  at(sequence: number): CacheEvent {
    const change = this.#slots[sequence % this.#slots.length]
    assert(sequence >= this.#first && sequence < this.#next && change, 'history: no such change')
    return change
  }

  /** Revision of the newest change, or the floor. */
  get last(): Revision {
    return this.#next > this.#first ? this.at(this.#next - 1).revision : this.#floor
  }

  append(change: CacheEvent): void {
    assert(change.revision >= this.last, 'history: revisions ascend')
    this.expire(change.atMs)
    if (this.#next - this.#first === this.#slots.length) this.#grow()
    this.#slots[this.#next % this.#slots.length] = change
    this.#next++
    this.#bytes += change.weightBytes
    while (this.#bytes > this.#options.historyBytesMax && this.#next - this.#first > 1) this.#drop()
  }

  /** Drops changes that are beyond the minimum and no longer fresh, and frees memory. */
  expire(nowMs: number): void {
    const staleMs = nowMs - this.#options.historyFreshMs
    while (this.#next - this.#first > this.#options.historyEventsMin && this.at(this.#first).atMs < staleMs)
      this.#drop()
    const half = this.#slots.length >>> 1
    if (half >= this.#options.historyEventsMin && this.#next - this.#first <= half >>> 1) this.#resize(half, 'decrease')
  }

  /** Sequence of the first change after `revision`; undefined when changes after it have been dropped. */
  after(revision: Revision): number | undefined {
    if (revision < this.#floor) return undefined
    let low = this.#first
    let high = this.#next
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.at(middle).revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Drops all changes. */
  clear(): void {
    while (this.#next > this.#first) this.#drop()
  }

  #drop(): void {
    const change = this.at(this.#first)
    this.#floor = change.revision
    this.#bytes -= change.weightBytes
    this.#slots[this.#first % this.#slots.length] = undefined
    this.#first++
    change.forget()
  }

  #grow(): void {
    const doubled = Math.min(this.#slots.length * 2, this.#options.historyEventsMax)
    if (doubled > this.#slots.length) this.#resize(doubled, 'increase')
    else this.#drop()
  }

  #resize(capacity: number, direction: 'increase' | 'decrease'): void {
    const slots = emptySlots(capacity)
    for (let sequence = this.#first; sequence < this.#next; sequence++) slots[sequence % capacity] = this.at(sequence)
    this.#slots = slots
    this.#resized(direction, capacity)
  }
}

function emptySlots(capacity: number): (CacheEvent | undefined)[] {
  return Array<undefined>(capacity).fill(undefined)
}
