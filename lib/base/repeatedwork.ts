import { Backoff, type BackoffOptions, spreadMs } from './backoff.ts'
import type { Clock, Closable } from './clock.ts'
import type { Logger } from './log.ts'
import type { Random } from './random.ts'

interface RepeatedWorkDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

export interface RepeatedWorkOptions {
  /** As the log names it. */
  readonly name: string
  /** Does the work once. `signal` aborts when the work is closed. */
  run(signal: AbortSignal): Promise<void>
  /** Time between the starts of two runs. Absent: it runs only after `again`. */
  readonly periodMs?: number | undefined
  /** Each period is multiplied by a random number of this range. Default: periods are exact. */
  readonly periodSpread?: readonly [least: number, most: number]
  /** Pauses after failed runs. Absent: the next run is due a period later. */
  readonly backoff?: BackoffOptions
}

/** Background work that is repeated, never twice at the same time. */
export interface RepeatedWork extends Closable {
  /** Something has changed: runs the work now, or once more after the present run. Calls until then lead to one run. */
  again(): void
  /** The same after `delayMs`, unless a run is due earlier. */
  againAfter(delayMs: number): void
  /** Aborts the present run and waits a moment for its end. */
  close(): Promise<void>
}

/** A run that ignores its signal is abandoned after this time. */
const closeMsMax = 1000

/** Nothing runs before the first `again`. */
export function createRepeatedWork(
  { clock, random, log }: RepeatedWorkDependencies,
  { name, run, periodMs, periodSpread = [1, 1], backoff }: RepeatedWorkOptions,
): RepeatedWork {
  const closing = new AbortController()
  const { signal } = closing
  const failures = new Backoff({ random, log }, name, backoff ?? { firstMs: 0 })
  let running: Promise<void> | undefined
  let timer: Closable | undefined
  /** When the next run is due, by the monotonic clock. */
  let dueMs = Number.POSITIVE_INFINITY
  let closed: Promise<void> | undefined

  function planAt(atMs: number): void {
    if (signal.aborted || atMs >= dueMs) return
    dueMs = atMs
    if (!running) schedule()
  }

  function schedule(): void {
    void timer?.close()
    const delayMs = dueMs - clock.monotonicMs()
    // The caller continues first, and may call again.
    if (delayMs > 0) timer = clock.after(delayMs, begin)
    else queueMicrotask(begin)
  }

  function begin(): void {
    if (signal.aborted) return
    dueMs = Number.POSITIVE_INFINITY
    running = Promise.resolve()
      .then(runOnce)
      .finally(() => {
        running = undefined
        if (dueMs < Number.POSITIVE_INFINITY && !signal.aborted) schedule()
      })
  }

  async function runOnce(): Promise<void> {
    const begunMs = clock.monotonicMs()
    const nextMs =
      periodMs === undefined ? Number.POSITIVE_INFINITY : begunMs + spreadMs(periodMs, periodSpread, random)
    try {
      await run(signal)
      failures.succeeded()
      planAt(nextMs)
    } catch (error) {
      if (signal.aborted) return
      const pauseMs = failures.failed(error)
      planAt(backoff ? clock.monotonicMs() + pauseMs : nextMs)
    }
  }

  async function end(): Promise<void> {
    closing.abort(new Error(`${name} is stopped`))
    void timer?.close()
    const limit = Promise.withResolvers<void>()
    const limiter = clock.after(closeMsMax, limit.resolve)
    await Promise.race([running, limit.promise])
    await limiter.close()
  }

  function againAfter(delayMs: number): void {
    failures.restart()
    planAt(clock.monotonicMs() + delayMs)
  }

  return {
    again: () => againAfter(0),
    againAfter,
    close: () => (closed ??= end()),
  }
}
