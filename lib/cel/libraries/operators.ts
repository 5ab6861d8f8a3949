import { type FunctionDeclaration, globalForm, type Library, type Overload } from '../check/function.ts'
import { plus, scaled, sizeAt, unitCost } from '../check/range.ts'
import { type CelType, types } from '../check/types.ts'
import { compareSizes, costs } from '../run/cost.ts'
import { operators } from '../syntax/ast.ts'
import { insertFunction } from '../syntax/macros.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration } = types
const A = types.param('A')
const B = types.param('B')
const listA = types.list(A)
const mapAB = types.map(A, B)

/** The compiler evaluates operators itself; their overloads serve the checker and the estimate. */
function operator(id: string, args: readonly CelType[], result: CelType, estimate?: Overload['estimate']): Overload {
  return globalForm(id, args, result, () => null, estimate ? { estimate } : {})
}

export function operatorForms(): FunctionDeclaration[] {
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
      name: insertFunction,
      overloads: [
        operator('insert_map_key_value', [mapAB, A, B], mapAB),
        operator('insert_map_map', [mapAB, mapAB], mapAB),
      ],
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
