/** A clock on a wall somewhere. */
export interface TimeZone {
  /** The zone's local time at an instant. Months begin with 1, weekdays with 0 for Sunday. */
  at(ms: number): LocalTime
  /** When it shows that; where it never does, a time next to the gap. */
  instant(year: number, month: number, day: number, hour?: number): number
  /** How far it is ahead of UTC then. */
  offsetMs(ms: number): number
}

interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** The zone of that name; undefined is the process's own. Throws a RangeError where there is none. */
export function createTimeZone(name: string | undefined): TimeZone {
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

  function offsetMs(ms: number): number {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
    const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return shown - Math.floor(ms / 1000) * 1000
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
      const shown = Date.UTC(year, month - 1, day, hour)
      return shown - offsetMs(shown - offsetMs(shown))
    },
  }
}
