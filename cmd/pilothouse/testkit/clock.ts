import { type Clock, createMovableClock, type MovableClock, systemClock } from '../../../lib/base/index.ts'
import { parseDuration, parseTime } from '../../../lib/object/index.ts'

/** The time of one control plane: of its controllers, nodes, tokens, leases, caches and expiring objects. */
export interface PlaneClock {
  /** False: the time is that of the machine, and can't be moved. */
  readonly isAdjustable: boolean
  now(): Date
  /**
   * Moves the time forward, by a duration in Go's form (`'1h30m'`) or by milliseconds, at most 366 days at a time. Leases
   * are renewed on the way, cron jobs run and objects expire in order, as if the time had passed. Resolves
   * when the control plane is idle at the new time. An hour takes a second or two, and several with hollow nodes, which
   * renew their leases all the while.
   *
   * `atOnce`: the time jumps, as if the machine had been suspended. Each repeated work runs once, and leases are
   * renewed late.
   *
   * Rejects with an Error where the time can't be moved or `by` makes no sense.
   */
  advance(by: string | number, options?: { readonly atOnce?: boolean }): Promise<void>
  /**
   * Resolves when nothing happens unless time passes or somebody asks for it: no request is in progress, watches have
   * delivered all changes, and no timer is due. Rejects when that isn't reached within the limit (default 10 s of the
   * machine's time); open watches don't count.
   */
  idle(options?: { readonly timeoutMs?: number }): Promise<void>
}

/** The option `clock` of a control plane. */
export type ControlPlaneClock =
  /** The machine's time; the default. */
  | 'machine'
  /** Begins at the machine's time and passes as fast; `plane.clock.advance` moves it forward. */
  | 'adjustable'
  /** The same, and begins at this time: `{ startAt: '2030-01-01T00:00:00Z' }`. */
  | { readonly startAt: string | Date }

const advanceMsMax = 366 * 86_400_000
/** Timers that are due so close to each other run together, before what they began is awaited. */
const stepMs = 250
/** Timers that are due so soon belong to work in progress, such as the delivery of changes. */
const soonMs = 15
/** Rounds of the event loop without work, after which the control plane counts as idle. */
const quietRounds = 4
/** As many are enough where timers have caused no work at all, as most do. */
const idleRounds = 2
/** A request that waits for a time to come holds `advance` up so long. */
const heldUpMsMax = 250
/** And so long the next times, until the control plane is quiet again. */
const heldUpAgainMsMax = 5
const idleMsMax = 10_000

/** Throws an Error of one line for an option that makes no sense. */
export function createClocks(option: ControlPlaneClock | undefined, isInMemory: boolean): PlaneClocks {
  if (option === undefined || option === 'machine') return { clock: systemClock, connections: systemClock }
  if (!isInMemory) throw new Error('clock: the time of a control plane can only be moved where it stores in memory')
  const clock = createMovableClock(systemClock, startOf(option))
  return { clock, movable: clock, connections: { ...systemClock, now: () => clock.now() } }
}

export interface PlaneClocks {
  readonly clock: Clock
  readonly movable?: MovableClock
  /** The same time of day, with timers that run by the machine's time. */
  readonly connections: Clock
}

function startOf(option: unknown): number {
  if (option === 'adjustable') return systemClock.now()
  const startMs =
    typeof option === 'object' && option !== null && 'startAt' in option ? timeOf(option.startAt) : undefined
  if (startMs === undefined || Number.isNaN(startMs))
    throw new Error("clock must be 'machine', 'adjustable' or { startAt } with a time such as 2030-01-01T00:00:00Z")
  return startMs
}

function timeOf(startAt: unknown): number | undefined {
  if (startAt instanceof Date) return startAt.getTime()
  return typeof startAt === 'string' && /^\d{4}-\d\d-\d\dT/.test(startAt) ? parseTime(startAt) : undefined
}

/** `activity`: a number that grows with all work; undefined while a request is in progress or a cache lags behind. */
export function createPlaneClock({ clock, movable }: PlaneClocks, activity: () => number | undefined): PlaneClock {
  /** Moves follow one another. */
  let moving: Promise<void> = Promise.resolve()
  /** The activity when work was last in progress. */
  let settledAt: number | undefined
  let isHeldUp = false

  /** Resolves once nothing is in progress; false: work waits for a time to come. */
  async function settle(limitMs: number): Promise<boolean> {
    const sinceMs = systemClock.monotonicMs()
    let before = settledAt
    for (let quiet = 0, wanted = idleRounds; quiet < wanted; ) {
      await new Promise<void>((resolve) => void systemClock.soon(resolve))
      settledAt = activity()
      if (settledAt !== undefined && settledAt === before) quiet++
      else {
        if (systemClock.monotonicMs() - sinceMs > (isHeldUp ? heldUpAgainMsMax : limitMs)) {
          isHeldUp = true
          return false
        }
        quiet = 0
        wanted = quietRounds
        before = settledAt
      }
    }
    isHeldUp = false
    return true
  }

  async function idle(limitMs: number): Promise<void> {
    const untilMs = systemClock.monotonicMs() + limitMs
    for (let before: number | undefined; ; before = settledAt) {
      const settled = await settle(Math.max(0, untilMs - systemClock.monotonicMs()))
      const dueInMs = movable ? movable.nextDueMs - movable.monotonicMs() : 0
      // Timers of the machine are not known: nothing may have happened for as long.
      if (settled && (movable ? dueInMs > soonMs : settledAt === before)) return
      if (systemClock.monotonicMs() >= untilMs) throw new Error(`the control plane was not idle within ${limitMs} ms`)
      const pauseMs = movable ? Math.max(1, dueInMs) : soonMs
      if (pauseMs <= soonMs) await new Promise<void>((resolve) => void systemClock.after(pauseMs, resolve))
    }
  }

  async function move(by: MovableClock, ms: number): Promise<void> {
    const untilMs = by.monotonicMs() + ms
    for (;;) {
      await settle(heldUpMsMax)
      const dueMs = by.nextDueMs
      if (dueMs > untilMs) break
      by.moveTo(Math.min(untilMs, Math.max(dueMs, by.monotonicMs()) + stepMs))
      if (by.monotonicMs() >= untilMs) break
    }
    by.moveTo(untilMs)
    await settle(heldUpMsMax)
  }

  async function advance(by: string | number, atOnce: boolean): Promise<void> {
    if (!movable) throw new Error("the time can't be moved: start the control plane with { clock: 'adjustable' }")
    const ms = millisecondsOf(by)
    if (atOnce) {
      await settle(heldUpMsMax)
      movable.jumpTo(movable.monotonicMs() + ms)
      await settle(heldUpMsMax)
    } else await move(movable, ms)
  }

  return new OwnClock(clock, {
    isAdjustable: movable !== undefined,
    now: () => new Date(clock.now()),
    advance(by, { atOnce = false } = {}) {
      const moved = moving.then(() => advance(by, atOnce))
      moving = moved.catch(() => {})
      return moved
    },
    idle: ({ timeoutMs = idleMsMax } = {}) => idle(timeoutMs),
  })
}

/** The clock that a control plane shows; the library's other parts take their time from it. */
class OwnClock implements PlaneClock {
  readonly isAdjustable: boolean
  readonly now: PlaneClock['now']
  readonly advance: PlaneClock['advance']
  readonly idle: PlaneClock['idle']
  readonly #clock: Clock

  constructor(clock: Clock, { isAdjustable, now, advance, idle }: PlaneClock) {
    this.#clock = clock
    this.isAdjustable = isAdjustable
    this.now = now
    this.advance = advance
    this.idle = idle
  }

  static clockOf(plane: PlaneClock): Clock {
    if (!(#clock in plane)) throw new Error('clock: not the clock of a control plane')
    return plane.#clock
  }
}

/** The clock behind that of a control plane. Default: the machine's. */
export function clockOf(plane: PlaneClock | undefined): Clock {
  return plane === undefined ? systemClock : OwnClock.clockOf(plane)
}

function millisecondsOf(by: unknown): number {
  const ms = typeof by === 'string' ? Number(parseDuration(by)) / 1e6 : by
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= advanceMsMax))
    throw new Error(`advance: a time between 0 and ${advanceMsMax / 86_400_000} days, not ${String(by)}`)
  return ms
}
