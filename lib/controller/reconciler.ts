import type { Clock, Closable, Logger } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { StatusError } from '../object/index.ts'
import type { OwnWrites } from './ownwrites.ts'
import type { MeasuredTurn, TurnMeter } from './turnmeter.ts'
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
  readonly meter: TurnMeter
}

/** A turn that holds the event loop for longer at a time is too long: its key rests. */
const longTurnMs = 50
/**
 * A key that held the event loop rests for so many times as long, twice and four times that when it does so again: it
 * gets a twentieth of the time at most, and a workload that is only large goes on every few seconds.
 */
const restFactor = 20
const restDoublingsMax = 2
const restMsMax = 5 * 60_000
/** A turn that has waited for so long, as for a slow webhook, gives its worker to other keys. */
const stalledMs = 10_000
/** Turns that have given their worker away, for each worker. */
const asideMax = 20

interface TurnUnderWay extends MeasuredTurn {
  readonly sinceMs: number
  isAside: boolean
}

/** Works on a queue's keys once it is started. */
export interface Reconciler extends Closable {
  readonly queue: WorkQueue
  start(): void
  /** Milliseconds until the next turn that is known of; 0 while one is under way or waits for its own writes. */
  nextMs(): number
  /** Takes no more keys; resolves when the turns under way are through. */
  close(): Promise<void>
}

export function createReconciler(
  { clock, log, ownWrites, meter }: ReconcilerDependencies,
  source: WorkSource,
  { name, workers = 5, retriesMax = Number.POSITIVE_INFINITY, turn }: ReconcilerOptions,
): Reconciler {
  const stopping = new AbortController()
  const idle = Promise.withResolvers<void>()
  /** Turns under way, the oldest first. */
  const turns = new Set<TurnUnderWay>()
  /** Those of them that have given their worker away. */
  let aside = 0
  let roomTimer: Closable | undefined
  let started = false
  let scheduled = false
  /** Keys that wait until the informers show their own writes. */
  const behind = new Set<string>()
  /** Long turns in a row of a key. */
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

  /** A worker is free. With keys waiting, turns that have stalled give theirs away. */
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
    log.warn('a turn held the event loop; its key rests', { queue: name, key, heldMs, restMs })
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

/** The namespace is going: there is nothing to be made in it, and nothing to complain about. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code !== 403) return false
  return error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
