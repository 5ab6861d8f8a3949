import { parseDuration as parseGoDuration } from '../object/index.ts'
import { invalidArgument, overflow } from './errors.ts'
import { Duration, Timestamp } from './values.ts'

const nanosPerSecond = 1_000_000_000n
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const secondsMin = -62135596800
const secondsMax = 253402300799
const durationMax = 0x7fffffffffffffffn

/** A timestamp within years 1 to 9999; throws overflow. */
export function checkTimestamp(seconds: number, nanos: number): Timestamp {
  if (seconds < secondsMin || seconds > secondsMax) return overflow('timestamp')
  return new Timestamp(seconds, nanos)
}

/** A duration within int64 nanoseconds; throws overflow. */
export function checkDuration(nanos: bigint): Duration {
  if (nanos > durationMax || nanos < -durationMax - 1n) return overflow('duration')
  return new Duration(nanos)
}

export function addDuration(timestamp: Timestamp, nanos: bigint): Timestamp {
  const total = BigInt(timestamp.nanos) + nanos
  let seconds = total / nanosPerSecond
  let rest = total % nanosPerSecond
  if (rest < 0n) {
    rest += nanosPerSecond
    seconds -= 1n
  }
  return checkTimestamp(timestamp.seconds + Number(seconds), Number(rest))
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Duration {
  return checkDuration(BigInt(a.seconds - b.seconds) * nanosPerSecond + BigInt(a.nanos - b.nanos))
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** RFC 3339, with up to nine digits of a second; undefined when it is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = rfc3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match
  const date = utc(Number(year), Number(month), Number(day))
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHours ?? 0) > 24 || Number(offsetMinutes ?? 0) > 59) return undefined
  let seconds = date + Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const offset = Number(offsetHours ?? 0) * 3600 + Number(offsetMinutes ?? 0) * 60
  seconds -= sign === '-' ? -offset : offset
  if (seconds < secondsMin || seconds > secondsMax) return undefined
  return new Timestamp(seconds, Number((fraction ?? '').padEnd(9, '0')))
}

function utc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.getTime() / 1000
}

/** A day without a time (`format: date`): its first second. */
export function parseDate(text: string): Timestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined
}

export function formatTimestamp(timestamp: Timestamp): string {
  const base = new Date(timestamp.seconds * 1000).toISOString().slice(0, 19)
  return `${base}${fraction(timestamp.nanos)}Z`
}

function fraction(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

/** Go's form: `1h30m`, `-1.5s`, `100ms`; undefined when it is none or leaves int64 nanoseconds. */
export function parseDuration(text: string): Duration | undefined {
  try {
    return new Duration(parseGoDuration(text))
  } catch {
    return undefined
  }
}

/** Seconds, with a fraction where there is one: `90.5s`. */
export function formatDuration(duration: Duration): string {
  const negative = duration.nanos < 0n
  const nanos = negative ? -duration.nanos : duration.nanos
  return `${negative ? '-' : ''}${nanos / nanosPerSecond}${fraction(Number(nanos % nanosPerSecond))}s`
}

/** Calendar fields of a timestamp in a time zone: an IANA name, `+02:00`, or '' for UTC. */
export function calendar(timestamp: Timestamp, zone: string, zones: ZoneCache): Date {
  const millis = timestamp.seconds * 1000 + Math.floor(timestamp.nanos / 1_000_000)
  if (zone === '' || zone === 'UTC') return new Date(millis)
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3])
    if (Number(fixed[2]) > 23 || Number(fixed[3]) > 59) invalidArgument(`unknown time zone ${zone}`)
    return new Date(millis + (fixed[1] === '-' ? -minutes : minutes) * 60_000)
  }
  return new Date(millis + zoneOffset(millis, zones.get(zone)))
}

const zonesMax = 64

/** Formatters of time zones: dear to make, hence kept. */
export class ZoneCache {
  readonly #formats = new Map<string, Intl.DateTimeFormat | undefined>()

  get(zone: string): Intl.DateTimeFormat {
    if (!this.#formats.has(zone)) {
      if (this.#formats.size >= zonesMax) this.#formats.clear()
      this.#formats.set(zone, zoneFormat(zone))
    }
    const format = this.#formats.get(zone)
    return format ?? invalidArgument(`unknown time zone ${zone}`)
  }
}

function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    })
  } catch {
    return undefined
  }
}

function zoneOffset(millis: number, format: Intl.DateTimeFormat): number {
  const parts = format.formatToParts(millis)
  const part = (type: string): number => Number(parts.find((p) => p.type === type)?.value ?? 0)
  const local = new Date(0)
  const era = parts.find((p) => p.type === 'era')?.value ?? 'AD'
  local.setUTCFullYear(era.startsWith('B') ? 1 - part('year') : part('year'), part('month') - 1, part('day'))
  local.setUTCHours(part('hour'), part('minute'), part('second'))
  return local.getTime() - Math.floor(millis / 1000) * 1000
}
