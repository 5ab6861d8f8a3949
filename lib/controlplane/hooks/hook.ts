import type { Clock, Closable, Logger, Random } from '../../base/index.ts'
import type { PostStartHook } from '../../server/index.ts'

/** Work that the server does by itself once it listens: once, or again and again. */
export interface HookDefinition {
  /** The health check is `poststarthook/<name>`: the stock server's names. */
  readonly name: string
  /** Does the work once. `signal` aborts when the server stops. Never runs twice at the same time. */
  run(signal: AbortSignal): Promise<void>
  /** From the beginning of one run to the next. Absent: once is enough. */
  readonly repeatMs?: number
  /**
   * `before-ready`: the server is not ready until a run has succeeded. `in-background`: until one has been tried.
   * Failed runs are repeated either way, after pauses that double.
   */
  readonly retry: 'before-ready' | 'in-background'
  /** Before it is ready: after so long without success the start fails. Absent: never. */
  readonly giveUpMs?: number
  /** Begins to call `again` when a run is due before its time; not called before the first run has ended. */
  follow?(again: () => void): Closable
  /** Releases what was opened beside it; called once at the end, also where it never ran. */
  close?(): void
}

export interface Hook extends PostStartHook {
  run(): Promise<void>
  /** Aborts the run under way and waits for its end, for a moment. */
  close(): Promise<void>
}

export interface HookServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

const firstPauseMs = 100
const pauseMsMax = 10_000
/** A run that does not heed its signal is left behind after this time. */
const closeMsMax = 1000

/** The one mechanism for repeated work: retries with backoff and jitter, no overlapping runs, an orderly end. */
export function createHook({ clock, random, log }: HookServices, definition: HookDefinition): Hook {
  const { name, repeatMs, retry, giveUpMs = Number.POSITIVE_INFINITY } = definition
  const closing = new AbortController()
  const { signal } = closing
  let running: Promise<void> = Promise.resolve()
  /** The one run that waits for the end of the other. */
  let queued: Promise<void> | undefined
  let timer: Closable | undefined
  let follower: Closable | undefined
  let begunMs = 0
  /** Since the last success. */
  let failures = 0
  let failure: unknown
  let closed: Promise<void> | undefined

  function attempt(): Promise<void> {
    queued ??= running.then(() => {
      queued = undefined
      running = runOnce()
      return running
    })
    return queued
  }

  async function runOnce(): Promise<void> {
    if (signal.aborted) return
    begunMs = clock.monotonicMs()
    try {
      await definition.run(signal)
      failures = 0
    } catch (error) {
      failures++
      failure = error
      if (!signal.aborted) log.warn(`${name} failed and is tried again`, { error })
    }
  }

  /** Between a half and the whole of it: replicas that failed together don't all come back together. */
  function pauseMs(): number {
    const wholeMs = Math.min(firstPauseMs * 2 ** (failures - 1), pauseMsMax, repeatMs ?? pauseMsMax)
    return wholeMs * (0.5 + random.fraction() / 2)
  }

  function plan(): void {
    if (signal.aborted) return
    void timer?.close()
    const delayMs = failures > 0 ? pauseMs() : repeatMs && Math.max(0, begunMs + repeatMs - clock.monotonicMs())
    timer = delayMs === undefined ? undefined : clock.after(delayMs, again)
  }

  function again(): void {
    void attempt().then(plan)
  }

  async function end(): Promise<void> {
    closing.abort(new Error('the server stops'))
    await timer?.close()
    await follower?.close()
    const limit = Promise.withResolvers<void>()
    const limiter = clock.after(closeMsMax, limit.resolve)
    await Promise.race([running, limit.promise])
    await limiter.close()
    definition.close?.()
  }

  return {
    name,
    async run() {
      const startedMs = clock.monotonicMs()
      for (;;) {
        await attempt()
        if (signal.aborted) return
        if (failures === 0 || retry === 'in-background') break
        if (clock.monotonicMs() - startedMs >= giveUpMs) throw failure
        await clock.sleep(pauseMs(), signal).catch(() => undefined)
      }
      follower ??= definition.follow?.(again)
      plan()
    },
    close: () => (closed ??= end()),
  }
}
