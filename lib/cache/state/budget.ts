import { assert } from '../../base/index.ts'

/** A value whose memory counts in a budget. */
export interface Held {
  readonly weightBytes: number
  /** Set by the owner on every use; cleared when the budget's hand passes. */
  used: boolean
  /** Index in the budget; -1 when not kept. */
  slot: number
  /** The budget evicts it: the owner must drop its reference. */
  drop(): void
}

/**
 * Keeps recently used values within a number of bytes by the clock algorithm, a cheap approximation of LRU. While it is
 * full only one newcomer in `admitOneOf` is kept, so that a scan larger than the budget doesn't evict everything (a
 * cycle of 120 items in a budget of 100 would otherwise never hit).
 */
export class Budget {
  #bytesMax: number
  readonly #admitOneOf: number
  readonly #slots: Held[] = []
  #usedBytes = 0
  #hand = 0
  #refused = 0

  constructor(bytesMax: number, admitOneOf: number) {
    this.#bytesMax = bytesMax
    this.#admitOneOf = admitOneOf
  }

  get bytesMax(): number {
    return this.#bytesMax
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Sets the maximum of bytes; evicts values beyond it. */
  resize(bytesMax: number): void {
    this.#bytesMax = bytesMax
    this.#dropBeyond(0)
  }

  /** Returns false when the value is not kept; the owner must drop it then. */
  admit(held: Held): boolean {
    assert(held.slot < 0, 'budget: admitted twice')
    if (this.#usedBytes + held.weightBytes > this.#bytesMax && !this.#makeRoom(held.weightBytes)) return false
    held.slot = this.#slots.push(held) - 1
    this.#usedBytes += held.weightBytes
    return true
  }

  /** The owner drops the value. */
  release(held: Held): void {
    if (held.slot < 0) return
    assert(this.#slots[held.slot] === held, 'budget: released what another keeps')
    const last = this.#slots.pop()
    if (last && last !== held) {
      this.#slots[held.slot] = last
      last.slot = held.slot
    }
    held.slot = -1
    this.#usedBytes -= held.weightBytes
  }

  #makeRoom(bytes: number): boolean {
    if (bytes > this.#bytesMax) return false
    if (++this.#refused < this.#admitOneOf) return false
    this.#refused = 0
    this.#dropBeyond(bytes)
    return true
  }

  /** Evicts until `bytes` fit. */
  #dropBeyond(bytes: number): void {
    while (this.#usedBytes + bytes > this.#bytesMax) {
      if (this.#hand >= this.#slots.length) this.#hand = 0
      const candidate = this.#slots[this.#hand]
      assert(candidate, 'budget: bytes without an owner')
      // The entry that release moves into the slot is the newest, so this round skips it, too.
      this.#hand++
      if (candidate.used) candidate.used = false
      else {
        this.release(candidate)
        candidate.drop()
      }
    }
  }
}
