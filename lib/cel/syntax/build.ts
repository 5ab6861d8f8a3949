import type { Bytes } from '../run/values.ts'
import {
  accumulatorName,
  type CallExpression,
  type Comprehension,
  type Expr,
  type Ident,
  type ListLiteral,
  type Literal,
  type MapEntry,
  type MapLiteral,
  type Select,
  type StructEntry,
  type StructLiteral,
} from './ast.ts'

/** Thrown on a tree that is nested too deeply. */
export class TooDeep {}

/** Creates nodes with ids and limits their nesting, so that every later walk may recurse. */
export class Builder {
  readonly #depthMax: number
  readonly #depths: number[] = []

  constructor(depthMax: number) {
    this.#depthMax = depthMax
  }

  /** Number of ids: tables by id have this size. */
  get count(): number {
    return this.#depths.length
  }

  literal(position: number, type: 'bool', value: boolean): Literal
  literal(position: number, type: 'null', value: null): Literal
  literal(position: number, type: 'int' | 'uint', value: bigint): Literal
  literal(position: number, type: 'double', value: number): Literal
  literal(position: number, type: 'string', value: string): Literal
  literal(position: number, type: 'bytes', value: Bytes): Literal
  literal(position: number, type: Literal['type'], value: Literal['value']): Literal {
    return { kind: 'literal', id: this.#id([]), position, type, value }
  }

  ident(position: number, name: string): Ident {
    return { kind: 'ident', id: this.#id([]), position, name }
  }

  select(position: number, operand: Expr, field: string, testOnly = false): Select {
    return { kind: 'select', id: this.#id([operand]), position, operand, field, testOnly }
  }

  call(position: number, name: string, args: readonly Expr[], target?: Expr): CallExpression {
    const id = this.#id(target ? [target, ...args] : args)
    return { kind: 'call', id, position, name, target, args }
  }

  list(position: number, elements: readonly Expr[], optionals: ReadonlySet<number> = new Set()): ListLiteral {
    return { kind: 'list', id: this.#id(elements), position, elements, optionals }
  }

  map(position: number, entries: readonly MapEntry[]): MapLiteral {
    return { kind: 'map', id: this.#id(entries), position, entries }
  }

  mapEntry(position: number, key: Expr, value: Expr, optional: boolean): MapEntry {
    return { id: this.#id([key, value]), position, key, value, optional }
  }

  struct(position: number, name: string, entries: readonly StructEntry[]): StructLiteral {
    return { kind: 'struct', id: this.#id(entries), position, name, entries }
  }

  structEntry(position: number, field: string, value: Expr, optional: boolean): StructEntry {
    return { id: this.#id([value]), position, field, value, optional }
  }

  comprehension(position: number, parts: Omit<Comprehension, 'kind' | 'id' | 'position'>): Comprehension {
    const id = this.#id([parts.range, parts.init, parts.condition, parts.step, parts.result])
    return { kind: 'comprehension', id, position, ...parts }
  }

  accumulator(position: number): Ident {
    return this.ident(position, accumulatorName)
  }

  #id(children: readonly { readonly id: number }[]): number {
    let depth = 0
    for (const child of children) {
      const below = this.#depths[child.id] ?? 0
      if (below > depth) depth = below
    }
    if (depth + 1 > this.#depthMax) throw new TooDeep()
    return this.#depths.push(depth + 1) - 1
  }
}
