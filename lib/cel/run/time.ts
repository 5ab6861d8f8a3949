import { parseDuration as parseGoDuration, quote } from '../../object/index.ts'
import { invalidArgument, overflow } from './errors.ts'
import { Duration, Timestamp } from './values.ts'

const nanosPerSecond = 1_000_000_000n
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const secondsMin = -62135596800
const secondsMax = 253402300799
const durationMax = 0x7fffffffffffffffn

/** A timestamp within years 1 to 9999; throws overflow. */
export function checkTimestamp(seconds: number, nanos: number, offsetMinutes = 0): Timestamp {
  if (seconds < secondsMin || seconds > secondsMax) return overflow('timestamp')
  return new Timestamp(seconds, nanos, offsetMinutes)
}

/** Whether a timestamp may have this many seconds since 1970. */
export function isTimestamp(seconds: bigint): boolean {
  return seconds >= BigInt(secondsMin) && seconds <= BigInt(secondsMax)
}

/** A duration within int64 nanoseconds; throws overflow. */
export function checkDuration(nanos: bigint): Duration {
  if (nanos > durationMax || nanos < -durationMax - 1n) return overflow('integer')
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
  return checkTimestamp(timestamp.seconds + Number(seconds), Number(rest), timestamp.offsetMinutes)
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Duration {
  return checkDuration(BigInt(a.seconds - b.seconds) * nanosPerSecond + BigInt(a.nanos - b.nanos))
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/** RFC 3339 as Go parses it, with up to nine fractional digits; undefined for other texts. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = rfc3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match
  const date = utc(Number(year), Number(month), Number(day))
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined
  const size = Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)
  const offset = sign === '-' ? 0 - size : size
  const seconds = date + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset * 60
  if (seconds < secondsMin || seconds > secondsMax) return undefined
  return new Timestamp(seconds, Number((fraction ?? '').slice(0, 9).padEnd(9, '0')), offset)
}

function utc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.getTime() / 1000
}

/** The first second of a day without a time (`format: date`). */
export function parseDate(text: string): Timestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined
}

export function formatTimestamp({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const base = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19)
  return `${base}${fraction(nanos)}${offsetText(offsetMinutes)}`
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function fraction(nanos: number): string {
  return nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

/** Go's form: `1h30m`, `-1.5s`, `100ms`; undefined for other texts and beyond int64 nanoseconds. */
export function parseCelDuration(text: string): Duration | undefined {
  try {
    return new Duration(parseGoDuration(text))
  } catch {
    return undefined
  }
}

/** Seconds, with a fraction if there is one: `90.5s`. */
export function formatCelDuration(duration: Duration): string {
  const negative = duration.nanos < 0n
  const nanos = negative ? -duration.nanos : duration.nanos
  return `${negative ? '-' : ''}${nanos / nanosPerSecond}${fraction(Number(nanos % nanosPerSecond))}s`
}

/** Calendar fields of a timestamp in a time zone: an IANA name, `+02:00`, or '' for UTC. */
export function calendar(timestamp: Timestamp, zone: string, zones: ZoneCache): Date {
  const millis = timestamp.seconds * 1000 + Math.floor(timestamp.nanos / 1_000_000)
  // Servers run in UTC, so `Local` means UTC.
  if (zone === '' || zone === 'UTC' || zone === 'Local') return new Date(millis)
  const colon = zone.indexOf(':')
  if (colon < 0) return new Date(millis + zoneOffset(millis, zones.get(zone)))
  const hours = offsetPart(zone.slice(0, colon))
  const minutes = offsetPart(zone.slice(colon + 1))
  if (Math.abs(hours) > 23) return invalidArgument(`timezone offset hours out of range [-23, 23]: ${zone}`)
  if (minutes < 0 || minutes > 59) return invalidArgument(`timezone offset minutes out of range [0, 59]: ${zone}`)
  const offset = hours * 60 + (zone.startsWith('-') ? -minutes : minutes)
  return new Date(millis + offset * 60_000)
}

function offsetPart(text: string): number {
  if (!/^[+-]?\d{1,18}$/.test(text)) return invalidArgument(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`)
  return Number(text)
}

const zonesMax = 64

/** Formatters of time zones, kept because creating them is expensive. */
export class ZoneCache {
  readonly #formats = new Map<string, Intl.DateTimeFormat | undefined>()

  get(zone: string): Intl.DateTimeFormat {
    if (!this.#formats.has(zone)) {
      if (this.#formats.size >= zonesMax) this.#formats.clear()
      this.#formats.set(zone, isZoneName(zone) ? zoneFormat(zone) : undefined)
    }
    const format = this.#formats.get(zone)
    return format ?? invalidArgument(`unknown time zone ${zone}`)
  }
}

/** Names begin with a capital letter, which Intl does not require; Intl also accepts offsets. */
function isZoneName(zone: string): boolean {
  return /^[A-Z][A-Za-z0-9_+/-]*$/.test(zone)
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
