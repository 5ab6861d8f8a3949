import { FieldSchedule, type Values } from './fieldschedule.ts'
import type { TimeZone } from './timezone.ts'

/** The times of a cron schedule in one time zone. */
export interface Schedule {
  /** The first time after `afterMs`, in milliseconds; undefined: none within five years. */
  next(afterMs: number): number | undefined
  /** The last time after `fromMs` and up to `untilMs`; undefined: none. */
  last(fromMs: number, untilMs: number): number | undefined
  /** True for a time of the schedule. */
  has(ms: number): boolean
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

/** A zone in the schedule takes precedence over `zone`. Throws an Error for an invalid schedule. */
export function parseSchedule(text: string, zone: TimeZone, zoneOf: (name: string) => TimeZone): Schedule {
  const prefixed = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/.exec(text)
  if (prefixed) return parsePlain(prefixed[2] ?? '', zoneOf(prefixed[1] ?? ''))
  return parsePlain(text, zone)
}

function parsePlain(text: string, zone: TimeZone): Schedule {
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

/** The longest duration in Go: 2^63 nanoseconds. */
const durationMsMax = 2 ** 63 / 1e6

function everySo(text: string): Schedule {
  const isDuration = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(text)
  let ms = 0
  for (const [, value, unit] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g))
    ms += Number(value) * (units[unit ?? ''] ?? 0)
  if (!isDuration || ms > durationMsMax)
    throw new Error(`failed to parse duration @every ${text}: time: invalid duration "${text}"`)
  const periodMs = Math.max(1000, Math.floor(ms / 1000) * 1000)
  const start = (ms: number): number => Math.floor(ms / 1000) * 1000
  return {
    next: (afterMs) => start(afterMs) + periodMs,
    last(fromMs, untilMs) {
      const count = Math.floor((untilMs - start(fromMs)) / periodMs)
      return count > 0 ? start(fromMs) + count * periodMs : undefined
    },
    has: (at) => at === start(at),
  }
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
