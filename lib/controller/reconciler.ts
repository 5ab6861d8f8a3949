import type { Clock, Closable, Logger } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { StatusError } from '../object/index.ts'
import type { OwnWrites } from './ownwrites.ts'
import type { WorkQueue, WorkQueueOptions, WorkSource } from './workqueue.ts'

/** One turn of work on one key. */
interface Turn {
  /** Writes of this turn: the next turn of the key waits until the informers show them. */
  readonly client: Client
  readonly signal: AbortSignal
  /** Failures of the key since its last success. */
  readonly failures: number
}

/** Further work on a key that was worked on without a failure. */
export interface TurnResult {
  /** Work on it again then, whatever happens meanwhile. */
  readonly againAfterMs?: number | undefined
}

export interface ReconcilerOptions extends WorkQueueOptions {
  /** Keys worked on at once. Default 5. */
  readonly workers?: number
  /** Failures after which a key is left alone until something changes. Default: never. */
  readonly retriesMax?: number
  /**
   * Brings one key into the state that it should have. A rejection is a failure: the key comes again after a pause that
   * doubles. StatusError 409 Conflict is no more than an old state: it comes again without a word.
   */
  turn(key: string, turn: Turn): Promise<TurnResult | void>
}

interface ReconcilerDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly ownWrites: OwnWrites
}

/** How long turns that never wait may hold the event loop together. */
const sliceMs = 5

/** Works on a queue's keys once it is started. */
export interface Reconciler extends Closable {
  readonly queue: WorkQueue
  start(): void
  /** Takes no more keys; resolves when the turns under way are through. */
  close(): Promise<void>
}

export function createReconciler(
  { clock, log, ownWrites }: ReconcilerDependencies,
  source: WorkSource,
  { name, workers = 5, retriesMax = Number.POSITIVE_INFINITY, turn }: ReconcilerOptions,
): Reconciler {
  const stopping = new AbortController()
  const idle = Promise.withResolvers<void>()
  let busy = 0
  let started = false
  let scheduled = false

  function schedule(): void {
    if (!started || scheduled || stopping.signal.aborted) return
    scheduled = true
    clock.soon(() => {
      scheduled = false
      drain()
    })
  }

  function drain(): void {
    const untilMs = clock.monotonicMs() + sliceMs
    while (busy < workers && !stopping.signal.aborted) {
      if (clock.monotonicMs() > untilMs) return schedule()
      const key = source.take()
      if (key === undefined) return
      void work(key)
    }
  }

  async function work(key: string): Promise<void> {
    busy++
    try {
      if (ownWrites.isShown(key, () => source.add(key))) await run(key)
    } finally {
      busy--
      source.done(key)
      if (busy === 0 && stopping.signal.aborted) idle.resolve()
      if (source.length > 0) schedule()
    }
  }

  async function run(key: string): Promise<void> {
    let client: Client | undefined
    try {
      const result = await turn(key, {
        get client() {
          client ??= ownWrites.clientFor(key)
          return client
        },
        signal: stopping.signal,
        failures: source.failures(key),
      })
      source.forget(key)
      if (result?.againAfterMs !== undefined) source.addAfter(key, Math.max(1, result.againAfterMs))
    } catch (error) {
      if (stopping.signal.aborted) return
      if (source.failures(key) >= retriesMax) {
        source.forget(key)
        log.warn('gave up for now', { queue: name, key, error })
        return
      }
      if (!isConflict(error)) log.verbose(2, 'a turn failed', { queue: name, key, error })
      source.addRateLimited(key)
    }
  }

  source.onReady = schedule
  return {
    queue: source,
    start() {
      started = true
      schedule()
    },
    async close() {
      stopping.abort(new Error('the controller stops'))
      source.close()
      if (busy > 0) await idle.promise
    },
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.code === 409 && error.reason === 'Conflict'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'AlreadyExists'
}

/** The namespace is going: there is nothing to be made in it, and nothing to complain about. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 403) return false
  return error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
