import { quote } from '../../object/index.ts'
import { compareText } from '../run/compare.ts'
import { CelError } from '../run/errors.ts'
import { formatCelDuration, formatTimestamp } from '../run/time.ts'
import { typeOf } from '../run/typeof.ts'
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../run/values.ts'
import { decodeText, formatDouble } from './conversions.ts'
import { type Clause, formatParts, refusal, type Verb } from './formatclauses.ts'
import { printFixed, printScientific } from './printnumber.ts'

const precisionMax = 1_000_000
const outputMax = 16_777_216
const partsMax = 100_000
const depthMax = 100
const defaultPrecision = 6

/** `text.format(args)`: %s, %d, %f, %e, %b, %x, %X, %o, %% with an optional precision. */
export function formatString(text: string, args: ListValue): string {
  let out = ''
  let used = 0
  for (const part of formatParts(text)) {
    if (typeof part === 'string') out += part
    else {
      if (used >= args.size) fail(`index ${used} out of range`)
      if ('broken' in part) fail(part.broken)
      out += formatOne(part, args.at(used++))
    }
    if (out.length > outputMax) fail('the text is too long')
  }
  return out
}

function fail(message: string): never {
  throw new CelError('invalidArgument', message)
}

function refuse(verb: Verb, value: Value): never {
  return fail(refusal(verb, typeNameOf(value)))
}

function typeNameOf(value: Value): string {
  return value instanceof ObjectValue ? 'map' : typeOf(value).name
}

function formatOne({ verb, precision = defaultPrecision }: Clause, value: Value): string {
  switch (verb) {
    case 's':
      return plain(value, { parts: 0 })
    case 'd':
      return integer(value, 10) ?? refuse(verb, value)
    case 'f':
      return printFixed(double(verb, value), bounded(precision))
    case 'e':
      return printScientific(double(verb, value), bounded(precision))
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return integer(value, 2) ?? refuse(verb, value)
    case 'o':
      return integer(value, 8) ?? refuse(verb, value)
    case 'x':
      return hexadecimal(value) ?? refuse(verb, value)
    case 'X':
      return (hexadecimal(value) ?? refuse(verb, value)).toUpperCase()
  }
}

function bounded(precision: number): number {
  return precision > precisionMax ? fail(`precision ${precision} is too large`) : precision
}

interface Count {
  parts: number
}

/** %s: a text unchanged; lists and maps as CEL literals. */
function plain(value: Value, count: Count): string {
  if (typeof value === 'string') return value
  if (value instanceof Bytes) return textOf(value)
  if (value instanceof Double) return formatDouble(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatCelDuration(value)
  return written(value, 0, count) ?? refuse('s', value)
}

/** A value within a list or map, as a CEL literal; undefined: its type has no literal. */
function written(value: Value, depth: number, count: Count): string | undefined {
  if (depth > depthMax || ++count.parts > partsMax) fail('the value is too large')
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'boolean':
    case 'number':
    case 'bigint':
      return String(value)
    default:
      break
  }
  if (value === null) return 'null'
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Double) return writtenDouble(value.value)
  if (value instanceof Bytes) return `b${quote(textOf(value))}`
  if (value instanceof Timestamp) return `timestamp(${quote(formatTimestamp(value))})`
  if (value instanceof Duration) return `duration(${quote(formatCelDuration(value))})`
  if (value instanceof TypeValue) return value.name
  const inner = (part: Value): string => written(part, depth + 1, count) ?? unwritable(part)
  if (value instanceof ListValue) return `[${Array.from(value, inner).join(', ')}]`
  if (value instanceof MapValue) {
    return writtenEntries(Array.from(value.keys(), (key) => [inner(key), inner(value.get(key) ?? null)]))
  }
  if (value instanceof ObjectValue) {
    return writtenEntries(value.names().map((name) => [quote(name), inner(value.get(name) ?? null)]))
  }
  return undefined
}

function unwritable(value: Value): never {
  return fail(`error during formatting: no formatting function for ${typeOf(value).name}`)
}

function writtenEntries(entries: [string, string][]): string {
  const sorted = entries.toSorted(([a], [b]) => compareText(a, b))
  return `{${sorted.map(([key, item]) => `${key}:${item}`).join(', ')}}`
}

function writtenDouble(value: number): string {
  if (!Number.isFinite(value)) return quote(formatDouble(value))
  const text = printFixed(value, defaultPrecision).replaceAll(',', '')
  return Object.is(value, -0) ? `-${text}` : text
}

function textOf(value: Bytes): string {
  const problem = 'invalid UTF-8 in bytes, cannot convert to string'
  return decodeText(value) ?? fail(`error during formatting: could not convert argument "${problem}" to string`)
}

function integer(value: Value, base: number): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString(base)
  return value instanceof Uint ? value.value.toString(base) : undefined
}

function double(verb: 'f' | 'e', value: Value): number {
  if (value instanceof Double) return value.value
  if (value === 'NaN') return Number.NaN
  if (value === 'Infinity') return Number.POSITIVE_INFINITY
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : refuse(verb, value)
}

function hexadecimal(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex')
  if (value instanceof Bytes) return Buffer.from(value.value).toString('hex')
  return integer(value, 16)
}
