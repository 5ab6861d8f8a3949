import type { Clock, Closable, Logger } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { StatusError } from '../object/index.ts'
import type { FailureLog } from './failures.ts'
import type { OwnWrites } from './ownwrites.ts'
import type { MeasuredTurn, TurnMeter } from './turnmeter.ts'
import type { WorkQueue, WorkQueueOptions, WorkSource } from './workqueue.ts'

/** The arguments of one turn, which is the work on one key at a time. */
interface Turn {
  /** The next turn of the key waits until the informers show the writes of this client. */
  readonly client: Client
  readonly signal: AbortSignal
  /** Failures of the key since its last success. */
  readonly failures: number
}

/** The result of a turn without a failure. */
export interface TurnResult {
  /** The key gets another turn then, whatever happens meanwhile. */
  readonly againAfterMs?: number | undefined
}

export interface ReconcilerOptions extends WorkQueueOptions {
  /** Maximum number of concurrent turns. Default 5. */
  readonly workers?: number
  /** Number of failures after which a key is dropped until it is added again. Default: unlimited. */
  readonly retriesMax?: number
  /**
   * Brings the object of one key into its desired state. After a rejection the key is retried with exponential
   * backoff; a 409 Conflict, which only means that the state was old, is not logged.
   */
  turn(key: string, turn: Turn): Promise<TurnResult | void>
}

interface ReconcilerDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly ownWrites: OwnWrites
  readonly meter: TurnMeter
  readonly failures: FailureLog
}

/** The key of a turn that holds the event loop for longer at a time is delayed. */
const longTurnMs = 50
/**
 * The delay of a key is this multiple of the time for which it held the event loop, and doubles twice when that
 * recurs: the key gets a twentieth of the time at most, and a workload that is merely large proceeds every few
 * seconds.
 */
const restFactor = 20
const restDoublingsMax = 2
const restMsMax = 5 * 60_000
/** A turn that has lasted so long, as with a slow webhook, gives its worker to another key. */
const stalledMs = 10_000
/** Maximum number of turns without a worker, per worker. */
const asideMax = 20

interface TurnUnderWay extends MeasuredTurn {
  readonly sinceMs: number
  isAside: boolean
}

/** Runs the turns of a queue's keys once it is started. */
export interface Reconciler extends Closable {
  readonly queue: WorkQueue
  start(): void
  /** Milliseconds until the next known turn; 0 while one is unfinished or waits for its own writes. */
  nextMs(): number
  /** Takes no more keys; resolves once all turns have ended. */
  close(): Promise<void>
}

export function createReconciler(
  { clock, log, ownWrites, meter, failures }: ReconcilerDependencies,
  source: WorkSource,
  { name, workers = 5, retriesMax = Number.POSITIVE_INFINITY, turn }: ReconcilerOptions,
): Reconciler {
  const stopping = new AbortController()
  const idle = Promise.withResolvers<void>()
  /** Unfinished turns, oldest first. */
  const turns = new Set<TurnUnderWay>()
  /** Number of turns without a worker. */
  let aside = 0
  let roomTimer: Closable | undefined
  let started = false
  let scheduled = false
  /** Keys that wait until the informers show their own writes. */
  const behind = new Set<string>()
  /** Number of consecutive long turns of a key. */
  const longTurns = new Map<string, number>()

  function schedule(): void {
    if (!started || scheduled || stopping.signal.aborted) return
    scheduled = true
    clock.soon(() => {
      scheduled = false
      drain()
    })
  }

  function drain(): void {
    while (hasRoom() && !stopping.signal.aborted) {
      const key = source.take()
      if (key === undefined) return
      void work(key)
    }
  }

  /** True where a worker is free. While keys wait, a stalled turn gives its worker away. */
  function hasRoom(): boolean {
    if (turns.size - aside < workers) return true
    if (source.length === 0 || aside >= asideMax * workers) return false
    const oldest = turns.values().find((each) => !each.isAside)
    if (!oldest) return false
    const leftMs = oldest.sinceMs + stalledMs - clock.monotonicMs()
    if (leftMs > 0) {
      roomTimer ??= clock.after(leftMs, () => {
        roomTimer = undefined
        schedule()
      })
      return false
    }
    oldest.isAside = true
    aside++
    return true
  }

  async function work(key: string): Promise<void> {
    const turn: TurnUnderWay = { sinceMs: clock.monotonicMs(), isAside: false, longestMs: 0 }
    turns.add(turn)
    try {
      await meter.goOn(turn)
      const isShown = ownWrites.isShown(key, () => source.add(key))
      if (!isShown) behind.add(key)
      else {
        behind.delete(key)
        await run(key, turn)
      }
    } finally {
      meter.leave(turn)
      if (turn.longestMs > longTurnMs) rest(key, turn.longestMs)
      else longTurns.delete(key)
      turns.delete(turn)
      if (turn.isAside) aside--
      source.done(key)
      if (turns.size === 0 && stopping.signal.aborted) idle.resolve()
      if (source.length > 0) schedule()
    }
  }

  function rest(key: string, heldMs: number): void {
    const before = longTurns.get(key) ?? 0
    longTurns.set(key, before + 1)
    const restMs = Math.min(restMsMax, heldMs * restFactor * 2 ** Math.min(before, restDoublingsMax))
    log.warn('a turn held the event loop; its key is delayed', { queue: name, key, heldMs, restMs })
    source.rest(key, restMs)
  }

  async function run(key: string, measure: MeasuredTurn): Promise<void> {
    let client: Client | undefined
    try {
      const result = await turn(key, {
        get client() {
          client ??= ownWrites.clientFor(key, () => meter.goOn(measure))
          return client
        },
        signal: stopping.signal,
        failures: source.failures(key),
      })
      if (source.failures(key) > 0) failures.recovered(name, key)
      source.forget(key)
      if (result?.againAfterMs !== undefined) source.addAfter(key, Math.max(1, result.againAfterMs))
    } catch (error) {
      if (stopping.signal.aborted) return
      const isMinor = isConflict(error)
      failures.failed({ queue: name, key, error, atMs: clock.now(), failures: source.failures(key) + 1, isMinor })
      if (source.failures(key) >= retriesMax) {
        source.forget(key)
        log.warn('a key was dropped after its last retry', { queue: name, key, error })
        return
      }
      if (!isMinor) log.verbose(2, 'a turn failed', { queue: name, key, error })
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
    nextMs: () => (turns.size + behind.size > 0 ? 0 : source.nextMs()),
    async close() {
      stopping.abort(new Error('the controller stops'))
      source.close()
      void roomTimer?.close()
      if (turns.size > 0) await idle.promise
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

/** The namespace is being deleted: nothing can be created in it, which is no failure. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 403) return false
  return error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
