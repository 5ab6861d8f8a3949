import type { Clock, Closable } from '../base/index.ts'
import type { WrittenEvent } from './sink.ts'

export interface BatchOptions {
  /** Maximum number of waiting events; further ones are lost. */
  readonly bufferSize: number
  /** Maximum number of events in a batch. */
  readonly maxSize: number
  /** How long an event waits for its batch to fill; 0: batches are sent when they are full, and at the end. */
  readonly maxWaitMs: number
  /** Batches a second, and batches at once. Undefined: unlimited. */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined
}

interface Batcher {
  /** False when the queue is full. */
  add(event: WrittenEvent): boolean
  /** Sends all waiting events regardless of the throttle; resolves when they have been delivered. */
  close(): Promise<void>
}

/** Maximum number of concurrent deliveries, so that a slow receiver isn't overloaded. */
const batchesAtOnceMax = 10

/** Collects events into batches. `deliver` never rejects. */
export function createBatcher(
  clock: Clock,
  { bufferSize, maxSize, maxWaitMs, throttle }: BatchOptions,
  deliver: (events: readonly WrittenEvent[]) => Promise<void>,
  lost: () => void,
): Batcher {
  const waiting: WrittenEvent[] = []
  let timer: Closable | undefined
  let pause: Closable | undefined
  let closing = false
  const underWay = new Set<Promise<void>>()
  let tokens = throttle?.burst ?? 0
  let countedMs = clock.monotonicMs()

  /** Milliseconds until a batch may be sent; 0 uses up the turn. */
  function takeTurn(): number {
    if (throttle === undefined || throttle.qps <= 0 || closing) return 0
    const nowMs = clock.monotonicMs()
    tokens = Math.min(Math.max(throttle.burst, 1), tokens + ((nowMs - countedMs) / 1000) * throttle.qps)
    countedMs = nowMs
    if (tokens < 1) return ((1 - tokens) / throttle.qps) * 1000
    tokens -= 1
    return 0
  }

  /** Sends full batches; with `all`, also the last one. */
  function flush(all: boolean): void {
    while (waiting.length >= maxSize || (all && waiting.length > 0)) {
      if (pause !== undefined || (underWay.size >= batchesAtOnceMax && !closing)) return
      const waitMs = takeTurn()
      if (waitMs > 0) {
        pause = clock.after(waitMs, () => {
          pause = undefined
          flush(all)
        })
        return
      }
      send(waiting.splice(0, maxSize))
    }
    if (waiting.length === 0) stopTimer()
  }

  function send(batch: readonly WrittenEvent[]): void {
    const sent = deliver(batch).finally(() => {
      underWay.delete(sent)
      if (waiting.length >= maxSize) flush(false)
      // A batch that became due during a delivery is sent now.
      else if (waiting.length > 0 && timer === undefined && maxWaitMs > 0) flush(true)
    })
    underWay.add(sent)
  }

  function stopTimer(): void {
    void timer?.close()
    timer = undefined
  }

  return {
    add(event) {
      if (waiting.length >= bufferSize) {
        lost()
        return false
      }
      waiting.push(event)
      if (waiting.length >= maxSize) flush(false)
      else if (timer === undefined && maxWaitMs > 0) {
        timer = clock.after(maxWaitMs, () => {
          timer = undefined
          flush(true)
        })
      }
      return true
    },
    async close() {
      closing = true
      stopTimer()
      void pause?.close()
      pause = undefined
      flush(true)
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
