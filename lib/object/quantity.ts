/**
 * Resource quantities: `1500m`, `2Gi`, `12e6`. A value is an exact decimal, mantissa × 10^scale; the user's text is
 * kept if it is canonical for its family, and arithmetic writes a new one.
 */
export interface Quantity {
  readonly mantissa: bigint
  /** Power of ten; at least -9. */
  readonly scale: number
  readonly family: QuantityFamily
  /** Its text form. */
  readonly text: string
}
type QuantityFamily = 'decimalSI' | 'binarySI' | 'decimalExponent'

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongSuffix = "unable to parse quantity's suffix"
const wrongNumber = 'unable to parse numeric part of quantity'

/** Longer texts are refused: their arithmetic would cost more than any real quantity justifies. */
export const quantityCharactersMax = 1024
/** Larger exponents overflow in the stock server, which would read another number. */
const exponentMax = 2 ** 31 - 1
/** Arithmetic treats larger powers of ten as this one; no real quantity comes close. */
const scaleMax = 1024
const scaleMin = -9
/** Digits that the stock parser handles in 64 bits; it keeps the user's text only there. */
const fastDigitsMax = 18
const binaryValueMax = 2n ** 63n - 1n

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const decimalSuffixOf = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]))
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Throws an Error with the text that clients see. */
export function parseQuantity(text: string): Quantity {
  const parts = split(text)
  const suffix = interpretSuffix(parts.suffix)
  if (suffix.family === 'binarySI') return parseBinary(text, parts, suffix.exponent)
  return parseDecimal(text, parts, suffix.exponent, suffix.family)
}

/**
 * The text of a quantity after decoding: the original if it is canonical for its family, else the canonical one. Throws
 * as parseQuantity does.
 */
export function canonicalQuantity(text: string): string {
  return isPlain(text) ? text : parseQuantity(text.trim()).text
}

/** Negative, 0 or positive. */
export function compareQuantities(left: string, right: string): number {
  if (left === right) return 0
  const [small, other] = [smallMillis(left), smallMillis(right)]
  if (small !== undefined && other !== undefined) return small - other
  return compareAmounts(parseQuantity(left), parseQuantity(right))
}

/** Thousandths of a quantity in a common form, if a number holds them exactly; undefined for others. */
function smallMillis(text: string): number | undefined {
  let amount = 0
  let at = 0
  for (; at < text.length && at < smallDigitsMax; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) break
    amount = amount * 10 + digit
  }
  const factor = at === 0 ? undefined : millisOf.get(at === text.length ? '' : text.slice(at))
  if (factor === undefined) return undefined
  const millis = amount * factor
  return Number.isSafeInteger(millis) ? millis : undefined
}

const smallDigitsMax = 12
const millisOf: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['', 1000],
  ['k', 1000 ** 2],
  ['M', 1000 ** 3],
  ['G', 1000 ** 4],
  ['Ki', 1000 * 1024],
  ['Mi', 1000 * 1024 ** 2],
  ['Gi', 1000 * 1024 ** 3],
])

/** How `amount` compares to `left` × `right`: negative, 0 or positive; exactly. */
export function compareToProduct(amount: string, left: string, right: string): number {
  const [first, second] = [parseQuantity(left), parseQuantity(right)]
  const product = { mantissa: first.mantissa * second.mantissa, scale: first.scale + second.scale }
  return compareAmounts(parseQuantity(amount), product)
}

/** Rounded away from zero to an integer. */
export function quantityValue(text: string): bigint {
  return scaledValue(parseQuantity(text), 0)
}

/** In thousandths, rounded away from zero. */
export function quantityMilliValue(text: string): bigint {
  return scaledValue(parseQuantity(text), -3)
}

/** Rounds a finer amount than 1m away from zero; otherwise the text stays. */
export function roundUpToMilli(text: string): string {
  const quantity = parseQuantity(text)
  const milli = scaledValue(quantity, -3)
  if (compareAmounts(quantity, { mantissa: milli, scale: -3 }) === 0) return quantity.text
  return formatQuantity(milli, -3, quantity.family)
}

export function addQuantities(left: string, right: string): string {
  return combine(parseQuantity(left), parseQuantity(right), 1n)
}

export function subtractQuantities(left: string, right: string): string {
  return combine(parseQuantity(left), parseQuantity(right), -1n)
}

/** Canonical text: no fraction, the largest suffix with an integer before it. */
export function formatQuantity(mantissa: bigint, scale: number, family: QuantityFamily): string {
  if (mantissa === 0n) return '0'
  if (family === 'binarySI') {
    const integer = integerOf(mantissa, scale)
    if (integer !== undefined && (integer >= 1024n || integer <= -1024n)) return formatBinary(integer)
    return formatDecimal(mantissa, scale, 'decimalSI')
  }
  return formatDecimal(mantissa, scale, family)
}

interface Parts {
  readonly negative: boolean
  /** Without leading zeros, '0' without other digits. */
  readonly integer: string
  readonly fraction: string
  readonly suffix: string
  /** `.` and `Ki` have no digits; they are zero where the stock parser doesn't check. */
  readonly hasDigits: boolean
}

const shape = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/

function split(text: string): Parts {
  const match = text.length === 0 || text.length > quantityCharactersMax ? null : shape.exec(text)
  if (match === null) throw new Error(wrongFormat)
  const [, sign, integer = '', fraction = '', suffix = ''] = match
  return {
    negative: sign === '-',
    integer: integer.replace(/^0+/, '') || '0',
    fraction,
    suffix,
    hasDigits: integer !== '' || fraction !== '',
  }
}

function interpretSuffix(suffix: string): { family: QuantityFamily; exponent: number } {
  const decimal = decimalSuffixes.get(suffix)
  if (decimal !== undefined) return { family: 'decimalSI', exponent: decimal }
  const binary = binarySuffixes.indexOf(suffix)
  if (binary > 0) return { family: 'binarySI', exponent: binary * 10 }
  if (/^[eE][-+]?\d+$/.test(suffix)) {
    const exponent = Number(suffix.slice(1))
    if (exponent <= exponentMax && exponent >= -exponentMax - 1) return { family: 'decimalExponent', exponent }
  }
  throw new Error(wrongSuffix)
}

function parseDecimal(text: string, parts: Parts, exponent: number, family: QuantityFamily): Quantity {
  const digits = parts.integer + parts.fraction
  const scale = exponent - parts.fraction.length
  const magnitude = BigInt(digits)
  const mantissa = parts.negative ? -magnitude : magnitude
  if (digits.length <= fastDigitsMax && scale >= scaleMin) {
    const kept = scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0'
    return { mantissa, scale, family, text: kept ? text : printed(mantissa, scale, family) }
  }
  return rounded(parts, mantissa, scale, family)
}

function parseBinary(text: string, parts: Parts, exponent: number): Quantity {
  const factor = 2n ** BigInt(exponent)
  const precision = 15 - parts.integer.length - Math.trunc(Math.fround((exponent * 3) / 10)) - 1
  if (parts.fraction === '' && precision >= 0) {
    const count = BigInt(parts.integer)
    const mantissa = (parts.negative ? -count : count) * factor
    const kept = count % 8n !== 0n
    return { mantissa, scale: 0, family: 'binarySI', text: kept ? text : formatQuantity(mantissa, 0, 'binarySI') }
  }
  const magnitude = BigInt(parts.integer + parts.fraction) * factor
  return rounded(parts, parts.negative ? -magnitude : magnitude, -parts.fraction.length, 'binarySI')
}

/** Outside the 64-bit path: rounded to 1n away from zero, binary values capped at 2^63-1, always with a new text. */
function rounded(parts: Parts, exactMantissa: bigint, exactScale: number, asked: QuantityFamily): Quantity {
  if (!parts.hasDigits) throw new Error(wrongNumber)
  let mantissa = exactMantissa
  let scale = exactScale
  if (scale < scaleMin) {
    mantissa = divideAwayFromZero(mantissa, scaleMin - scale)
    scale = scaleMin
  }
  let family = asked
  if (family === 'binarySI') {
    const magnitude = { mantissa: mantissa < 0n ? -mantissa : mantissa, scale }
    if (compareAmounts(magnitude, { mantissa: binaryValueMax, scale: 0 }) > 0) {
      mantissa = mantissa < 0n ? -binaryValueMax : binaryValueMax
      scale = 0
    } else if (mantissa !== 0n && compareAmounts(magnitude, { mantissa: 1n, scale: 0 }) < 0) family = 'decimalSI'
  }
  return { mantissa, scale, family, text: printed(mantissa, scale, family) }
}

/** As formatQuantity, for a client's amount: its text can be parsed again. */
function printed(mantissa: bigint, scale: number, family: QuantityFamily): string {
  const text = formatQuantity(mantissa, scale, family)
  if (scale > exponentMax - quantityCharactersMax && Number(text.split('e')[1]) > exponentMax)
    throw new Error(wrongSuffix)
  return text
}

function formatDecimal(exact: bigint, exactScale: number, family: QuantityFamily): string {
  let mantissa = exact
  let exponent = exactScale
  while (mantissa % 10n === 0n) {
    mantissa /= 10n
    exponent++
  }
  while (exponent % 3 !== 0) {
    mantissa *= 10n
    exponent--
  }
  if (family === 'decimalExponent') return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`
  // Beyond E there is no suffix, and the stock server prints none either: 1000E prints as "1".
  return `${mantissa}${decimalSuffixOf.get(exponent) ?? ''}`
}

function formatBinary(exact: bigint): string {
  let mantissa = exact
  let power = 0
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power++
  }
  return `${mantissa}${binarySuffixes[power] ?? ''}`
}

interface Amount {
  readonly mantissa: bigint
  readonly scale: number
}

function integerOf(mantissa: bigint, scale: number): bigint | undefined {
  if (scale >= 0) return mantissa * powerOfTen(scale)
  const divisor = powerOfTen(-scale)
  return mantissa % divisor === 0n ? mantissa / divisor : undefined
}

function scaledValue({ mantissa, scale }: Amount, wanted: number): bigint {
  if (scale >= wanted) return mantissa * powerOfTen(scale - wanted)
  return divideAwayFromZero(mantissa, wanted - scale)
}

/** mantissa / 10^places, away from zero. */
function divideAwayFromZero(mantissa: bigint, places: number): bigint {
  if (mantissa === 0n) return 0n
  const one = mantissa < 0n ? -1n : 1n
  if (places > quantityCharactersMax + 20) return one
  const divisor = 10n ** BigInt(places)
  const quotient = mantissa / divisor
  return mantissa % divisor === 0n ? quotient : quotient + one
}

function compareAmounts(left: Amount, right: Amount): number {
  const scale = Math.min(left.scale, right.scale)
  const difference = left.mantissa * powerOfTen(left.scale - scale) - right.mantissa * powerOfTen(right.scale - scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function combine(left: Quantity, right: Quantity, sign: bigint): string {
  const family = left.mantissa === 0n ? right.family : left.family
  const scale = Math.min(left.scale, right.scale)
  const sum = left.mantissa * powerOfTen(left.scale - scale) + sign * right.mantissa * powerOfTen(right.scale - scale)
  return formatQuantity(sum, scale, family)
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(Math.min(exponent, scaleMax))
}

/** `250m`, `2`, `100M`, `3Gi`: texts that are canonical, recognized without parsing. */
function isPlain(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first < 49 || first > 57) return text === '0'
  let end = 1
  while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
  if (end > 9) return false
  const suffix = text.length - end
  if (suffix === 0 || (suffix === 1 && 'mkMGTPE'.includes(text.charAt(end)))) {
    return !(text[end - 1] === '0' && text[end - 2] === '0' && text[end - 3] === '0')
  }
  if (suffix !== 2 || text[end + 1] !== 'i' || !'KMG'.includes(text.charAt(end)) || end > 5) return false
  return Number(text.slice(0, end)) % 8 !== 0
}
