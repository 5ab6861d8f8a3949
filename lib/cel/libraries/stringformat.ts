import { CelError, invalidArgument } from '../errors.ts'
import { formatDuration, formatTimestamp } from '../time.ts'
import { Bytes, Double, Duration, ListValue, MapValue, Timestamp, TypeValue, Uint, type Value } from '../values.ts'
import { formatDouble } from './conversions.ts'
import { typeOf } from '../typeof.ts'

const precisionMax = 1000
const outputMax = 16_777_216
const partsMax = 100_000

/** `text.format(args)`: %s, %d, %f, %e, %b, %x, %X, %o, %% with an optional precision. */
export function formatString(text: string, args: ListValue): string {
  let out = ''
  let used = 0
  const clause = /%(?:\.(\d*))?(.)?/gsu
  let at = 0
  for (let match = clause.exec(text); match; match = clause.exec(text)) {
    out += text.slice(at, match.index)
    at = match.index + match[0].length
    const verb = match[2]
    if (verb === undefined) fail('unexpected end of string')
    if (verb === '%' && match[1] === undefined) {
      out += '%'
      continue
    }
    if (!formatters.has(verb)) fail(`could not parse formatting clause: unrecognized formatting clause "${verb}"`)
    if (used >= args.size) fail(`index ${used} out of range`)
    out += formatOne(verb, args.at(used++), precision(match[1]))
    if (out.length > outputMax) fail('the text is too long')
  }
  return out + text.slice(at)
}

const formatters: ReadonlySet<string> = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'])

function precision(digits: string | undefined): number {
  if (digits === undefined) return 6
  const value = Number(digits)
  return value > precisionMax ? fail(`precision ${digits} is too large`) : value
}

function fail(message: string): never {
  throw new CelError('invalidArgument', message)
}

function formatOne(verb: string, value: Value, digits: number): string {
  switch (verb) {
    case 's':
      return plain(value, 0, { parts: 0 })
    case 'd':
      return value instanceof Double ? special(value.value, 'decimal') : decimal(value)
    case 'f':
      return fixed(value, digits)
    case 'e':
      return scientific(value, digits)
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : radix(value, 2, 'binary')
    case 'o':
      return radix(value, 8, 'octal')
    case 'x':
      return hexadecimal(value)
    default:
      return hexadecimal(value).toUpperCase()
  }
}

/** %s: any value, those within lists and maps without quotes. */
function plain(value: Value, depth: number, count: { parts: number }): string {
  if (depth > 100 || ++count.parts > partsMax) fail('the value is too large')
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'number':
    case 'bigint':
      return String(value)
    default:
      break
  }
  if (value === null) return 'null'
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Double) return formatDouble(value.value).replace(/^\+?(-?)Inf$/, '$1Infinity')
  if (value instanceof Bytes) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof ListValue) return `[${Array.from(value, (item) => plain(item, depth + 1, count)).join(', ')}]`
  if (value instanceof MapValue) {
    const entries = Array.from(
      value.keys(),
      (key) => [plain(key, depth + 1, count), plain(value.get(key) ?? null, depth + 1, count)] as const,
    )
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${sorted.map(([key, item]) => `${key}: ${item}`).join(', ')}}`
  }
  return wrong(value, 'string')
}

function wrong(value: Value, clause: string): never {
  return fail(`error during formatting: ${clause} clause can't take a value of type ${typeOf(value).name}`)
}

function special(value: number, clause: string): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return clause === 'decimal' ? wrong(new Double(value), clause) : String(value)
  return value > 0 ? 'Infinity' : '-Infinity'
}

function decimal(value: Value): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return value instanceof Uint ? String(value.value) : wrong(value, 'decimal')
}

function fixed(value: Value, digits: number): string {
  const number = numeric(value, 'fixed-point')
  if (!Number.isFinite(number)) return special(number, 'fixed-point')
  return exactFixed(number, digits)
}

function numeric(value: Value, clause: string): number {
  if (value instanceof Double) return value.value
  if (value instanceof Uint) return Number(value.value)
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (value === 'NaN') return Number.NaN
  if (value === 'Infinity') return Number.POSITIVE_INFINITY
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY
  return wrong(value, clause)
}

/** Rounds the exact binary value, half to even, as Go does; toFixed ends at 1e21 and 100 digits. */
function exactFixed(value: number, digits: number): string {
  const { negative, mantissa, exponent } = parts(value)
  const scaled = mantissa * 10n ** BigInt(digits)
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : roundShift(scaled, BigInt(-exponent))
  const text = String(rounded).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${negative ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(text.length - digits)}` : ''}`
}

function parts(value: number): { negative: boolean; mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const raw = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = raw === 0 ? fraction : fraction | 0x10000000000000n
  return { negative: bits >> 63n === 1n, mantissa, exponent: (raw === 0 ? 1 : raw) - 1075 }
}

function roundShift(value: bigint, shift: bigint): bigint {
  const whole = value >> shift
  const rest = value - (whole << shift)
  const half = 1n << (shift - 1n)
  return rest > half || (rest === half && whole % 2n === 1n) ? whole + 1n : whole
}

function scientific(value: Value, digits: number): string {
  const number = numeric(value, 'scientific notation')
  if (!Number.isFinite(number)) return special(number, 'scientific notation')
  if (digits > 100) return invalidArgument('precision of %e is at most 100')
  const [mantissa = '', exponent = '+0'] = number.toExponential(digits).split('e')
  const sign = exponent.startsWith('-') ? '-' : '+'
  const sizeText = exponent.replace(/^[+-]/, '').padStart(2, '0')
  return `${Object.is(number, -0) ? '-' : ''}${mantissa}e${sign}${sizeText}`
}

function radix(value: Value, base: number, clause: string): string {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString(base)
  return value instanceof Uint ? value.value.toString(base) : wrong(value, clause)
}

function hexadecimal(value: Value): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex')
  if (value instanceof Bytes) return Buffer.from(value.value).toString('hex')
  return radix(value, 16, 'hex')
}
