import { type FunctionDeclaration, globalForm, type Overload } from '../check/function.ts'
import { scaled, sizeAt, times } from '../check/range.ts'
import { type CelType, types } from '../check/types.ts'
import { int64, uint64 } from '../run/arithmetic.ts'
import { wholeNumber } from '../run/compare.ts'
import { costs, sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument, overflow } from '../run/errors.ts'
import { checkTimestamp, formatCelDuration, formatTimestamp, parseCelDuration, parseTimestamp } from '../run/time.ts'
import { typeOf } from '../run/typeof.ts'
import { Bytes, Double, type Duration, type Timestamp, type Uint, type Value } from '../run/values.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration, dyn } = types
const A = types.param('A')

/** Functions with the names of types, which convert other values to that type. */
export function conversions(): FunctionDeclaration[] {
  const identity = (type: CelType): Overload => globalForm(`${type.kind}_to_${type.kind}`, [type], type, (v) => v)
  const textToBytes: Overload['estimate'] = (args) => {
    const size = sizeAt(args, 0)
    return { cost: scaled(size, costs.traversal), resultSize: times(size, { min: 1, max: 4 }) }
  }
  const bytesToText: Overload['estimate'] = (args) => {
    const size = sizeAt(args, 0)
    return { cost: scaled(size, costs.traversal), resultSize: { min: Math.floor(size.min / 4), max: size.max } }
  }
  const read = { cost: (a: Value) => traversal(sizeOf(a)) }
  return [
    { name: 'dyn', overloads: [globalForm('to_dyn', [A], dyn, (v) => v)] },
    { name: 'type', overloads: [globalForm('type', [A], types.typeOf(A), (v) => typeOf(v))] },
    {
      name: 'bool',
      overloads: [identity(bool), globalForm('string_to_bool', [string], bool, parseBool)],
    },
    {
      name: 'bytes',
      overloads: [
        identity(bytes),
        globalForm('string_to_bytes', [string], bytes, (v: string) => new Bytes(new TextEncoder().encode(v)), {
          ...read,
          estimate: textToBytes,
        }),
      ],
    },
    {
      name: 'double',
      overloads: [
        identity(double),
        globalForm('int64_to_double', [int], double, (v: number | bigint) => new Double(Number(v))),
        globalForm('string_to_double', [string], double, parseDouble),
        globalForm('uint64_to_double', [uint], double, (v: Uint) => new Double(Number(v.value))),
      ],
    },
    {
      name: 'duration',
      overloads: [
        identity(duration),
        globalForm(
          'string_to_duration',
          [string],
          duration,
          (v: string) => parseCelDuration(v) ?? unconverted('google.protobuf.Duration'),
        ),
      ],
    },
    {
      name: 'int',
      overloads: [
        identity(int),
        globalForm('double_to_int64', [double], int, doubleToInt),
        globalForm('duration_to_int64', [duration], int, (v: Duration) => int64(v.nanos)),
        globalForm('string_to_int64', [string], int, parseInt64),
        globalForm('timestamp_to_int64', [timestamp], int, (v: Timestamp) => v.seconds),
        globalForm('uint64_to_int64', [uint], int, (v: Uint) => int64(BigInt(v.value))),
      ],
    },
    {
      name: 'string',
      overloads: [
        identity(string),
        globalForm('bool_to_string', [bool], string, (v: boolean) => String(v)),
        globalForm('bytes_to_string', [bytes], string, decode, { ...read, estimate: bytesToText }),
        globalForm('double_to_string', [double], string, (v: Double) => formatDouble(v.value)),
        globalForm('duration_to_string', [duration], string, formatCelDuration),
        globalForm('int64_to_string', [int], string, (v: number | bigint) => String(v)),
        globalForm('timestamp_to_string', [timestamp], string, formatTimestamp),
        globalForm('uint64_to_string', [uint], string, (v: Uint) => String(v.value)),
      ],
    },
    {
      name: 'timestamp',
      overloads: [
        identity(timestamp),
        globalForm('int64_to_timestamp', [int], timestamp, (v: number | bigint) => checkTimestamp(Number(v), 0)),
        globalForm(
          'string_to_timestamp',
          [string],
          timestamp,
          (v: string) => parseTimestamp(v) ?? unconverted('google.protobuf.Timestamp'),
        ),
      ],
    },
    {
      name: 'uint',
      overloads: [
        identity(uint),
        globalForm('double_to_uint64', [double], uint, doubleToUint),
        globalForm('int64_to_uint64', [int], uint, (v: number | bigint) => uint64(BigInt(v))),
        globalForm('string_to_uint64', [string], uint, parseUint64),
      ],
    },
  ]
}

function parseBool(text: string): boolean {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true
  if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false
  return unconverted('bool')
}

function parseDouble(text: string): Double {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return new Double(text.startsWith('-') ? -Infinity : Infinity)
  if (/^[+-]?nan$/i.test(text)) return new Double(Number.NaN)
  const value = readDouble(text)
  return value === undefined || !Number.isFinite(value) ? unconverted('double') : new Double(value)
}

/** Decimal or hexadecimal, with underscores between digits, as Go parses it. */
function readDouble(text: string): number | undefined {
  if (/(?:^|[^0-9a-fA-FxX])_|_(?![0-9a-fA-F])/.test(text)) return undefined
  const plain = text.replaceAll('_', '')
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(plain)) return Number(plain)
  const hex = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d{1,6})$/.exec(plain)
  if (!hex) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = hex
  const size = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length)
  return sign === '-' ? -size : size
}

function unconverted(type: string): never {
  return invalidArgument(`type conversion error from 'string' to '${type}'`)
}

function doubleToInt(value: Double): number | bigint {
  const whole = wholeNumber(Math.trunc(value.value))
  // The bounds themselves are refused, too: a double equal to a bound may be a rounded larger number.
  if (whole === undefined || Math.abs(value.value) >= 2 ** 63) return overflow('integer')
  return int64(BigInt(whole))
}

function doubleToUint(value: Double): Uint {
  const whole = wholeNumber(Math.trunc(value.value))
  if (whole === undefined || value.value < 0 || value.value >= 2 ** 64) return overflow('unsigned integer')
  return uint64(BigInt(whole))
}

function parseInt64(text: string): number | bigint {
  if (!/^[+-]?\d{1,40}$/.test(text)) return unconverted('int')
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? int64(value) : unconverted('int')
}

function parseUint64(text: string): Uint {
  if (!/^\d{1,40}$/.test(text)) return unconverted('uint')
  const value = BigInt(text)
  return BigInt.asUintN(64, value) === value ? uint64(value) : unconverted('uint')
}

function decode(value: Bytes): string {
  return decodeText(value) ?? invalidArgument('invalid UTF-8 in bytes, cannot convert to string')
}

/** Undefined: not UTF-8. */
export function decodeText(value: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value.value)
  } catch {
    return undefined
  }
}

/** The fewest digits that identify the double, as Go's %g prints them: with an exponent below 1e-4 and from 1e6 on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
