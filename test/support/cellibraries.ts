// Libraries of the CEL specification that no Kubernetes environment has: the conformance data needs them, and they show
// that a library can be written outside the room.
import {
  CelError,
  type FunctionDeclaration,
  globalForm,
  type Library,
  type Overload,
  types,
} from '../../lib/cel/index.ts'
import { int64, uint64 } from '../../lib/cel/run/arithmetic.ts'
import { order } from '../../lib/cel/run/compare.ts'
import { Bytes, Double, type ListValue, Uint, type Value } from '../../lib/cel/run/values.ts'
import type { Macro } from '../../lib/cel/syntax/macros.ts'

const { int, uint, double, bool, dyn } = types
const numbers = [int, uint, double]

function fail(message: string): never {
  throw new CelError('invalidArgument', message)
}

/** greatest and least of one, two or more numbers, or of a list of them. */
function extremes(name: 'greatest' | 'least'): { macros: Macro[]; declaration: FunctionDeclaration } {
  const inner = `math.@${name}`
  const sign = name === 'greatest' ? 1 : -1
  const better = (a: Value, b: Value): Value => {
    const ordered = order(a, b)
    if (ordered === undefined) throw new CelError('noSuchOverload', 'no such overload')
    return ordered * sign >= 0 ? a : b
  }
  const ofList = (list: ListValue): Value => {
    if (list.size === 0) return fail(`${inner} of nothing`)
    let best = list.at(0)
    for (const item of list) best = better(best, item)
    return best
  }
  const overloads: Overload[] = [
    ...numbers.map((type) => globalForm(`${name}_${type.kind}`, [type], type, (value) => value)),
    ...numbers.flatMap((a) =>
      numbers.map((b) => globalForm(`${name}_${a.kind}_${b.kind}`, [a, b], a === b ? a : dyn, better)),
    ),
    ...numbers.map((type) => globalForm(`${name}_list_${type.kind}`, [types.list(type)], type, ofList)),
    globalForm(`${name}_list_dyn`, [types.list(dyn)], dyn, ofList),
  ]
  const macros = [1, 2, 3, 4, 5, 6].map((argumentCount) => ({
    name,
    argumentCount,
    receiver: true,
    expand: ((context, target, args) => {
      if (!target || context.nameOf(target) !== 'math') return undefined
      const { make, position } = context
      return make.call(position, inner, args.length <= 2 ? args : [make.list(position, args)])
    }) as Macro['expand'],
  }))
  return { macros, declaration: { name: inner, overloads } }
}

function ofDouble(name: string, call: (value: number) => number): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [globalForm(`${name}_double`, [double], double, (value: Double) => new Double(call(value.value)))],
  }
}

function testDouble(name: string, call: (value: number) => boolean): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [globalForm(`${name}_double`, [double], bool, (value: Double) => call(value.value))],
  }
}

const bigOf = (value: Value): bigint => BigInt((value instanceof Uint ? value.value : value) as number | bigint)
const signed = (value: bigint): Value => int64(BigInt.asIntN(64, value))
const unsigned = (value: bigint): Value => uint64(BigInt.asUintN(64, value))

function bits(name: string, call: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  const forms = [int, uint].map((type) =>
    globalForm(`${name}_${type.kind}`, [type, type], type, (a: Value, b: Value) =>
      (type === int ? signed : unsigned)(call(bigOf(a), bigOf(b))),
    ),
  )
  return { name: `math.${name}`, overloads: forms }
}

function shift(name: string, call: (value: bigint, by: bigint) => bigint): FunctionDeclaration {
  const forms = [int, uint].map((type) =>
    globalForm(`${name}_${type.kind}`, [type, int], type, (value: Value, by: number | bigint) => {
      if (by < 0) return fail('negative offset')
      if (by >= 64) return type === int ? 0 : new Uint(0)
      return (type === int ? signed : unsigned)(call(BigInt.asUintN(64, bigOf(value)), BigInt(by)))
    }),
  )
  return { name: `math.${name}`, overloads: forms }
}

export function mathLibrary(): Library {
  const [greatest, least] = [extremes('greatest'), extremes('least')]
  const away = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)
  return {
    name: 'math',
    macros: [...greatest.macros, ...least.macros],
    functions: [
      greatest.declaration,
      least.declaration,
      ofDouble('ceil', Math.ceil),
      ofDouble('floor', Math.floor),
      ofDouble('round', away),
      ofDouble('trunc', Math.trunc),
      {
        name: 'math.abs',
        overloads: [
          globalForm('abs_int', [int], int, (value: number | bigint) =>
            int64(value < 0 ? -BigInt(value) : BigInt(value)),
          ),
          globalForm('abs_uint', [uint], uint, (value) => value),
          globalForm('abs_double', [double], double, (value: Double) => new Double(Math.abs(value.value))),
        ],
      },
      {
        name: 'math.sign',
        overloads: [
          globalForm('sign_int', [int], int, (value: number | bigint) => (value < 0 ? -1 : value > 0 ? 1 : 0)),
          globalForm('sign_uint', [uint], uint, (value: Uint) => new Uint(value.value > 0 ? 1 : 0)),
          globalForm('sign_double', [double], double, (value: Double) => new Double(Math.sign(value.value))),
        ],
      },
      testDouble('isNaN', Number.isNaN),
      testDouble('isInf', (value) => Math.abs(value) === Infinity),
      testDouble('isFinite', Number.isFinite),
      bits('bitAnd', (a, b) => a & b),
      bits('bitOr', (a, b) => a | b),
      bits('bitXor', (a, b) => a ^ b),
      {
        name: 'math.bitNot',
        overloads: [
          globalForm('bitNot_int', [int], int, (value: Value) => signed(~bigOf(value))),
          globalForm('bitNot_uint', [uint], uint, (value: Value) => unsigned(~bigOf(value))),
        ],
      },
      shift('bitShiftLeft', (value, by) => value << by),
      shift('bitShiftRight', (value, by) => value >> by),
    ],
  }
}

export function encodersLibrary(): Library {
  const encode = (bytes: Bytes): string => Buffer.from(bytes.value).toString('base64')
  const decode = (text: string): Value =>
    /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? new Bytes(Buffer.from(text, 'base64')) : fail('illegal base64 data')
  return {
    name: 'encoders',
    functions: [
      { name: 'base64.encode', overloads: [globalForm('base64_encode_bytes', [types.bytes], types.string, encode)] },
      { name: 'base64.decode', overloads: [globalForm('base64_decode_string', [types.string], types.bytes, decode)] },
    ],
  }
}
