import { parseDuration, readCidr, readIp } from '../../object/index.ts'

type Check = (text: string) => boolean

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const uuid = (version: string): Check =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?[0-9a-f]{12}$`, 'i'))

function macPattern(): RegExp {
  const bytes = '[0-9a-f]{2}'
  const groups = [6, 8, 20].flatMap((count) => [
    `${bytes}(:${bytes}){${count - 1}}`,
    `${bytes}(-${bytes}){${count - 1}}`,
  ])
  const dotted = [3, 4, 10].map((count) => `[0-9a-f]{4}(\\.[0-9a-f]{4}){${count - 1}}`)
  return new RegExp(`^(?:${[...groups, ...dotted].join('|')})$`, 'i')
}

/** Formats of strings that are enforced, by their names without hyphens. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-f]{24}$/i)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  // Parts of IPv4 addresses may begin with zeros; an IPv4 address within an IPv6 one is both.
  ['ipv4', (text) => text.includes('.') && readIp(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && readIp(text) !== undefined],
  ['cidr', (text) => readCidr(text) !== undefined],
  ['mac', matches(macPattern())],
  ['uuid', uuid('[0-9a-f]{4}-?[0-9a-f]{4}')],
  ['uuid3', uuid('3[0-9a-f]{3}-?[0-9a-f]{4}')],
  ['uuid4', uuid('4[0-9a-f]{3}-?[89ab][0-9a-f]{3}')],
  ['uuid5', uuid('5[0-9a-f]{3}-?[89ab][0-9a-f]{3}')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matches(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
])

/** Formats of numbers, which are enforced with their values. */
const numeric = new Set(['int32', 'int64', 'float', 'double'])

export function isEnforcedFormat(format: string | undefined): boolean {
  return format !== undefined && (numeric.has(format) || checks.has(nameOf(format)))
}

/** Whether a text has the format; true for formats that do not restrict texts. */
export function hasFormat(format: string, text: string): boolean {
  return checks.get(nameOf(format))?.(text) ?? true
}

function nameOf(format: string): string {
  return format.replaceAll('-', '')
}

/** An absolute URI or an absolute path, as Go's ParseRequestURI takes them. */
function isUri(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- what no URI holds
  if (text === '' || /[\u0000-\u001f\u007f ]/.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return false
  if (text.startsWith('/')) return true
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || URL.canParse(text))
}

function isEmail(text: string): boolean {
  const bare = /^(?:[^<>"]*<)?([^<>@\s]+@[^<>@\s]+?)>?$/.exec(text)?.[1]
  return bare !== undefined && /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+$/.test(bare) && !bare.includes('..')
}

/** A name without dots may have one hyphen, after its first character. */
const onlyLabel = /^[a-z0-9\p{S}\p{L}]-?[a-z0-9\p{S}\p{L}]{0,62}$/iu
const hostLabel = /^[a-z0-9\p{S}\p{L}](?:[a-z0-9\p{S}\p{L}-]{0,61}[a-z0-9\p{S}\p{L}])?$/iu
const topLabel = /^\p{L}{2,63}$/u

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false
  const labels = text.split('.')
  if (labels.some((label) => Buffer.byteLength(label) > 63)) return false
  const top = labels.pop() ?? ''
  if (labels.length === 0) return onlyLabel.test(top)
  return topLabel.test(top) && labels.every((label) => hostLabel.test(label))
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[- ]/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[- ]/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  return (
    Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  )
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (
    !/^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|62\d{14})$/.test(
      digits,
    )
  )
    return false
  let sum = 0
  for (const [index, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

function isRgbColor(text: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)
  return parts !== null && parts.slice(1).every((part) => Number(part) <= 255 && /^(?:0|[1-9]\d*)$/.test(part))
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return year !== '' && isDay(Number(year), Number(month), Number(day))
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

function isDateTime(text: string): boolean {
  const found = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):?(\d{2}))$/.exec(text)
  if (!found) return false
  const [, date = '', hour, minute, second, offsetHour = '0', offsetMinute = '0'] = found
  return (
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  )
}

const scalaUnits =
  'ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?'
const scalaDuration = new RegExp(`^\\s*\\d+\\s*(?:${scalaUnits})(?:\\s+\\d+\\s*(?:${scalaUnits}))*\\s*$`)

function isDuration(text: string): boolean {
  if (scalaDuration.test(text)) return true
  try {
    parseDuration(text)
    return true
  } catch {
    return false
  }
}
