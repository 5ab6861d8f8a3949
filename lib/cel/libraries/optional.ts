import { globalForm, type Library, memberForm } from '../check/function.ts'
import { types } from '../check/types.ts'
import { invalidArgument } from '../run/errors.ts'
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from '../run/values.ts'
import { operators } from '../syntax/ast.ts'
import { optionalMacros } from '../syntax/macros.ts'

const T = types.param('T')
const K = types.param('K')
const V = types.param('V')
const optional = types.optional(T)

/** optional.of/none/ofNonZeroValue, hasValue, value, or, orValue, optMap, optFlatMap, and the `?` forms of syntax. */
export function optionalLibrary(): Library {
  const none = new Optional(undefined)
  return {
    name: 'optional',
    optionalSyntax: true,
    macros: optionalMacros,
    types: [types.optional(types.dyn)],
    functions: [
      { name: 'optional.of', overloads: [globalForm('optional_of', [T], optional, (v: Value) => new Optional(v))] },
      {
        name: 'optional.ofNonZeroValue',
        overloads: [
          globalForm('optional_ofNonZeroValue', [T], optional, (v: Value) => (isZero(v) ? none : new Optional(v))),
        ],
      },
      { name: 'optional.none', overloads: [globalForm('optional_none', [], optional, () => none)] },
      {
        name: 'hasValue',
        overloads: [memberForm('optional_hasValue', [optional], types.bool, (o: Optional) => o.value !== undefined)],
      },
      {
        name: 'value',
        overloads: [
          memberForm('optional_value', [optional], T, (o: Optional) =>
            o.value === undefined ? invalidArgument('optional.none() dereference') : o.value,
          ),
        ],
      },
      // The compiler evaluates these two itself: their right sides only when they are needed.
      { name: 'or', overloads: [memberForm('optional_or_optional', [optional, optional], optional, (o: Value) => o)] },
      { name: 'orValue', overloads: [memberForm('optional_orValue_value', [optional, T], T, (o: Value) => o)] },
      {
        name: operators.optionalIndex,
        overloads: [
          globalForm('list_optindex_optional_int', [types.list(V), types.int], types.optional(V), same),
          globalForm(
            'optional_list_optindex_optional_int',
            [types.optional(types.list(V)), types.int],
            types.optional(V),
            same,
          ),
          globalForm('map_optindex_optional_value', [types.map(K, V), K], types.optional(V), same),
          globalForm(
            'optional_map_optindex_optional_value',
            [types.optional(types.map(K, V)), K],
            types.optional(V),
            same,
          ),
        ],
      },
      {
        name: operators.index,
        overloads: [
          globalForm('optional_list_index_int', [types.optional(types.list(V)), types.int], types.optional(V), same),
          globalForm('optional_map_index_value', [types.optional(types.map(K, V)), K], types.optional(V), same),
        ],
      },
    ],
  }
}

function same(value: Value): Value {
  return value
}

function isZero(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value === ''
    case 'number':
      return value === 0
    case 'boolean':
      return !value
    case 'bigint':
      return false
    default:
      break
  }
  if (value === null) return true
  if (value instanceof Uint || value instanceof Double) return value.value === 0
  if (value instanceof Bytes) return value.value.length === 0
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0
  if (value instanceof ObjectValue) return value.names().length === 0
  if (value instanceof Duration) return value.nanos === 0n
  if (value instanceof Timestamp) return value.seconds === -62135596800 && value.nanos === 0
  return value instanceof Optional && value.value === undefined
}
