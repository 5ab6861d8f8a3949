import type { Checked } from '../check/check.ts'
import { type CelType, types } from '../check/types.ts'
import type {
  CallExpression,
  Comprehension,
  Expr,
  ListLiteral,
  Literal,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/ast.ts'
import { operators } from '../syntax/ast.ts'
import { hasField, index, literalKey, optionalField, optionalIndex, selectField } from './access.ts'
import { negate } from './arithmetic.ts'
import { costs } from './cost.ts'
import { MadeObject } from './data.ts'
import { dispatch } from './dispatch.ts'
import { CelError, noSuchKey, noSuchOverload } from './errors.ts'
import { type Evaluate, Frame, type FrameShape } from './frame.ts'
import { collected, exactlyOne, inserted, type LoopParts, quantifier } from './loops.ts'
import {
  arithmetic,
  binaryOperator,
  charged,
  choice,
  equality,
  firstValue,
  logical,
  membership,
  optionalAccess,
  orderingOperator,
  orderings,
  unaryOperator,
} from './operators.ts'
import {
  ArrayList,
  type Bytes,
  Double,
  EntryMap,
  type MapKey,
  normalizeInt,
  Optional,
  Uint,
  type Value,
} from './values.ts'

interface Compiled {
  readonly evaluate: Evaluate
  readonly shape: FrameShape
}

/** Compiles a checked expression to closures, which count cost as they run. `variables`: types by name. */
export function compileChecked(checked: Checked, variables: ReadonlyMap<string, CelType>): Compiled {
  const compiler = new Compiler(checked)
  const evaluate = compiler.visit(checked.expr)
  const { globals, localCount } = compiler
  return { evaluate, shape: { globals, types: globals.map((name) => variables.get(name) ?? types.dyn), localCount } }
}

/** The place of a name's value: an index in frame.locals; `init` when it is computed on first use (cel.bind). */
interface Local {
  readonly slot: number
  readonly init: Evaluate | undefined
}

/** Constants read no variables, and have no loops. */
const constantShape: FrameShape = Object.freeze({ globals: [], types: [], localCount: 0 })

class Compiler {
  readonly globals: string[] = []
  localCount = 0
  readonly #checked: Checked
  readonly #constants = new Map<Evaluate, Value>()
  readonly #scopes = new Map<string, Local[]>()

  constructor(checked: Checked) {
    this.#checked = checked
  }

  visit(expr: Expr): Evaluate {
    const reference = this.#checked.references[expr.id]
    if (reference?.kind === 'type') return this.#constant(reference.value)
    if (reference?.kind === 'variable')
      return reference.local ? this.#local(reference.name) : this.#global(reference.name)
    switch (expr.kind) {
      case 'literal':
        return this.#literal(expr)
      case 'ident':
        return this.#local(expr.name)
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
        return this.#comprehension(expr)
    }
  }

  #global(name: string): Evaluate {
    let at = this.globals.indexOf(name)
    if (at < 0) at = this.globals.push(name) - 1
    return (frame) => {
      frame.cost += costs.access
      return frame.globals[at] ?? frame.global(at)
    }
  }

  #local(name: string): Evaluate {
    const local = this.#scopes.get(name)?.at(-1)
    if (!local) throw new Error(`no place for name ${name}`)
    const { slot, init } = local
    return (frame) => {
      frame.cost += costs.access
      const known = frame.locals[slot]
      if (known !== undefined) return known
      if (!init) return noSuchKey(name)
      const value = init(frame)
      frame.locals[slot] = value
      return value
    }
  }

  /** Constants cost nothing, as in the stock server. */
  #constant(value: Value): Evaluate {
    const evaluate = (): Value => value
    this.#constants.set(evaluate, value)
    return evaluate
  }

  /** The values of constant parts; undefined when some are not constant. */
  #constantsOf(parts: readonly Evaluate[]): readonly Value[] | undefined {
    return parts.every((part) => this.#constants.has(part))
      ? parts.map((part) => this.#constants.get(part) as Value)
      : undefined
  }

  #literal(expr: Literal): Evaluate {
    return this.#constant(literalValue(expr))
  }

  #select(expr: Select): Evaluate {
    const operand = this.visit(expr.operand)
    const { field } = expr
    // The stock server's environments charge nothing for has().
    if (expr.testOnly) {
      const rootCost = this.#rootCost(expr.operand)
      return (frame) => {
        frame.cost += rootCost
        return hasField(operand(frame), field)
      }
    }
    const cost = costs.access + this.#rootCost(expr.operand)
    return (frame) => {
      frame.cost += cost
      return selectField(operand(frame), field)
    }
  }

  /** Fields and elements of a computed value cost one access more than those of a variable. */
  #rootCost(operand: Expr | undefined): number {
    return operand && isPath(operand) ? 0 : costs.access
  }

  #call(expr: CallExpression): Evaluate {
    const reference = this.#checked.references[expr.id]
    if (reference?.kind !== 'call') throw new Error(`call of ${expr.name} was not resolved`)
    const args = expr.args.map((arg) => this.visit(arg))
    if (expr.target && !reference.qualified) args.unshift(this.visit(expr.target))
    const [first = missing, second = missing, third = missing] = args
    const compute = arithmetic[expr.name]
    if (compute) return binaryOperator(compute, first, second)
    const ordering = orderings[expr.name]
    if (ordering) return orderingOperator(ordering, first, second)
    switch (expr.name) {
      case operators.and:
        return logical(first, second, false)
      case operators.or:
        return logical(first, second, true)
      case operators.conditional:
        return choice(first, second, third, forgotten(expr.args[1]), forgotten(expr.args[2]))
      case operators.not:
        return unaryOperator((value) => (typeof value === 'boolean' ? !value : noSuchOverload()), first)
      case operators.negate:
        return unaryOperator(negate, first)
      case operators.equals:
        return equality(first, second, true)
      case operators.notEquals:
        return equality(first, second, false)
      case operators.index: {
        const cost = costs.call + this.#rootCost(expr.args[0]) - forgotten(expr.args[1])
        return charged((a, b) => index(a, b), first, second, cost)
      }
      case operators.optionalIndex:
        return optionalAccess(optionalIndex, first, second, this.#rootCost(expr.args[0]))
      case operators.optionalSelect:
        return optionalAccess(
          (a, b) => (typeof b === 'string' ? optionalField(a, b) : noSuchOverload()),
          first,
          second,
          this.#rootCost(expr.args[0]),
        )
      case operators.in:
        return membership(first, second)
    }
    const [overload] = reference.overloads
    if (overload?.id === 'optional_or_optional' || overload?.id === 'optional_orValue_value') {
      return firstValue(first, second, overload.id === 'optional_or_optional')
    }
    const call = dispatch(reference.overloads, args)
    return conversions.has(reference.name) && args.length === 1 && this.#constantsOf(args) ? this.#folded(call) : call
  }

  /** The constant result of a call of constants. Throws CelError when it has none: the expression can never work. */
  #folded(call: Evaluate): Evaluate {
    return this.#constant(call(new Frame(constantShape, {}, Number.POSITIVE_INFINITY)))
  }

  #list(expr: ListLiteral): Evaluate {
    const elements = expr.elements.map((element) => this.visit(element))
    const { optionals } = expr
    const constants = optionals.size === 0 && this.#constantsOf(elements)
    if (constants) return this.#constant(new ArrayList(constants))
    return (frame) => {
      frame.charge(costs.list)
      const items: Value[] = []
      for (let at = 0; at < elements.length; at++) {
        const value = (elements[at] ?? missing)(frame)
        if (!optionals.has(at)) items.push(value)
        else if (!(value instanceof Optional)) noSuchOverload()
        else if (value.value !== undefined) items.push(value.value)
      }
      return new ArrayList(items)
    }
  }

  #map(expr: MapLiteral): Evaluate {
    const entries = expr.entries.map((entry) => ({
      key: this.visit(entry.key),
      value: this.visit(entry.value),
      optional: entry.optional,
    }))
    const isConstant =
      entries.every(({ optional }) => !optional) && this.#constantsOf(entries.flatMap(({ key, value }) => [key, value]))
    const evaluate: Evaluate = (frame) => {
      frame.charge(costs.map)
      const made: (readonly [MapKey, Value])[] = []
      const map = new EntryMap(made)
      for (const entry of entries) {
        const key = literalKey(entry.key(frame))
        const value = unwrapped(entry.value(frame), entry.optional)
        if (value !== undefined && !map.add(key, value)) {
          throw new CelError('invalidArgument', 'Failed with repeated key')
        }
      }
      return map
    }
    return isConstant ? this.#folded(evaluate) : evaluate
  }

  #struct(expr: StructLiteral): Evaluate {
    const type = this.#checked.types[expr.id]
    if (type?.kind !== 'object') throw new Error(`${expr.name} is no object type`)
    const entries = expr.entries.map((entry) => ({ ...entry, compute: this.visit(entry.value) }))
    return (frame) => {
      frame.charge(costs.struct)
      const fields = new Map<string, Value>()
      for (const entry of entries) {
        const value = unwrapped(entry.compute(frame), entry.optional)
        if (value !== undefined) fields.set(entry.field, value)
      }
      return new MadeObject(type, fields)
    }
  }

  #comprehension(expr: Comprehension): Evaluate {
    const { shape } = expr
    if (shape.kind === 'bind') return this.#bind(expr)
    const range = this.visit(expr.range)
    const variable = this.#declare(expr.variable, undefined)
    const variable2 = expr.variable2 === undefined ? undefined : this.#declare(expr.variable2, undefined)
    const parts: LoopParts = { range, variable, variable2 }
    const loop = this.#loop(parts, expr)
    this.#scopes.get(expr.variable)?.pop()
    if (expr.variable2 !== undefined) this.#scopes.get(expr.variable2)?.pop()
    return loop
  }

  #loop(parts: LoopParts, { shape }: Comprehension): Evaluate {
    switch (shape.kind) {
      case 'all':
      case 'exists':
        return quantifier(parts, this.visit(shape.test), shape.kind)
      case 'one':
        return exactlyOne(parts, this.visit(shape.test))
      case 'list':
        return collected(parts, shape.keep && this.visit(shape.keep), this.visit(shape.element))
      case 'map':
        return inserted(
          parts,
          shape.keep && this.visit(shape.keep),
          shape.key && this.visit(shape.key),
          this.visit(shape.value),
        )
      case 'bind':
        throw new Error('a binding is no loop')
    }
  }

  #bind(expr: Comprehension): Evaluate {
    const init = this.visit(expr.init)
    const slot = this.#declare(expr.accumulator, init)
    const result = this.visit(expr.result)
    this.#scopes.get(expr.accumulator)?.pop()
    return (frame) => {
      frame.locals[slot] = undefined
      return result(frame)
    }
  }

  #declare(name: string, init: Evaluate | undefined): number {
    const slot = this.localCount++
    const stack = this.#scopes.get(name)
    if (stack) stack.push({ slot, init })
    else this.#scopes.set(name, [{ slot, init }])
    return slot
  }
}

/** Calls that continue a path from their operand. */
const steps: ReadonlySet<string> = new Set([
  operators.index,
  operators.optionalIndex,
  operators.optionalSelect,
  operators.conditional,
])

function isPath(expr: Expr): boolean {
  return expr.kind === 'ident' || expr.kind === 'select' || (expr.kind === 'call' && steps.has(expr.name))
}

/** For branches and keys that are paths, the stock server forgets the cost of the first variable. */
function forgotten(expr: Expr | undefined): number {
  if (!expr || (expr.kind === 'select' && expr.testOnly)) return 0
  if (expr.kind === 'ident') return costs.access
  if (expr.kind === 'select') return isPath(expr.operand) ? forgotten(expr.operand) : costs.access
  if (expr.kind !== 'call' || !steps.has(expr.name) || expr.name === operators.conditional) return 0
  const [operand] = expr.args
  return operand && isPath(operand) ? forgotten(operand) : costs.access
}

/** Functions with the names of types. */
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
])

function missing(): Value {
  throw new Error('an argument is missing')
}

function literalValue(expr: Literal): Value {
  const { value } = expr
  if (expr.type === 'uint') return new Uint(normalizeInt(value as bigint))
  if (typeof value === 'bigint') return normalizeInt(value)
  if (expr.type === 'double') return new Double(value as number)
  return value as string | boolean | null | Bytes
}

function unwrapped(value: Value, optional: boolean): Value | undefined {
  if (!optional) return value
  return value instanceof Optional ? value.value : noSuchOverload()
}
