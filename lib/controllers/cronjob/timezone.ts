import { LRUCache } from 'lru-cache'

/** The local time of a time zone. */
export interface TimeZone {
  /** The zone's local time at an instant. Months begin with 1, weekdays with 0 for Sunday. */
  at(ms: number): LocalTime
  /** The instant of a local time; for one that a clock change skips, an instant next to the gap. */
  instant(year: number, month: number, day: number, hour?: number): number
  /** Its offset from UTC at an instant. */
  offsetMs(ms: number): number
  /** A later instant before which its offset does not change. */
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
 * Four days in which the offset changes once at most: since 1970 no zone has changed twice within six days. The
 * offsets at its ends are read and, where they differ, a binary search finds the change.
 */
interface Cell {
  readonly beforeMs: number
  /** Infinity: no change. */
  readonly changeMs: number
  readonly afterMs: number
}

const cellMs = 4 * 86_400_000
/** Twenty years of one zone. */
const cellsMax = 2000
const zonesMax = 100

/** Creates each time zone once, by its name; throws as `createTimeZone` does. */
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

/** The zone of that name; undefined: the process's zone. Throws a RangeError for an unknown name. */
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

/** Reads the runtime's time zone tables, which takes some microseconds. */
function createOffsets(name: string | undefined): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
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
    // `11/27/2026 A, 00:43:21`: parsing the text takes a quarter of the time of formatToParts.
    const text = format.format(ms)
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number)
    const astronomical = text.includes('B') ? 1 - year : year
    return utcMs(astronomical, month, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }
}

const eraYears = 400
const eraMs = 146_097 * 86_400_000

/** `Date.UTC` adds 1900 to years below 100: a later era avoids that. */
function utcMs(year: number, month: number, day: number, hour: number, minute = 0, second = 0): number {
  return Date.UTC(year + eraYears, month - 1, day, hour, minute, second) - eraMs
}
