import { parseRequestUri } from '../../cel/index.ts'
import { parseLooseDuration, readCidr, readIp } from '../../object/index.ts'
import { isMailAddress } from './mailaddress.ts'

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
  const bare = [6, 8, 20].map((count) => `(?:${bytes}){${count}}`)
  return new RegExp(`^(?:${[...groups, ...dotted, ...bare].join('|')})$`, 'i')
}

/** Enforced formats of strings, by their names without hyphens. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-f]{24}$/i)],
  ['uri', (text) => typeof parseRequestUri(text) !== 'string'],
  ['email', isMailAddress],
  ['hostname', isHostname],
  // Parts of IPv4 addresses may begin with zeros, but not within IPv6 ones; an IPv4 address within an IPv6 one is both.
  ['ipv4', (text) => text.includes('.') && readIp(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && readIp(text)?.leadingZeros === false],
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
  ['ssn', matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', matches(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseLooseDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && isLabel(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every(isLabel)],
])

/** Enforced formats of numbers, by their type. */
const numeric: ReadonlyMap<string, readonly string[]> = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
])

/** Whether the format restricts values of the type; a schema without a type restricts strings. */
export function isKnownFormat(type: string, format: string): boolean {
  return type === '' || type === 'string' ? checks.has(nameOf(format)) : (numeric.get(type)?.includes(format) ?? false)
}

/** Whether a string has the format; true for formats that do not restrict strings. */
export function hasFormat(format: string, text: string): boolean {
  return checks.get(nameOf(format))?.(text) ?? true
}

function nameOf(format: string): string {
  return format.replaceAll('-', '')
}

/** A part of a name, of any length. */
function isLabel(text: string): boolean {
  return /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)
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

/** White space in the stock server's patterns. */
const separators = /[-\t\n\f\r ]+/g

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(separators, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(separators, '')
  if (!/^\d{13}$/.test(digits)) return false
  return (
    Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  )
}

const creditCard =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (!creditCard.test(digits)) return false
  let sum = 0
  for (const [index, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

function isRgbColor(text: string): boolean {
  const parts =
    /^rgb\([\t\n\f\r ]*(\d{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*(\d{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*(\d{1,3})[\t\n\f\r ]*\)$/.exec(
      text,
    )
  return parts !== null && parts.slice(1).every((part) => Number(part) <= 255 && /^(?:0|[1-9]\d*)$/.test(part))
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  return year !== '' && isDay(Number(year), Number(month), Number(day))
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** A date and a time; the stock server ignores everything behind the next `t`. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.split(/[Tt]/, 2)
  const [, hour = '', minute = '', second = ''] = timeOfDay.exec(time) ?? []
  return isDate(date) && hour !== '' && hour <= '23' && minute <= '59' && second <= '59'
}

/** Any character may precede the fraction. */
const timeOfDay = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$/u
