import { Bag, type Bagged, type Clock, type Closable } from '../base/index.ts'

/** Something that must be over by a time. The wheel keeps its place in `slot` and `place`. */
export interface Expiring extends Bagged {
  dueMs: number
  slot: Bag<Expiring> | undefined
  /** Called once when the time has come. */
  expire(): void
}

/** Deadlines of all requests on one timer: a request costs a place in a bag, not a timer. */
export interface Deadlines extends Closable {
  /** Calls `item.expire` after `delayMs`, late by at most one tick. */
  add(item: Expiring, delayMs: number): void
  remove(item: Expiring): void
}

export const tickMs = 100
const slotCount = 1024

/**
 * A wheel of bags, one per tick. Example: due at 12,340 ms goes to slot 124 and expires at the tick of 12,400 ms; what
 * is due a whole turn (102.4 s) later shares the slot and stays when that slot comes by.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const slots = Array.from({ length: slotCount }, () => new Bag<Expiring>())
  let tick = Math.floor(clock.monotonicMs() / tickMs)

  function visit(slot: Bag<Expiring> | undefined, nowMs: number): void {
    if (slot === undefined || slot.size === 0) return
    for (const item of slot.values()) {
      if (item.dueMs > nowMs || !slot.delete(item)) continue
      item.slot = undefined
      item.expire()
    }
  }

  const timer = clock.every(tickMs, () => {
    const nowMs = clock.monotonicMs()
    const until = Math.floor(nowMs / tickMs)
    // After a long stall one turn visits every slot.
    tick = Math.max(tick, until - slotCount)
    while (tick < until) visit(slots[++tick % slotCount], nowMs)
  })

  return {
    add(item, delayMs) {
      item.dueMs = clock.monotonicMs() + delayMs
      const slot = slots[Math.max(tick + 1, Math.ceil(item.dueMs / tickMs)) % slotCount]
      slot?.add(item)
      item.slot = slot
    },
    remove(item) {
      item.slot?.delete(item)
      item.slot = undefined
    },
    close: () => timer.close(),
  }
}
