import type { Clock } from '../base/index.ts'
import type { Finisher, ServerCall } from './call.ts'
import { ServerStopping } from './errors.ts'
import type { ServerOptions } from './options.ts'

/**
 * The phases of a server: started, stopping, draining. A stop fails `readyz` at once, refuses new requests after the
 * delay, and then lets requests finish and closes watches one after the other.
 */
export interface Lifecycle {
  /** All post-start hooks are done. */
  readonly started: boolean
  readonly stopping: boolean
  /** New requests are refused. */
  readonly draining: boolean
  readonly startedAtMs: number
  /** Number of requests so far; undefined while one is in progress that isn't a watch or another long-running one. */
  readonly served: number | undefined
  /** The call waits because a test wants it to, and does not count as in progress until the returned function is called. */
  hold(): () => void
  markStarted(): void
  /** Counts the call until it is over. */
  enter(call: ServerCall): void
  /** Waits out the delay, and for the turn of this process, then begins to drain. */
  beginStop(): Promise<void>
  /** Resolves to true when all requests have finished and `flushed` is true, to false when the time limit passes first. */
  drain(flushed: () => boolean): Promise<boolean>
}

const sweepMs = 25

export function createLifecycle(
  clock: Clock,
  options: ServerOptions,
  drainTurn: () => Promise<void> = () => Promise.resolve(),
): Lifecycle {
  const longRunning = new Set<ServerCall>()
  let others = 0
  let entered = 0
  let held = 0
  let started = false
  let stopping = false
  let draining = false

  const finisher: Finisher = {
    finish(call) {
      if (call.longRunning) longRunning.delete(call)
      else others--
    },
  }

  /** Closes watches in even steps over the grace period, so that their clients don't all reconnect at once. */
  async function closeLongRunning(): Promise<void> {
    const waiting = [...longRunning]
    const fromMs = clock.monotonicMs()
    for (let closed = 0; closed < waiting.length; ) {
      const share = (clock.monotonicMs() - fromMs + sweepMs) / Math.max(options.shutdownWatchGracePeriodMs, sweepMs)
      const until = Math.min(waiting.length, Math.ceil(waiting.length * share))
      for (; closed < until; closed++) waiting[closed]?.abort(new ServerStopping())
      if (closed < waiting.length) await clock.sleep(sweepMs)
    }
  }

  return {
    get started() {
      return started
    },
    get stopping() {
      return stopping
    },
    get draining() {
      return draining
    },
    startedAtMs: clock.monotonicMs(),
    get served() {
      return others === held ? entered : undefined
    },
    hold() {
      held++
      return () => void held--
    },
    markStarted() {
      started = true
    },
    enter(call) {
      entered++
      if (call.longRunning) longRunning.add(call)
      else others++
      call.onFinish(finisher)
    },
    async beginStop() {
      stopping = true
      if (options.shutdownDelayMs > 0) await clock.sleep(options.shutdownDelayMs)
      await drainTurn()
      draining = true
    },
    async drain(flushed) {
      const limitMs = clock.monotonicMs() + options.shutdownLimitMs + options.shutdownWatchGracePeriodMs
      const closing = closeLongRunning()
      while (others > 0 || longRunning.size > 0 || !flushed()) {
        if (clock.monotonicMs() >= limitMs) return false
        await clock.sleep(sweepMs)
      }
      await closing
      return true
    },
  }
}
