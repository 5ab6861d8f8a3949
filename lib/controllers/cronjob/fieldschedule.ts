import type { Schedule } from './schedule.ts'
import type { LocalTime, TimeZone } from './timezone.ts'

/** The values that a field of a schedule names. */
export interface Values {
  readonly set: ReadonlySet<number>
  /** The field restricts nothing: `*` or `?` without a step. */
  readonly isStar: boolean
}

type Fields = Readonly<Record<'minutes' | 'hours' | 'days' | 'months' | 'weekdays', Values>>

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
const yearsMax = 5
/** A change of the local clock moves an hour by less than this. */
const marginMs = 3 * hourMs

/** A schedule of five fields. */
export class FieldSchedule implements Schedule {
  readonly #zone: TimeZone
  readonly #fields: Fields

  constructor(zone: TimeZone, fields: Fields) {
    this.#zone = zone
    this.#fields = fields
  }

  /**
   * Advances to the next matching month, day, hour and minute in turn, hours in elapsed time: a local time that a
   * clock change skips is skipped, and one that occurs twice is returned twice.
   */
  next(afterMs: number): number | undefined {
    const { minutes, hours, months: some } = this.#fields
    let at = Math.floor(afterMs / 1000) * 1000 + 1000
    const lastYear = this.#zone.at(at).year + yearsMax
    let begun = false
    const begin = (start: number): void => {
      if (!begun) at = start
      begun = true
    }
    search: for (;;) {
      let local = this.#zone.at(at)
      if (local.year > lastYear) return undefined
      while (!some.set.has(local.month)) {
        begin(this.#zone.instant(local.year, local.month, 1))
        at = this.#startOf(local.year, local.month + 1, 1, at)
        local = this.#zone.at(at)
        if (local.month === 1) continue search
      }
      while (!this.#isDay(local)) {
        begin(this.#zone.instant(local.year, local.month, local.day))
        at = this.#startOf(local.year, local.month, local.day + 1, at)
        local = this.#zone.at(at)
        if (local.day === 1) continue search
      }
      while (!hours.set.has(local.hour)) {
        begin(this.#zone.instant(local.year, local.month, local.day, local.hour))
        // A change of clocks by half an hour moves the search to the middle of an hour.
        at +=
          local.minute === 0
            ? this.#step(at, stepsTo(hours.set, local.hour, 24), hourMs)
            : (60 - local.minute) * minuteMs
        local = this.#zone.at(at)
        if (local.hour === 0) continue search
      }
      while (!minutes.set.has(local.minute)) {
        begin(Math.floor(at / minuteMs) * minuteMs)
        at += this.#step(at, stepsTo(minutes.set, local.minute, 60), minuteMs)
        local = this.#zone.at(at)
        if (local.minute === 0) continue search
      }
      if (local.second === 0) return at
      begin(at)
      at += (60 - local.second) * 1000
    }
  }

  /** Searches the matching hours from the last one, each with a margin for clock changes. */
  last(fromMs: number, untilMs: number): number | undefined {
    const now = this.#lastWithin(Math.max(fromMs, untilMs - marginMs), untilMs)
    if (now !== undefined) return now
    for (const hourAtMs of this.#hoursBefore(untilMs, fromMs)) {
      const end = Math.min(untilMs, hourAtMs + marginMs)
      const found = this.#lastWithin(Math.max(fromMs, hourAtMs - marginMs), end)
      if (found !== undefined) return found
    }
    return undefined
  }

  has(ms: number): boolean {
    return this.next(ms - 1000) === ms
  }

  #lastWithin(fromMs: number, untilMs: number): number | undefined {
    let last: number | undefined
    for (let at = this.next(fromMs); at !== undefined && at <= untilMs; at = this.next(at)) last = at
    return last
  }

  /** The starts of matching hours, from that of `untilMs` back to about `fromMs`. */
  *#hoursBefore(untilMs: number, fromMs: number): Generator<number, void> {
    const { hours, months } = this.#fields
    const start = this.#zone.at(untilMs)
    let hour = start.hour
    // Days are counted in UTC, where each has 24 hours.
    let day = Date.UTC(start.year, start.month - 1, start.day)
    while (day > fromMs - 2 * dayMs) {
      const date = new Date(day)
      const local = {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
      }
      if (months.set.has(local.month)) {
        if (this.#isDay(local))
          for (; hour >= 0; hour--)
            if (hours.set.has(hour)) yield this.#zone.instant(local.year, local.month, local.day, hour)
        day -= dayMs
      } else day -= local.day * dayMs
      hour = 23
    }
  }

  /**
   * The start of that day, or of the first later day that starts after `afterMs`: a day whose midnight is skipped
   * starts later, and a zone that crosses the date line skips a day.
   */
  #startOf(year: number, month: number, day: number, afterMs: number): number {
    for (let more = 0; ; more++) {
      const start = this.#zone.instant(year, month, day + more)
      const { hour } = this.#zone.at(start)
      const shifted = hour > 12 ? start + (24 - hour) * hourMs : start
      if (shifted > afterMs) return shifted
    }
  }

  /** Several units at once where no clock change is near, else one. */
  #step(at: number, count: number, unitMs: number): number {
    return at + count * unitMs < this.#zone.steadyUntilMs(at) ? count * unitMs : unitMs
  }

  /** A day must match both fields where one of them is unrestricted, else either of them. */
  #isDay({ day, weekday }: Pick<LocalTime, 'day' | 'weekday'>): boolean {
    const { days: inMonth, weekdays } = this.#fields
    const [byDay, byWeekday] = [inMonth.set.has(day), weekdays.set.has(weekday)]
    return inMonth.isStar || weekdays.isStar ? byDay && byWeekday : byDay || byWeekday
  }
}

/** The distance to the next matching value, or to `end`. */
function stepsTo(set: ReadonlySet<number>, value: number, end: number): number {
  let next = value + 1
  while (next < end && !set.has(next)) next++
  return next - value
}
