import { operators } from '../ast.ts'
import { compareSizes, costs, regexEstimate, sizeOf, traversal } from '../cost.ts'
import { int64, uint64 } from '../arithmetic.ts'
import { wholeNumber } from '../compare.ts'
import { invalidArgument, overflow } from '../errors.ts'
import { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from '../function.ts'
import { bindMacro, insertFunction, standardMacros } from '../macros.ts'
import { plus, type Range, scaled, times, unitCost } from '../range.ts'
import { matchCost, RegexCache } from '../regex.ts'
import { calendar, ZoneCache, formatDuration, formatTimestamp, parseDuration, parseTimestamp } from '../time.ts'
import { type CelType, types } from '../types.ts'
import {
  Bytes,
  codePointCount,
  Double,
  Duration,
  type ListValue,
  type MapValue,
  Timestamp,
  type Uint,
  type Value,
} from '../values.ts'
import { typeOf } from '../typeof.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration, dyn } = types
const A = types.param('A')
const B = types.param('B')
const listA = types.list(A)
const mapAB = types.map(A, B)

/** What CEL has everywhere: operators, conversions, size, string tests, parts of times. */
export function standardLibrary(): Library {
  const regexes = new RegexCache()
  return {
    name: 'standard',
    macros: [...standardMacros, bindMacro],
    types: [
      bool,
      bytes,
      double,
      duration,
      types.list(dyn),
      types.map(dyn, dyn),
      int,
      types.null,
      string,
      timestamp,
      types.type,
      uint,
    ],
    functions: [
      ...operatorForms(),
      ...conversions(),
      ...strings(regexes),
      ...sizes(),
      ...timeParts(),
      {
        name: insertFunction,
        overloads: [
          operator('insert_map_key_value', [mapAB, A, B], mapAB),
          operator('insert_map_map', [mapAB, mapAB], mapAB),
        ],
      },
    ],
  }
}

/** The compiler evaluates operators itself; their forms are for the checker and the estimate. */
function operator(id: string, args: readonly CelType[], result: CelType, estimate?: Overload['estimate']): Overload {
  return globalForm(id, args, result, () => null, estimate ? { estimate } : {})
}

function operatorForms(): FunctionDeclaration[] {
  const concatenation: Overload['estimate'] = (args) => {
    const size = plus(sizeAt(args, 0), sizeAt(args, 1))
    return { cost: scaled(size, costs.traversal), resultSize: size }
  }
  const listSum: Overload['estimate'] = (args) => ({
    cost: unitCost,
    resultSize: plus(sizeAt(args, 0), sizeAt(args, 1)),
  })
  const sums = [
    operator('add_bytes', [bytes, bytes], bytes, concatenation),
    operator('add_double', [double, double], double),
    operator('add_duration_duration', [duration, duration], duration),
    operator('add_duration_timestamp', [duration, timestamp], timestamp),
    operator('add_timestamp_duration', [timestamp, duration], timestamp),
    operator('add_int64', [int, int], int),
    operator('add_list', [listA, listA], listA, listSum),
    operator('add_string', [string, string], string, concatenation),
    operator('add_uint64', [uint, uint], uint),
  ]
  const differences = [
    operator('subtract_double', [double, double], double),
    operator('subtract_duration_duration', [duration, duration], duration),
    operator('subtract_int64', [int, int], int),
    operator('subtract_timestamp_duration', [timestamp, duration], timestamp),
    operator('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
    operator('subtract_uint64', [uint, uint], uint),
  ]
  const numeric = (name: string, of: readonly CelType[]): Overload[] =>
    of.map((type) => operator(`${name}_${type.kind}`, [type, type], type))
  const equality = (id: string): Overload[] => [operator(id, [A, A], bool, compareSizes)]
  return [
    { name: operators.add, overloads: sums },
    { name: operators.subtract, overloads: differences },
    { name: operators.multiply, overloads: numeric('multiply', [double, int, uint]) },
    { name: operators.divide, overloads: numeric('divide', [double, int, uint]) },
    { name: operators.modulo, overloads: numeric('modulo', [int, uint]) },
    {
      name: operators.negate,
      overloads: [operator('negate_double', [double], double), operator('negate_int64', [int], int)],
    },
    ...[operators.less, operators.lessEquals, operators.greater, operators.greaterEquals].map((name) => ({
      name,
      overloads: orderedForms(name),
    })),
    { name: operators.equals, overloads: equality('equals') },
    { name: operators.notEquals, overloads: equality('not_equals') },
    { name: operators.and, overloads: [operator('logical_and', [bool, bool], bool)] },
    { name: operators.or, overloads: [operator('logical_or', [bool, bool], bool)] },
    { name: operators.not, overloads: [operator('logical_not', [bool], bool)] },
    { name: operators.notStrictlyFalse, overloads: [operator('not_strictly_false', [bool], bool)] },
    { name: operators.conditional, overloads: [operator('conditional', [bool, A, A], A)] },
    {
      name: operators.index,
      overloads: [operator('index_list', [listA, int], A), operator('index_map', [mapAB, A], B)],
    },
    {
      name: operators.in,
      overloads: [
        operator('in_list', [A, listA], bool, (args) => ({ cost: sizeAt(args, 1) })),
        operator('in_map', [A, mapAB], bool),
      ],
    },
  ]
}

function orderedForms(name: string): Overload[] {
  return [bool, int, uint, double, string, bytes, timestamp, duration].map((type) => {
    const bySize = type === string || type === bytes ? compareSizes : undefined
    return operator(`${name}_${type.kind}`, [type, type], bool, bySize)
  })
}

/** Comparisons of int with uint and double, in all directions. */
export function crossTypeLibrary(): Library {
  const numbers = [int, uint, double]
  const pairs = numbers.flatMap((a) => numbers.filter((b) => b !== a).map((b) => [a, b] as const))
  const names = [operators.less, operators.lessEquals, operators.greater, operators.greaterEquals]
  return {
    name: 'cross-type comparison',
    functions: names.map((name) => ({
      name,
      overloads: pairs.map(([a, b]) => operator(`${name}_${a.kind}_${b.kind}`, [a, b], bool)),
    })),
  }
}

function sizeAt(args: readonly { readonly size: Range }[], index: number): Range {
  return args[index]?.size ?? { min: 0, max: 0 }
}

function conversions(): FunctionDeclaration[] {
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
        globalForm('int64_to_duration', [int], duration, (v: number | bigint) => new Duration(BigInt(v))),
        globalForm(
          'string_to_duration',
          [string],
          duration,
          (v: string) => parseDuration(v) ?? invalidArgument(`invalid duration: ${v}`),
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
        globalForm('duration_to_string', [duration], string, formatDuration),
        globalForm('int64_to_string', [int], string, (v: number | bigint) => String(v)),
        globalForm('timestamp_to_string', [timestamp], string, formatTimestamp),
        globalForm('uint64_to_string', [uint], string, (v: Uint) => String(v.value)),
      ],
    },
    {
      name: 'timestamp',
      overloads: [
        identity(timestamp),
        globalForm('int64_to_timestamp', [int], timestamp, (v: number | bigint) => fromSeconds(Number(v))),
        globalForm(
          'string_to_timestamp',
          [string],
          timestamp,
          (v: string) => parseTimestamp(v) ?? invalidArgument(`invalid timestamp: ${v}`),
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
  return invalidArgument(`type conversion error from 'string' to 'bool'`)
}

function parseDouble(text: string): Double {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return new Double(text.startsWith('-') ? -Infinity : Infinity)
  if (/^[+-]?nan$/i.test(text)) return new Double(Number.NaN)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    return invalidArgument(`type conversion error from 'string' to 'double'`)
  }
  return new Double(Number(text))
}

function doubleToInt(value: Double): number | bigint {
  const whole = wholeNumber(Math.trunc(value.value))
  // The bounds themselves are refused, too: as doubles they may stand for what lies beyond.
  if (whole === undefined || Math.abs(value.value) >= 2 ** 63) return overflow('integer')
  return int64(BigInt(whole))
}

function doubleToUint(value: Double): Uint {
  const whole = wholeNumber(Math.trunc(value.value))
  if (whole === undefined || value.value < 0 || value.value >= 2 ** 64) return overflow('unsigned integer')
  return uint64(BigInt(whole))
}

function parseInt64(text: string): number | bigint {
  if (!/^[+-]?\d{1,40}$/.test(text)) return invalidArgument(`type conversion error from 'string' to 'int'`)
  return int64(BigInt(text.replace(/^\+/, '')))
}

function parseUint64(text: string): Uint {
  if (!/^\d{1,40}$/.test(text)) return invalidArgument(`type conversion error from 'string' to 'uint'`)
  return uint64(BigInt(text))
}

function fromSeconds(seconds: number): Timestamp {
  if (seconds < -62135596800 || seconds > 253402300799) return overflow('timestamp')
  return new Timestamp(seconds, 0)
}

function decode(value: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value.value)
  } catch {
    return invalidArgument('invalid UTF-8 in bytes, cannot convert to string')
  }
}

/** As Go's shortest form prints: exponents from 21 digits on and below 1e-4. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e21)) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function strings(regexes: RegexCache): FunctionDeclaration[] {
  const edge = {
    cost: (_: Value, part: Value) => traversal(sizeOf(part)),
    estimate: ((args) => ({ cost: scaled(sizeAt(args, 1), costs.traversal) })) as NonNullable<Overload['estimate']>,
  }
  const contains = {
    cost: (text: Value, part: Value) => traversal(sizeOf(text)) * traversal(sizeOf(part)),
    estimate: ((args) => ({
      cost: times(scaled(sizeAt(args, 0), costs.traversal), scaled(sizeAt(args, 1), costs.traversal)),
    })) as NonNullable<Overload['estimate']>,
  }
  const matching = {
    cost: matchCost,
    estimate: ((args) => ({ cost: regexEstimate(sizeAt(args, 0), sizeAt(args, 1)) })) as NonNullable<
      Overload['estimate']
    >,
  }
  const matches = (text: string, pattern: string): boolean => regexes.get(pattern).test(text)
  return [
    {
      name: 'contains',
      overloads: [
        memberForm('contains_string', [string, string], bool, (a: string, b: string) => a.includes(b), contains),
      ],
    },
    {
      name: 'startsWith',
      overloads: [
        memberForm('starts_with_string', [string, string], bool, (a: string, b: string) => a.startsWith(b), edge),
      ],
    },
    {
      name: 'endsWith',
      overloads: [
        memberForm('ends_with_string', [string, string], bool, (a: string, b: string) => a.endsWith(b), edge),
      ],
    },
    {
      name: 'matches',
      overloads: [
        globalForm('matches', [string, string], bool, matches, matching),
        memberForm('matches_string', [string, string], bool, matches, matching),
      ],
    },
  ]
}

function sizes(): FunctionDeclaration[] {
  const forms: readonly (readonly [CelType, (value: never) => number])[] = [
    [bytes, (value: Bytes) => value.value.length],
    [listA, (value: ListValue) => value.size],
    [mapAB, (value: MapValue) => value.size],
    [string, codePointCount],
  ]
  return [
    {
      name: 'size',
      overloads: forms.flatMap(([type, count]) => [
        globalForm(`size_${type.kind}`, [type], int, count as (value: Value) => number),
        memberForm(`${type.kind}_size`, [type], int, count as (value: Value) => number),
      ]),
    },
  ]
}

function timeParts(): FunctionDeclaration[] {
  const zones = new ZoneCache()
  const ofDate: Readonly<Record<string, (date: Date) => number>> = {
    getFullYear: (date) => date.getUTCFullYear(),
    getMonth: (date) => date.getUTCMonth(),
    getDayOfYear: (date) => Math.floor((date.getTime() - yearStart(date)) / 86_400_000),
    getDayOfMonth: (date) => date.getUTCDate() - 1,
    getDate: (date) => date.getUTCDate(),
    getDayOfWeek: (date) => date.getUTCDay(),
    getHours: (date) => date.getUTCHours(),
    getMinutes: (date) => date.getUTCMinutes(),
    getSeconds: (date) => date.getUTCSeconds(),
    getMilliseconds: (date) => date.getUTCMilliseconds(),
  }
  const ofDuration: Readonly<Record<string, (nanos: bigint) => bigint>> = {
    getHours: (nanos) => nanos / 3_600_000_000_000n,
    getMinutes: (nanos) => nanos / 60_000_000_000n,
    getSeconds: (nanos) => nanos / 1_000_000_000n,
    getMilliseconds: (nanos) => (nanos / 1_000_000n) % 1000n,
  }
  return Object.entries(ofDate).map(([name, part]) => {
    const overloads = [
      memberForm(`timestamp_${name}`, [timestamp], int, (t: Timestamp) => part(calendar(t, '', zones))),
      memberForm(`timestamp_${name}_zone`, [timestamp, string], int, (t: Timestamp, zone: string) =>
        part(calendar(t, zone, zones)),
      ),
    ]
    const units = ofDuration[name]
    if (units) overloads.push(memberForm(`duration_${name}`, [duration], int, (d: Duration) => int64(units(d.nanos))))
    return { name, overloads }
  })
}

function yearStart(date: Date): number {
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1)
  return start.getTime()
}
