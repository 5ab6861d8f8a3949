import type { Frame } from '../run/frame.ts'
import {
  asMap,
  Bytes,
  Double,
  Duration,
  ListValue,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../run/values.ts'
import type { Macro } from '../syntax/macros.ts'
import type { LiteralCheck } from './literalcheck.ts'
import type { CallEstimate, EstimateNode } from './range.ts'
import { type CelType, runtimeTypeName } from './types.ts'

/** Called with values that match the overload's argument types (every value matches dyn and type parameters). */
type Implementation = (a: Value, b: Value, c: Value, d: Value) => Value

/** One overload of a function. */
export interface Overload {
  readonly id: string
  /** Called on a receiver, which is then the first argument. */
  readonly member: boolean
  readonly args: readonly CelType[]
  readonly result: CelType
  readonly call: Implementation
  /** Cost of a call by its arguments, charged before the call; default 1. */
  readonly cost?: (a: Value, b: Value, c: Value, d: Value, frame: Frame) => number
  /** Cost by the result, where the arguments don't determine it; charged after the call. */
  readonly resultCost?: (result: Value) => number
  /** Worst and best case by the sizes of arguments; default 1 without a size. */
  readonly estimate?: (args: readonly EstimateNode[]) => CallEstimate
}

export interface FunctionDeclaration {
  readonly name: string
  readonly overloads: readonly Overload[]
}

/** An extension of an environment: functions, macros, names of types, and changes of the language. */
export interface Library {
  readonly name: string
  readonly functions?: readonly FunctionDeclaration[]
  readonly macros?: readonly Macro[]
  /** Types that expressions can name. */
  readonly types?: readonly CelType[]
  /** Allows `a.?b`, `a[?b]`, `[?a]`, `{?k: v}`. */
  readonly optionalSyntax?: boolean
  /** Allows a.`x-y`. */
  readonly quotedFields?: boolean
  /** Checks that refuse errors visible in the text of an expression. */
  readonly checks?: readonly LiteralCheck[]
  /** Names of functions whose arguments may contain lists and maps of mixed types. */
  readonly mixing?: readonly string[]
}

interface Extras {
  readonly cost?: Overload['cost']
  readonly resultCost?: Overload['resultCost']
  readonly estimate?: Overload['estimate']
}

/** An overload called as `name(a, b)`. */
export function globalForm<A extends Value[]>(
  id: string,
  args: readonly CelType[],
  result: CelType,
  call: (...args: A) => Value,
  extras: Extras = {},
): Overload {
  // `args` guards the calls, so the narrower signature is safe.
  return { id, member: false, args, result, call: call as unknown as Implementation, ...extras }
}

/** An overload called as `a.name(b)`; the receiver's type comes first. */
export function memberForm<A extends Value[]>(
  id: string,
  args: readonly CelType[],
  result: CelType,
  call: (...args: A) => Value,
  extras: Extras = {},
): Overload {
  return { ...globalForm(id, args, result, call, extras), member: true }
}

/** Returns a test whether a value may be an argument of this type. */
export function matcher(type: CelType): (value: Value) => boolean {
  switch (type.kind) {
    case 'int':
      return (value) => typeof value === 'number' || typeof value === 'bigint'
    case 'uint':
      return (value) => value instanceof Uint
    case 'double':
      return (value) => value instanceof Double
    case 'bool':
      return (value) => typeof value === 'boolean'
    case 'string':
      return (value) => typeof value === 'string'
    case 'bytes':
      return (value) => value instanceof Bytes
    case 'null_type':
      return (value) => value === null
    case 'timestamp':
      return (value) => value instanceof Timestamp
    case 'duration':
      return (value) => value instanceof Duration
    case 'list':
      return listMatcher(type.element)
    case 'map':
      return (value) => asMap(value) !== undefined
    case 'object':
      return (value) => value instanceof ObjectValue && value.typeName === type.name
    case 'opaque':
      if (type.name === 'optional_type') return (value) => value instanceof Optional
      return (value) => value instanceof Opaque && value.typeName === runtimeTypeName(type)
    case 'type':
      return (value) => value instanceof TypeValue
    case 'param':
    case 'dyn':
    case 'error':
      return () => true
  }
}

/** Lists don't carry their type: the first element distinguishes overloads on lists of one element type. */
function listMatcher(element: CelType): (value: Value) => boolean {
  if (element.kind === 'param' || element.kind === 'dyn') return (value) => value instanceof ListValue
  const matches = matcher(element)
  return (value) => value instanceof ListValue && (value.size === 0 || matches(value.at(0)))
}
