import { type Clock, type Closable, createRepeatedWork, type Logger, type Random } from '../../base/index.ts'
import type { PostStartHook } from '../../server/index.ts'

/** The server's own work after it listens: done once, or repeated. */
export interface HookDefinition {
  /** The health check is `poststarthook/<name>`: the stock server's names. */
  readonly name: string
  /** Does the work once. `signal` aborts when the server stops. Never runs twice at the same time. */
  run(signal: AbortSignal): Promise<void>
  /** Time between the starts of two runs. Absent: it runs once. */
  readonly repeatMs?: number
  /**
   * `before-ready`: the server is not ready until a run has succeeded. `in-background`: until one has been tried.
   * Failed runs are repeated in both cases.
   */
  readonly retry: 'before-ready' | 'in-background'
  /** Before it is ready: the start fails after this time without success. Absent: never. */
  readonly giveUpMs?: number
  /** Calls `again` when a run is due before its time. Called once the first run has ended. */
  follow?(again: () => void): Closable
  /** Reports of `follow` within this time lead to one run. Default 0. */
  readonly gatherMs?: number
  /** Releases the work's resources: called once at the end, even if it never ran. */
  close?(): void
}

export interface Hook extends PostStartHook {
  run(): Promise<void>
  close(): Promise<void>
}

export interface HookServices {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

const firstPauseMs = 100
const pauseMsMax = 10_000

export function createHook(services: HookServices, definition: HookDefinition): Hook {
  const { clock } = services
  const { name, repeatMs, retry, gatherMs = 0, giveUpMs = Number.POSITIVE_INFINITY } = definition
  const ready = Promise.withResolvers<void>()
  // A server that is stopped before it runs its hooks doesn't wait for them.
  ready.promise.catch(() => {})
  let startedMs = 0
  let follower: Closable | undefined
  let closed: Promise<void> | undefined

  const work = createRepeatedWork(services, {
    name,
    periodMs: repeatMs,
    backoff: { firstMs: firstPauseMs, maxMs: Math.min(pauseMsMax, repeatMs ?? pauseMsMax) },
    async run(signal) {
      try {
        await definition.run(signal)
        ready.resolve()
      } catch (error) {
        if (retry === 'in-background') ready.resolve()
        else if (clock.monotonicMs() - startedMs >= giveUpMs) ready.reject(error)
        throw error
      }
    },
  })

  async function end(): Promise<void> {
    await follower?.close()
    await work.close()
    ready.resolve()
    definition.close?.()
  }

  return {
    name,
    async run() {
      startedMs = clock.monotonicMs()
      work.again()
      await ready.promise
      if (!closed) follower ??= definition.follow?.(() => work.againAfter(gatherMs))
    },
    close: () => (closed ??= end()),
  }
}
