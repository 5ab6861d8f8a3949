import { backoffMs, type Clock, type Closable } from '../base/index.ts'
import { type QueueMetrics, type QueueRecorder, silentQueueMetrics } from './queuemetrics.ts'

/** Backoff of one key. */
interface RetryLimits {
  /** After the first failure; doubled after each further one. Default 5 ms. */
  readonly firstMs?: number
  /** Default 1000 s. */
  readonly maxMs?: number
}

/**
 * Keys that wait for a turn. A key is in the queue once; one that is added during its turn gets another turn
 * afterwards, never at the same time.
 */
export interface WorkQueue {
  readonly length: number
  add(key: string): void
  /** The earliest of several times counts. A turn in between does not cancel it. */
  addAfter(key: string, delayMs: number): void
  /** Adds a key after a failure, with exponential backoff. */
  addRateLimited(key: string): void
  /** Resets the backoff of a key after a success. */
  forget(key: string): void
  /** Failures since the last success. */
  failures(key: string): number
}

export interface WorkQueueOptions extends RetryLimits {
  /** Its label in metrics. */
  readonly name: string
}

/** The workers' side of the queue. */
export interface WorkSource extends WorkQueue, Closable {
  /** Takes the next key, whose turn begins. Undefined: none waits. */
  take(): string | undefined
  /** Delays a key that held the event loop for too long, even if it is added meanwhile. */
  rest(key: string, pauseMs: number): void
  /** The turn of a key has ended. */
  done(key: string): void
  /** Milliseconds until a known key can be taken: 0 while one waits or is worked on, Infinity without any. */
  nextMs(): number
  /** Called when a key can be taken. */
  onReady: (() => void) | undefined
  /** Drops all keys and accepts no more. */
  close(): void
}

export function createWorkQueue(
  { clock, metrics = silentQueueMetrics }: { readonly clock: Clock; readonly metrics?: QueueMetrics },
  { name, firstMs = 5, maxMs = 1_000_000 }: WorkQueueOptions,
): WorkSource {
  const recorder: QueueRecorder = metrics(name)
  /** Waiting keys in order, each with the time of its addition. */
  const waiting = new Map<string, number>()
  const working = new Map<string, number>()
  /** Keys that were added during their turn. */
  const again = new Map<string, number>()
  const later = new Map<string, { readonly dueMs: number; readonly timer: Closable }>()
  const failed = new Map<string, number>()
  /** Delayed keys, and the end of each delay. */
  const resting = new Map<string, number>()
  let closed = false

  function restLeftMs(key: string): number {
    const untilMs = resting.get(key)
    if (untilMs === undefined) return 0
    const leftMs = untilMs - clock.monotonicMs()
    if (leftMs <= 0) resting.delete(key)
    return leftMs
  }

  function enqueue(key: string, addedMs: number): void {
    waiting.set(key, addedMs)
    recorder.depth(waiting.size)
    queue.onReady?.()
  }

  const queue: WorkSource = {
    onReady: undefined,
    get length() {
      return waiting.size
    },
    add(key) {
      if (closed || waiting.has(key) || again.has(key)) return
      const restMs = working.has(key) ? 0 : restLeftMs(key)
      if (restMs > 0) return queue.addAfter(key, restMs)
      recorder.added()
      const nowMs = clock.monotonicMs()
      if (working.has(key)) {
        again.set(key, nowMs)
        return
      }
      enqueue(key, nowMs)
    },
    addAfter(key, delayMs) {
      if (closed) return
      if (delayMs <= 0) return queue.add(key)
      const dueMs = clock.monotonicMs() + delayMs
      const known = later.get(key)
      if (known && known.dueMs <= dueMs) return
      void known?.timer.close()
      const timer = clock.after(Math.min(delayMs, delayMsMax), () => {
        later.delete(key)
        queue.add(key)
      })
      later.set(key, { dueMs, timer })
    },
    addRateLimited(key) {
      const failures = queue.failures(key) + 1
      failed.set(key, failures)
      recorder.retried(clock.now())
      queue.addAfter(key, backoffMs({ firstMs, maxMs }, failures))
    },
    forget: (key) => void failed.delete(key),
    failures: (key) => failed.get(key) ?? 0,
    take() {
      for (const [key, addedMs] of waiting) {
        waiting.delete(key)
        const nowMs = clock.monotonicMs()
        working.set(key, nowMs)
        recorder.depth(waiting.size)
        recorder.taken((nowMs - addedMs) / 1000)
        return key
      }
      return undefined
    },
    done(key) {
      const startedMs = working.get(key)
      if (startedMs === undefined) return
      working.delete(key)
      recorder.done((clock.monotonicMs() - startedMs) / 1000)
      const addedMs = again.get(key)
      if (addedMs === undefined) return
      again.delete(key)
      const restMs = restLeftMs(key)
      if (restMs > 0) queue.addAfter(key, restMs)
      else enqueue(key, addedMs)
    },
    nextMs() {
      if (waiting.size + working.size > 0) return 0
      const nowMs = clock.monotonicMs()
      let nextMs = Number.POSITIVE_INFINITY
      for (const { dueMs } of later.values()) nextMs = Math.min(nextMs, Math.max(0, dueMs - nowMs))
      return nextMs
    },
    rest(key, pauseMs) {
      recorder.long()
      resting.set(key, clock.monotonicMs() + pauseMs)
    },
    close() {
      closed = true
      for (const { timer } of later.values()) void timer.close()
      later.clear()
      waiting.clear()
      again.clear()
      failed.clear()
      resting.clear()
      recorder.close()
    },
  }
  recorder.unfinished(() => {
    const nowMs = clock.monotonicMs()
    return Array.from(working.values(), (startedMs) => (nowMs - startedMs) / 1000)
  })
  return queue
}

/** The longest delay of a timer; a key that is due later gets a turn early, which does no harm. */
const delayMsMax = 2 ** 31 - 1
