import type { TimeZone } from './timezone.ts'

/** When something is to be done, as cron tells it, in one time zone. */
export interface Schedule {
  /** The first time after that one, in milliseconds; undefined where there is none in five years. */
  next(afterMs: number): number | undefined
}

interface Field {
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const minuteField = { min: 0, max: 59 }
const hourField = { min: 0, max: 23 }
const dayField = { min: 1, max: 31 }
const monthField = { min: 1, max: 12, names: months }
const weekdayField = { min: 0, max: 6, names: days }

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** A zone in the schedule itself wins over the one given. Throws an Error that says what is wrong. */
export function parseSchedule(text: string, zone: TimeZone, zoneOf: (name: string) => TimeZone): Schedule {
  const prefixed = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/.exec(text)
  if (prefixed) return parseSchedule(prefixed[2] ?? '', zoneOf(prefixed[1] ?? ''), zoneOf)
  if (text.startsWith('@every ')) return everySo(text.slice('@every '.length))
  const plain = descriptors.get(text) ?? text
  if (plain.startsWith('@')) throw new Error(`unrecognized descriptor: ${plain}`)
  const parts = plain.trim().split(/\s+/)
  if (parts.length !== 5) throw new Error(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  return new FieldSchedule(zone, {
    minutes: parseField(minute, minuteField),
    hours: parseField(hour, hourField),
    days: parseField(day, dayField),
    months: parseField(month, monthField),
    weekdays: parseField(weekday, weekdayField),
  })
}

const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
}

function everySo(text: string): Schedule {
  const isDuration = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(text)
  if (!isDuration) throw new Error(`failed to parse duration @every ${text}: time: invalid duration "${text}"`)
  let ms = 0
  for (const [, value, unit] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g))
    ms += Number(value) * (units[unit ?? ''] ?? 0)
  const periodMs = Math.max(1000, Math.floor(ms / 1000) * 1000)
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + periodMs }
}

interface Values {
  readonly set: ReadonlySet<number>
  /** Says nothing: `*` or `?` without a step. */
  readonly isStar: boolean
}

function parseField(text: string, field: Field): Values {
  const set = new Set<number>()
  let isStar = false
  for (const range of text.split(',')) {
    const [span = '', stepText, ...more] = range.split('/')
    if (more.length > 0) throw new Error(`too many slashes: ${range}`)
    const [low = '', high, ...extra] = span.split('-')
    if (extra.length > 0) throw new Error(`too many hyphens: ${range}`)
    const step = stepText === undefined ? 1 : integerOf(stepText)
    if (step === 0) throw new Error(`step of range should be a positive number: ${range}`)
    const all = low === '*' || low === '?'
    const start = all ? field.min : valueOf(low, field)
    const open = all || (high === undefined && stepText !== undefined)
    const end = open ? field.max : high === undefined ? start : valueOf(high, field)
    if (start < field.min) throw new Error(`beginning of range (${start}) below minimum (${field.min}): ${range}`)
    if (end > field.max) throw new Error(`end of range (${end}) above maximum (${field.max}): ${range}`)
    if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${range}`)
    for (let value = start; value <= end; value += step) set.add(value)
    if (all && step === 1) isStar = true
  }
  return { set, isStar }
}

function valueOf(text: string, { names = [], min }: Field): number {
  const named = names.indexOf(text.toLowerCase())
  return named >= 0 ? named + min : integerOf(text)
}

function integerOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`)
}

const hourMs = 3_600_000
const minuteMs = 60_000
const yearsMax = 5

class FieldSchedule implements Schedule {
  readonly #zone: TimeZone
  readonly #fields: Readonly<Record<'minutes' | 'hours' | 'days' | 'months' | 'weekdays', Values>>

  constructor(zone: TimeZone, fields: Readonly<Record<'minutes' | 'hours' | 'days' | 'months' | 'weekdays', Values>>) {
    this.#zone = zone
    this.#fields = fields
  }

  /**
   * Goes to the next month, day, hour and minute that fit, each time from the start of the one before, and hours by the
   * clock that runs on: a time that a change of clocks leaves out is left out, one that comes twice comes twice.
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
        at = this.#zone.instant(local.year, local.month + 1, 1)
        local = this.#zone.at(at)
        if (local.month === 1) continue search
      }
      while (!this.#isDay(local)) {
        begin(this.#zone.instant(local.year, local.month, local.day))
        at = this.#midnight(this.#zone.instant(local.year, local.month, local.day + 1))
        local = this.#zone.at(at)
        if (local.day === 1) continue search
      }
      while (!hours.set.has(local.hour)) {
        begin(this.#zone.instant(local.year, local.month, local.day, local.hour))
        at += hourMs
        local = this.#zone.at(at)
        if (local.hour === 0) continue search
      }
      while (!minutes.set.has(local.minute)) {
        begin(Math.floor(at / minuteMs) * minuteMs)
        at += minuteMs
        local = this.#zone.at(at)
        if (local.minute === 0) continue search
      }
      if (local.second === 0) return at
      begin(at)
      at += (60 - local.second) * 1000
    }
  }

  /** Where a day does not begin at midnight. */
  #midnight(at: number): number {
    const { hour } = this.#zone.at(at)
    if (hour === 0) return at
    return hour > 12 ? at + (24 - hour) * hourMs : at - hour * hourMs
  }

  /** Days of the month and of the week count together where one of them says nothing, else either is enough. */
  #isDay({ day, weekday }: { readonly day: number; readonly weekday: number }): boolean {
    const { days: inMonth, weekdays } = this.#fields
    const [byDay, byWeekday] = [inMonth.set.has(day), weekdays.set.has(weekday)]
    return inMonth.isStar || weekdays.isStar ? byDay && byWeekday : byDay || byWeekday
  }
}
