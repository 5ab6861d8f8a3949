import { type Clock, type Closable, UnorderedSet, type UnorderedSetItem } from '../base/index.ts'

/** An item with a deadline. The wheel stores its position in `slot` and `place`. */
export interface Expiring extends UnorderedSetItem {
  dueMs: number
  slot: UnorderedSet<Expiring> | undefined
  /** Called once, at the deadline. */
  expire(): void
}

/** The deadlines of all requests on one timer, so that a request needs no timer of its own. */
export interface TimerWheel extends Closable {
  /** Calls `item.expire` after `delayMs`, late by at most one tick. */
  add(item: Expiring, delayMs: number): void
  remove(item: Expiring): void
}

const tickMs = 100
const slotCount = 1024

/**
 * One set per tick, used in turn. Example: an item due at 12,340 ms goes to slot 124 and expires at the tick of 12,400
 * ms; items due a whole turn (102.4 s) later share the slot and stay when that tick passes.
 */
export function createTimerWheel(clock: Clock): TimerWheel {
  const slots = Array.from({ length: slotCount }, () => new UnorderedSet<Expiring>())
  let tick = Math.floor(clock.monotonicMs() / tickMs)

  function visit(slot: UnorderedSet<Expiring> | undefined, nowMs: number): void {
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
