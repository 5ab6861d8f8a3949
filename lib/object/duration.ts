import { quoteGo } from './goquote.ts'

const unitNs = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])
const durationNsMax = 2n ** 63n - 1n

/** Nanoseconds of a Go duration: `1h30m`, `1.5s`, `-2ms`, `0`. Throws an Error with the text clients see. */
export function parseDuration(text: string): bigint {
  const invalid = (): never => {
    throw new Error(`time: invalid duration ${quoteGo(text)}`)
  }
  const negative = text.startsWith('-')
  let rest = negative || text.startsWith('+') ? text.slice(1) : text
  if (rest === '0') return 0n
  if (rest === '') invalid()
  let total = 0n
  while (rest !== '') {
    const part = /^(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest)
    const [whole = '', integer = '', fraction = '', unit = ''] = part ?? []
    if (integer === '' && fraction === '') invalid()
    const count = BigInt(integer.replace(/^0+/, '').slice(0, 20) || '0')
    if (count > durationNsMax + 1n) invalid()
    if (unit === '') throw new Error(`time: missing unit in duration ${quoteGo(text)}`)
    const factor = unitNs.get(unit)
    if (factor === undefined) throw new Error(`time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`)
    total += count * factor + fractionNs(fraction, factor)
    if (total > durationNsMax + (negative ? 1n : 0n)) invalid()
    rest = rest.slice(whole.length)
  }
  return negative ? -total : total
}

/** Nanoseconds of a unit, its names, and a prefix that identifies it. */
const looseUnits: readonly (readonly [ns: bigint, beginning: string, ...names: string[]])[] = [
  [1n, 'nano', 'ns'],
  [1000n, 'micro', 'us', 'µs'],
  [1_000_000n, 'milli', 'ms'],
  [1_000_000_000n, 'sec', 's'],
  [60_000_000_000n, 'min', 'm'],
  [3_600_000_000_000n, 'hour', 'h', 'hr'],
  [86_400_000_000_000n, 'day', 'd'],
  [604_800_000_000_000n, 'week', 'w', 'wk'],
]

/** A longer text is refused unread; reading one of this length takes milliseconds. */
const looseCharactersMax = 64 * 1024

/**
 * Nanoseconds of a text of the format `duration`: a Go duration, else the sum of all numbers with a unit in it,
 * whatever is between them: `1d12h`, `2 weeks`, `PT5M`. Fractions are ignored (`1.5d` is five days), and a sum beyond
 * 64 bits wraps around. Undefined: it contains no such number, or one beyond 64 bits.
 */
export function parseLooseDuration(text: string): bigint | undefined {
  if (text.length > looseCharactersMax) return undefined
  try {
    return parseDuration(text)
  } catch {
    return sumOfUnits(text)
  }
}

function sumOfUnits(text: string): bigint | undefined {
  let sum: bigint | undefined
  for (const [, count = '', unit = ''] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    const digits = count.replace(/^0+/, '')
    if (digits.length > 19 || BigInt(digits) > durationNsMax) return undefined
    const ns = looseUnitNs(unit.toLowerCase())
    if (ns !== undefined) sum = BigInt.asIntN(64, (sum ?? 0n) + BigInt(digits) * ns)
  }
  return sum
}

function looseUnitNs(word: string): bigint | undefined {
  return looseUnits.find(([, beginning, ...names]) => names.includes(word) || word.startsWith(beginning))?.[0]
}

/** Milliseconds (with a fraction if there is one). Throws as parseDuration does. */
export function parseDurationMs(text: string): number {
  return Number(parseDuration(text)) / 1e6
}

/** Nanoseconds as Go prints them: `1h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s'
  const sign = ns < 0n ? '-' : ''
  const rest = ns < 0n ? -ns : ns
  if (rest < 1000n) return `${sign}${rest}ns`
  if (rest < 1_000_000n) return `${sign}${decimal(rest, 1000n)}µs`
  if (rest < 1_000_000_000n) return `${sign}${decimal(rest, 1_000_000n)}ms`
  const minutes = rest / 60_000_000_000n
  const seconds = `${decimal(rest % 60_000_000_000n, 1_000_000_000n)}s`
  if (minutes === 0n) return sign + seconds
  const hours = minutes / 60n
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`
}

/** `90s` → `1m30s`. Throws as parseDuration does. */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text))
}

/** An age in the form of tables, from milliseconds: `45s`, `3m10s`, `2d4h`, `400d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return `${minutes}m${optional(seconds % 60, 's')}`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return `${hours}h${optional(minutes % 60, 'm')}`
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (days < 8) return `${days}d${optional(hours % 24, 'h')}`
  if (days < 2 * 365) return `${days}d`
  const years = Math.trunc(days / 365)
  return years < 8 ? `${years}y${optional(days % 365, 'd')}` : `${years}y`
}

function optional(count: number, unit: string): string {
  return count === 0 ? '' : `${count}${unit}`
}

/** In floating point with as many digits as fit 63 bits, as in Go: a long row of nines is rounded up. */
function fractionNs(fraction: string, factor: bigint): bigint {
  let digits = fraction.slice(0, 19)
  if (digits !== '' && BigInt(digits) > durationNsMax + 1n) digits = digits.slice(0, 18)
  return digits === '' ? 0n : BigInt(Math.trunc(Number(digits) * (Number(factor) / 10 ** digits.length)))
}

function decimal(value: bigint, unit: bigint): string {
  const places = String(unit).length - 1
  const fraction = String(value % unit)
    .padStart(places, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(value / unit) : `${value / unit}.${fraction}`
}
