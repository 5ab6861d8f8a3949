import { costs } from '../run/cost.ts'
import { Bytes, codePointCount } from '../run/values.ts'
import type {
  CallExpression,
  Comprehension,
  Expr,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/ast.ts'
import { accumulatorName, operators } from '../syntax/ast.ts'
import type { Checked } from './check.ts'
import {
  type CallEstimate,
  type EstimateNode,
  exactly,
  noCost,
  plus,
  type Range,
  times,
  union,
  unitCost,
  unknownSize,
} from './range.ts'
import { type CelType, optionalContent } from './types.ts'

/** Best and worst case of evaluating an expression, by the sizes that its types declare. */
export function estimateCost(checked: Checked): Range {
  return new Estimator(checked).visit(checked.expr).cost
}

/** Sizes of the entries of a list or map. */
interface Entries {
  readonly key: Range
  readonly value: Range
}

interface Sized {
  /** Size known from the expression itself. */
  readonly size?: Range | undefined
  /** The declared type of the data that the node reads: its bounds hold. */
  readonly declared?: CelType | undefined
  readonly entries?: Entries | undefined
}

interface Node extends Sized {
  readonly cost: Range
}

class Estimator {
  readonly #checked: Checked
  readonly #scopes = new Map<string, Sized[]>()

  constructor(checked: Checked) {
    this.#checked = checked
  }

  visit(expr: Expr): Node {
    switch (expr.kind) {
      case 'literal':
        return { cost: noCost, size: exactly(literalSize(expr.value)) }
      case 'ident':
        return this.#ident(expr)
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'comprehension':
        return expr.shape.kind === 'bind' ? this.#bind(expr) : this.#comprehension(expr)
    }
  }

  #type(expr: Expr): CelType {
    return this.#checked.types[expr.id] ?? { kind: 'dyn' }
  }

  #ident(expr: Expr & { kind: 'ident' }): Node {
    const local = this.#scopes.get(expr.name)?.at(-1)
    if (!local) return this.#variable(expr)
    const size = declaredSize(local.declared) ?? typeSize(this.#type(expr)) ?? local.size
    return { cost: exactly(costs.access), declared: local.declared, size, entries: local.entries }
  }

  #variable(expr: Expr): Node {
    // `type(x) == string` is common: the name of a type has no size.
    if (this.#checked.references[expr.id]?.kind === 'type') return { cost: exactly(costs.access), size: noCost }
    return { cost: exactly(costs.access), ...this.#fromDeclared(expr, this.#type(expr)) }
  }

  #fromDeclared(expr: Expr, declared: CelType | undefined): Sized {
    return { declared, size: declaredSize(declared) ?? typeSize(this.#type(expr)) }
  }

  #select(expr: Select): Node {
    // A dotted name of a variable is one name.
    if (this.#checked.references[expr.id]) return this.#variable(expr)
    const operand = this.visit(expr.operand)
    // The stock server's environments charge nothing for has().
    if (expr.testOnly) return { cost: operand.cost, size: exactly(1) }
    const { kind } = this.#type(expr.operand)
    const own = kind === 'map' || kind === 'object' || kind === 'param' ? costs.access : 0
    return {
      cost: plus(operand.cost, exactly(own)),
      ...this.#fromDeclared(expr, fieldOf(operand.declared, expr.field)),
    }
  }

  #list(expr: ListLiteral): Node {
    let cost = exactly(costs.list)
    let value: Range | undefined
    for (const element of expr.elements) {
      const node = this.visit(element)
      cost = plus(cost, node.cost)
      value = join(value, node.size ?? unknownSize)
    }
    return { cost, size: exactly(expr.elements.length), entries: { key: exactly(1), value: value ?? noCost } }
  }

  #map(expr: MapLiteral): Node {
    let cost = exactly(costs.map)
    let key: Range | undefined
    let value: Range | undefined
    for (const entry of expr.entries) {
      const [k, v] = [this.visit(entry.key), this.visit(entry.value)]
      cost = plus(cost, plus(k.cost, v.cost))
      key = join(key, k.size ?? unknownSize)
      value = join(value, v.size ?? unknownSize)
    }
    return { cost, size: exactly(expr.entries.length), entries: { key: key ?? noCost, value: value ?? noCost } }
  }

  #struct(expr: StructLiteral): Node {
    let cost = exactly(costs.struct)
    for (const entry of expr.entries) cost = plus(cost, this.visit(entry.value).cost)
    return { cost }
  }

  #call(expr: CallExpression): Node {
    const reference = this.#checked.references[expr.id]
    const exprs =
      expr.target && reference?.kind === 'call' && !reference.qualified ? [expr.target, ...expr.args] : expr.args
    const args = exprs.map((arg) => this.visit(arg))
    const [first, second, third] = args
    if (expr.name === operators.and || expr.name === operators.or) {
      const [left, right] = [first?.cost ?? noCost, second?.cost ?? noCost]
      return { cost: { min: left.min, max: plus(left, right).max }, size: exactly(1) }
    }
    if (expr.name === operators.conditional && first && second && third) return conditional(first, second, third)
    if (expr.name === 'dyn' && first) return { ...first, cost: plus(first.cost, unitCost) }
    const total = args.reduce((sum, arg) => plus(sum, arg.cost), noCost)
    const estimate = this.#overloads(expr, exprs, args)
    const cost = plus(total, estimate.cost)
    if (expr.name === operators.index && first) return { cost, ...this.#element(expr, first) }
    const size = estimate.resultSize ?? typeSize(this.#type(expr))
    return {
      cost,
      size,
      entries: expr.name === operators.add ? unionEntries(first?.entries, second?.entries) : undefined,
    }
  }

  #overloads(expr: CallExpression, exprs: readonly Expr[], args: readonly Node[]): CallEstimate {
    const reference = this.#checked.references[expr.id]
    if (reference?.kind !== 'call') return { cost: unitCost }
    const nodes = args.map((arg, index) => this.#estimateNode(exprs[index], arg))
    let result: CallEstimate | undefined
    for (const overload of reference.overloads) {
      const one = overload.estimate?.(nodes) ?? { cost: unitCost }
      const resultSize = join(result?.resultSize, one.resultSize) ?? result?.resultSize
      const cost = join(result?.cost, one.cost) ?? one.cost
      result = resultSize ? { cost, resultSize } : { cost }
    }
    return result ?? { cost: unitCost }
  }

  #estimateNode(expr: Expr | undefined, node: Node): EstimateNode {
    const { declared } = node
    const element = declared?.kind === 'list' ? declaredSize(declared.element) : undefined
    const literal = expr?.kind === 'literal' && expr.type === 'int' ? Number(expr.value) : undefined
    return {
      type: expr ? this.#type(expr) : { kind: 'dyn' },
      size: node.size ?? unknownSize,
      literalInt: literal,
      elementSize: element ?? unknownSize,
    }
  }

  #element(expr: Expr, container: Node): Sized {
    const { declared } = container
    const inner = declared?.kind === 'list' ? declared.element : declared?.kind === 'map' ? declared.value : undefined
    const sized = this.#fromDeclared(expr, inner)
    return { ...sized, size: container.entries?.value ?? sized.size }
  }

  #bind(expr: Comprehension): Node {
    const init = this.visit(expr.init)
    this.#push(expr.accumulator, init)
    const result = this.visit(expr.result)
    this.#pop(expr.accumulator)
    // The empty range of a binding's loop is a list, too.
    return { ...result, cost: plus(plus(init.cost, result.cost), exactly(costs.list)) }
  }

  #comprehension(expr: Comprehension): Node {
    const range = this.visit(expr.range)
    const init = this.visit(expr.init)
    this.#push(expr.accumulator, init)
    const { key, value } = iterated(this.#type(expr.range), range)
    if (expr.variable2 === undefined) this.#push(expr.variable, this.#type(expr.range).kind === 'map' ? key : value)
    else {
      this.#push(expr.variable, key)
      this.#push(expr.variable2, value)
    }
    const condition = this.visit(expr.condition)
    const step = this.visit(expr.step)
    this.#pop(expr.variable)
    if (expr.variable2 !== undefined) this.#pop(expr.variable2)
    const result = this.visit(expr.result)
    this.#pop(expr.accumulator)
    const count = range.size ?? unknownSize
    const loop = times(count, plus(condition.cost, step.cost))
    const cost = plus(plus(plus(range.cost, init.cost), loop), result.cost)
    const builds = expr.init.kind === 'list' || expr.init.kind === 'map'
    return builds ? { cost, size: count, entries: step.entries } : { cost, size: init.size }
  }

  #push(name: string, sized: Sized): void {
    // An accumulator is not declared, so its size is kept here.
    const kept: Sized = name === accumulatorName ? { size: sized.size, entries: sized.entries } : sized
    const stack = this.#scopes.get(name)
    if (stack) stack.push(kept)
    else this.#scopes.set(name, [kept])
  }

  #pop(name: string): void {
    this.#scopes.get(name)?.pop()
  }
}

function join(a: Range | undefined, b: Range | undefined): Range | undefined {
  return a && b ? union(a, b) : (a ?? b)
}

function unionEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  return a && b ? { key: union(a.key, b.key), value: union(a.value, b.value) } : undefined
}

function conditional(test: Node, yes: Node, no: Node): Node {
  return {
    cost: plus(test.cost, union(yes.cost, no.cost)),
    size: union(yes.size ?? unknownSize, no.size ?? unknownSize),
    entries: unionEntries(yes.entries, no.entries),
  }
}

function iterated(type: CelType, range: Node): { key: Sized; value: Sized } {
  const { declared, entries } = range
  const declaredKey = declared?.kind === 'map' ? declared.key : undefined
  const declaredValue =
    declared?.kind === 'map' ? declared.value : declared?.kind === 'list' ? declared.element : undefined
  const key: Sized = type.kind === 'list' ? { size: exactly(1) } : { declared: declaredKey, size: entries?.key }
  return { key, value: { declared: declaredValue, size: entries?.value } }
}

function fieldOf(declared: CelType | undefined, field: string): CelType | undefined {
  if (declared?.kind === 'object') return declared.field(field)?.type
  return declared?.kind === 'map' ? declared.value : undefined
}

/** The bound of declared data; scalars and objects, which have no size, count as 0, as in the stock server. */
function declaredSize(type: CelType | undefined): Range | undefined {
  if (!type) return undefined
  switch (type.kind) {
    case 'string':
    case 'bytes':
    case 'dyn':
    case 'list':
    case 'map':
      return type.sizeMax === undefined ? undefined : { min: 0, max: type.sizeMax }
    case 'timestamp':
    case 'duration':
      return { min: 0, max: type.sizeMax ?? 0 }
    case 'opaque':
    case 'param':
    case 'type':
    case 'error':
      return undefined
    case 'int':
    case 'uint':
    case 'double':
    case 'bool':
    case 'null_type':
    case 'object':
      return noCost
  }
}

/** Computed scalars have size 1. */
function typeSize(type: CelType): Range | undefined {
  const scalar = ['bool', 'int', 'uint', 'double', 'timestamp', 'duration']
  const content = optionalContent(type)
  return scalar.includes((content ?? type).kind) ? exactly(1) : undefined
}

function literalSize(value: bigint | number | string | Bytes | boolean | null): number {
  if (typeof value === 'string') return codePointCount(value)
  return value instanceof Bytes ? value.value.length : 1
}
