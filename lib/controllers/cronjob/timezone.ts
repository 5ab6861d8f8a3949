import { LRUCache } from 'lru-cache'

/** A clock on a wall somewhere. */
export interface TimeZone {
  /** The zone's local time at an instant. Months begin with 1, weekdays with 0 for Sunday. */
  at(ms: number): LocalTime
  /** The instant of a local time; for one that a clock change skips, an instant next to the gap. */
  instant(year: number, month: number, day: number, hour?: number): number
  /** How far it is ahead of UTC then. */
  offsetMs(ms: number): number
  /** A later instant up to which its clock is known to run on without a change. */
  steadyUntilMs(ms: number): number
}

export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/**
 * A time of four days in which the clock changes once at most: since 1970 there was no zone where it changed twice within
 * six. Offsets are asked for at its ends and, where these differ, at the instants that halve the way to the change.
 */
interface Cell {
  readonly beforeMs: number
  /** Infinity: it does not change. */
  readonly changeMs: number
  readonly afterMs: number
}

const cellMs = 4 * 86_400_000
/** Twenty years of one zone. */
const cellsMax = 2000
const zonesMax = 100

/** Zones by their names, each made once; throws as `createTimeZone`. */
export function createTimeZones(): (name: string | undefined) => TimeZone {
  const zones = new LRUCache<string, TimeZone>({ max: zonesMax })
  return (name) => {
    const key = name === undefined ? 'own' : `named ${name}`
    const known = zones.get(key)
    if (known) return known
    const made = createTimeZone(name)
    zones.set(key, made)
    return made
  }
}

/** The zone of that name; undefined is the process's own. Throws a RangeError where there is none. */
export function createTimeZone(name: string | undefined): TimeZone {
  const askOffsetMs = createOffsets(name)
  const cells = new Map<number, Cell>()

  function cellOf(ms: number): Cell {
    const index = Math.floor(ms / cellMs)
    let cell = cells.get(index)
    if (cell) return cell
    if (cells.size >= cellsMax) cells.clear()
    cell = measure(index * cellMs, (index + 1) * cellMs)
    cells.set(index, cell)
    return cell
  }

  function measure(fromMs: number, toMs: number): Cell {
    const [beforeMs, afterMs] = [askOffsetMs(fromMs), askOffsetMs(toMs)]
    if (beforeMs === afterMs) return { beforeMs, afterMs, changeMs: Number.POSITIVE_INFINITY }
    let [low, high] = [fromMs / 1000, toMs / 1000]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (askOffsetMs(middle * 1000) === beforeMs) low = middle
      else high = middle
    }
    return { beforeMs, afterMs, changeMs: high * 1000 }
  }

  function offsetMs(ms: number): number {
    const { beforeMs, changeMs, afterMs } = cellOf(ms)
    return ms < changeMs ? beforeMs : afterMs
  }

  return {
    offsetMs,
    at(ms) {
      const shown = new Date(ms + offsetMs(ms))
      return {
        year: shown.getUTCFullYear(),
        month: shown.getUTCMonth() + 1,
        day: shown.getUTCDate(),
        weekday: shown.getUTCDay(),
        hour: shown.getUTCHours(),
        minute: shown.getUTCMinutes(),
        second: shown.getUTCSeconds(),
      }
    },
    instant(year, month, day, hour = 0) {
      const shown = utcMs(year, month, day, hour)
      return shown - offsetMs(shown - offsetMs(shown))
    },
    steadyUntilMs(ms) {
      const { changeMs } = cellOf(ms)
      const end = (Math.floor(ms / cellMs) + 1) * cellMs
      return ms < changeMs ? Math.min(changeMs, end) : end
    },
  }
}

/** Asks the runtime's own tables, which takes some microseconds. */
function createOffsets(name: string | undefined): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(name === undefined ? {} : { timeZone: name }),
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    // `11/27/2026 A, 00:43:21`; as text it takes a quarter of the time that parts take.
    const text = format.format(ms)
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number)
    const astronomical = text.includes('B') ? 1 - year : year
    return utcMs(astronomical, month, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }
}

const eraYears = 400
const eraMs = 146_097 * 86_400_000

/** `Date.UTC` takes years below 100 for years of the last century: it is asked for a later era. */
function utcMs(year: number, month: number, day: number, hour: number, minute = 0, second = 0): number {
  return Date.UTC(year + eraYears, month - 1, day, hour, minute, second) - eraMs
}
