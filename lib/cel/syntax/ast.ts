import type { Bytes } from '../run/values.ts'

/** Every node has an id (index into the checker's tables) and a position in the text (UTF-16 offset). */
interface Node {
  readonly id: number
  readonly position: number
}

export interface Literal extends Node {
  readonly kind: 'literal'
  readonly type: 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'bool' | 'null'
  /** int and uint as bigint, bytes as Bytes, the rest as JavaScript values. */
  readonly value: bigint | number | string | Bytes | boolean | null
}

export interface Ident extends Node {
  readonly kind: 'ident'
  readonly name: string
}

/** `operand.field`, or `has(operand.field)` when `testOnly`. */
export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  readonly testOnly: boolean
}

/** Operators are calls, too, by their CEL names (`_+_`, `_?_:_`, `@in`). */
export interface CallExpression extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}

export interface ListLiteral extends Node {
  readonly kind: 'list'
  readonly elements: readonly Expr[]
  /** Indexes of elements written `?element`. */
  readonly optionals: ReadonlySet<number>
}

export interface MapEntry extends Node {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

export interface MapLiteral extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

export interface StructEntry extends Node {
  readonly field: string
  readonly value: Expr
  readonly optional: boolean
}

export interface StructLiteral extends Node {
  readonly kind: 'struct'
  readonly name: string
  readonly entries: readonly StructEntry[]
}

/**
 * A loop over a list or map, the result of every macro's expansion: `accu = init; for (v of range) { if (!condition)
 * break; accu = step }; result`.
 */
export interface Comprehension extends Node {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** Set in two-variable forms: `variable` is then the index or key and this one the element or value. */
  readonly variable2: string | undefined
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
  /** The macro, so that the compiler can run an equivalent loop with the same result and cost. */
  readonly shape: LoopShape
}

export type LoopShape =
  | { readonly kind: 'all' | 'exists' | 'one'; readonly test: Expr }
  | { readonly kind: 'list'; readonly keep: Expr | undefined; readonly element: Expr }
  | { readonly kind: 'map'; readonly keep: Expr | undefined; readonly key: Expr | undefined; readonly value: Expr }
  | { readonly kind: 'bind' }

export type Expr = Literal | Ident | Select | CallExpression | ListLiteral | MapLiteral | StructLiteral | Comprehension

/** The accumulator's name in macros; no expression can contain it. */
export const accumulatorName = '@result'

export const operators = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const

/** `a.b.c` of plain names, as one dotted name; undefined for anything else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.testOnly) return undefined
  const operand = qualifiedName(expr.operand)
  return operand === undefined ? undefined : `${operand}.${expr.field}`
}
