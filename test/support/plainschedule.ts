/** The values of each field of a schedule, whose days count together. */
export interface PlainFields {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: readonly number[]
  readonly weekdays: readonly number[]
}

const minuteMs = 60_000
/** Clocks change at quarters of an hour. */
const slotMs = 15 * minuteMs

/** A schedule in a zone, minute by minute: slow, and easy to believe. */
export function createPlainSchedule(zone: string, fields: PlainFields) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const offsets = new Map<number, number>()

  function offsetMs(ms: number): number {
    const slot = Math.floor(ms / slotMs)
    let offset = offsets.get(slot)
    if (offset === undefined) {
      const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (
        format.format(slot * slotMs).match(/\d+/g) ?? []
      ).map(Number)
      offset = Date.UTC(year, month - 1, day, hour, minute) - slot * slotMs
      offsets.set(slot, offset)
    }
    return offset
  }

  function has(ms: number): boolean {
    const local = new Date(ms + offsetMs(ms))
    return (
      fields.minutes.includes(local.getUTCMinutes()) &&
      fields.hours.includes(local.getUTCHours()) &&
      fields.months.includes(local.getUTCMonth() + 1) &&
      fields.weekdays.includes(local.getUTCDay())
    )
  }

  return {
    /** The first time after one and up to the other. */
    next(afterMs: number, untilMs: number): number | undefined {
      for (let at = (Math.floor(afterMs / minuteMs) + 1) * minuteMs; at <= untilMs; at += minuteMs)
        if (has(at)) return at
      return undefined
    },
    last(afterMs: number, untilMs: number): number | undefined {
      for (let at = Math.floor(untilMs / minuteMs) * minuteMs; at > afterMs; at -= minuteMs) if (has(at)) return at
      return undefined
    },
  }
}
