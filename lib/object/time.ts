import { quoteGo } from './goquote.ts'

/** The instant 0001-01-01T00:00:00Z, which is null in JSON. */
export const zeroTime = '0001-01-01T00:00:00Z'

const layoutSeconds = '2006-01-02T15:04:05Z07:00'
const layoutMicros = '2006-01-02T15:04:05.000000Z07:00'

/** RFC 3339 with any offset to UTC seconds: `2023-11-14T22:13:20Z`. Throws an Error with the text that clients see. */
export function canonicalTime(text: string): string {
  if (isPlainTime(text)) return text
  return formatTime(parse(text, layoutSeconds).seconds * 1000)
}

const plainMicros = /^.{19}\.\d{6}Z$/

/** RFC 3339 with exactly six digits of fraction to UTC: `2023-11-14T22:13:20.000001Z`. Throws as canonicalTime does. */
export function canonicalMicroTime(text: string): string {
  if (plainMicros.test(text) && isPlainTime(`${text.slice(0, 19)}Z`)) return text
  const { seconds, fraction } = parse(text, layoutMicros)
  return `${formatTime(seconds * 1000).slice(0, -1)}.${fraction}Z`
}

/** Milliseconds since the epoch of a Time or MicroTime (finer parts are cut). Throws as canonicalTime does. */
export function parseTime(text: string): number {
  if (isPlainTime(text)) return plainSecondsOf(text) * 1000
  const { seconds, fraction } = parse(text, layoutSeconds)
  return seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** The longest duration in Go, 2^63 nanoseconds: about 292 years. */
const secondsMax = 9_223_372_036

/**
 * Milliseconds of a number of seconds that an object holds as an int64: beyond 2^53 that is a bigint, whatever its type
 * says. At most ±292 years, so that sums with it are valid times.
 */
export function secondsToMs(seconds: number | bigint): number {
  return Math.max(-secondsMax, Math.min(secondsMax, Number(seconds))) * 1000
}

const daySeconds = 86400
const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

/** Milliseconds since the epoch to `2023-11-14T22:13:20Z`. The calendar by arithmetic: Date takes five times as long. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const days = Math.floor(seconds / daySeconds)
  const rest = seconds - days * daySeconds
  // Days counted from 1 March of year 0, in eras of 400 years.
  const shifted = days + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (year < 1000 || year > 9999) return formatFarYear(seconds * 1000)
  const clock = `${twoDigits[Math.floor(rest / 3600)]}:${twoDigits[Math.floor((rest % 3600) / 60)]}:${twoDigits[rest % 60]}`
  return `${year}-${twoDigits[month]}-${twoDigits[day]}T${clock}Z`
}

/** Years without exactly four digits. */
function formatFarYear(ms: number): string {
  const iso = new Date(ms).toISOString()
  return `${iso.replace(/^\+0/, '').replace(/^-00/, '-').slice(0, -5)}Z`
}

/** Milliseconds (with a fraction, if there is one) to `2023-11-14T22:13:20.000000Z`. */
export function formatMicroTime(ms: number): string {
  const micros = Math.floor(ms * 1000)
  const fraction = micros - Math.floor(micros / 1_000_000) * 1_000_000
  return `${formatTime(micros / 1000).slice(0, -1)}.${String(fraction).padStart(6, '0')}Z`
}

const plainSeconds = /^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/** Whether a text is a time in canonical form with a four-digit year. */
export function isPlainTime(text: string): boolean {
  if (!plainSeconds.test(text)) return false
  const day = digits(text, 8, 10)
  return day <= 28 || day <= daysIn(digits(text, 0, 4), digits(text, 5, 7))
}

/** Seconds since the epoch of a text that isPlainTime: by arithmetic, as formatTime. */
export function plainSecondsOf(text: string): number {
  const month = digits(text, 5, 7)
  const year = digits(text, 0, 4) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + digits(text, 8, 10) - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  const days = era * 146097 + dayOfEra - 719468
  return days * daySeconds + digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19)
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let index = from; index < to; index++) value = value * 10 + text.charCodeAt(index) - 48
  return value
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

interface Instant {
  readonly seconds: number
  /** Digits after the point, as written. */
  readonly fraction: string
}

/** Parses the text, with errors in the form of Go's time package. */
function parse(text: string, layout: string): Instant {
  let rest = text
  const fail = (element: string): never => {
    throw new Error(
      `parsing time ${quoteGo(text)} as ${quoteGo(layout)}: cannot parse ${quoteGo(rest)} as ${quoteGo(element)}`,
    )
  }
  const outOfRange = (what: string): never => {
    throw new Error(`parsing time ${quoteGo(text)}: ${what} out of range`)
  }
  const number = (element: string, pattern: RegExp): number => {
    const digits = pattern.exec(rest)?.[0]
    if (digits === undefined) return fail(element)
    rest = rest.slice(digits.length)
    return Number(digits)
  }
  const literal = (character: string): void => {
    if (!rest.startsWith(character)) fail(character)
    rest = rest.slice(1)
  }
  const year = number('2006', /^\d{4}/)
  literal('-')
  const month = number('01', /^\d\d/)
  if (month < 1 || month > 12) outOfRange('month')
  literal('-')
  const day = number('02', /^\d\d/)
  literal('T')
  const hour = number('15', /^\d\d?/)
  if (hour > 23) outOfRange('hour')
  literal(':')
  const minute = number('04', /^\d\d/)
  if (minute > 59) outOfRange('minute')
  literal(':')
  const second = number('05', /^\d\d/)
  if (second > 59) outOfRange('second')
  let fraction = ''
  if (layout === layoutMicros) {
    fraction = /^[.,](\d{6})/.exec(rest)?.[1] ?? fail('.000000')
    rest = rest.slice(7)
  } else {
    const found = /^[.,](\d+)/.exec(rest)
    if (found) {
      fraction = found[1] ?? ''
      rest = rest.slice(found[0].length)
    }
  }
  const offsetSeconds = zone()
  if (rest !== '') throw new Error(`parsing time ${quoteGo(text)}: extra text: ${quoteGo(rest)}`)
  if (day < 1 || day > daysIn(year, month)) outOfRange('day')
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return { seconds: date.getTime() / 1000 - offsetSeconds, fraction }

  function zone(): number {
    if (rest.startsWith('Z')) {
      rest = rest.slice(1)
      return 0
    }
    const found = /^([+-])(\d\d):(\d\d)/.exec(rest)
    if (!found) return fail('Z07:00')
    rest = rest.slice(6)
    const hours = Number(found[2])
    const minutes = Number(found[3])
    if (hours > 24) outOfRange('time zone offset hour')
    if (minutes > 60) outOfRange('time zone offset minute')
    return (found[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
