import type { TypeValue } from '../run/values.ts'
import type {
  CallExpression,
  Comprehension,
  Expr,
  Ident,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../syntax/ast.ts'
import { operators, qualifiedName } from '../syntax/ast.ts'
import type { SourceText } from '../syntax/sourcetext.ts'
import { candidateNames, type Environment, findObjectType } from './environment.ts'
import type { Overload } from './function.ts'
import { type CelType, formatType, optionalContent, type ParamType, types } from './types.ts'
import { isDynamic, moreGeneral, Solution, TooComplex } from './unify.ts'

/** The meaning of a name or call. */
type Reference =
  | { readonly kind: 'variable'; readonly name: string; readonly local: boolean }
  | { readonly kind: 'type'; readonly value: TypeValue }
  /** Overloads that may apply; `qualified`: the call's target is part of the function's name. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly overloads: readonly Overload[]
      readonly qualified: boolean
    }

export interface Checked {
  readonly expr: Expr
  readonly type: CelType
  /** By node id. */
  readonly types: readonly CelType[]
  readonly references: readonly (Reference | undefined)[]
}

interface Scope {
  readonly names: ReadonlyMap<string, CelType>
  readonly outer: Scope | undefined
}

/** Determines the type of every node; undefined when a node has none, which is reported to `source`. */
export function check(
  environment: Environment,
  source: SourceText,
  expr: Expr,
  nodeCount: number,
): Checked | undefined {
  const checker = new Checker(environment, source, nodeCount)
  try {
    checker.visit(expr)
    return source.issues.length > 0 ? undefined : checker.finish(expr)
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    source.report(-1, 'the types of the expression are too complex')
    return undefined
  }
}

class Checker {
  readonly #environment: Environment
  readonly #source: SourceText
  readonly #types: (CelType | undefined)[]
  readonly #references: (Reference | undefined)[]
  readonly #solution = new Solution()
  #scope: Scope | undefined
  #fresh = 0

  constructor(environment: Environment, source: SourceText, nodeCount: number) {
    this.#environment = environment
    this.#source = source
    this.#types = Array.from({ length: nodeCount })
    this.#references = Array.from({ length: nodeCount })
  }

  finish(expr: Expr): Checked {
    const final = this.#types.map((type) => (type ? this.#solution.substitute(type, true) : types.error))
    return { expr, type: final[expr.id] ?? types.error, types: final, references: this.#references }
  }

  visit(expr: Expr): CelType {
    const type = this.#typeOf(expr)
    this.#types[expr.id] = type
    return type
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return expr.type === 'null' ? types.null : types[expr.type]
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
        return this.#comprehension(expr)
    }
  }

  #ident(expr: Ident): CelType {
    const found = this.#resolve(expr.name)
    if (!found) return this.#undeclared(expr, expr.name)
    this.#references[expr.id] = found.reference
    return found.type
  }

  #resolve(name: string): { type: CelType; reference: Reference } | undefined {
    for (let scope = this.#scope; scope; scope = scope.outer) {
      const type = scope.names.get(name)
      if (type) return { type, reference: { kind: 'variable', name, local: true } }
    }
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const type = this.#environment.variables.get(candidate)
      if (type) return { type, reference: { kind: 'variable', name: candidate, local: false } }
      const value = this.#environment.typeNames.get(candidate)
      if (value) return { type: types.typeOf(value.type), reference: { kind: 'type', value } }
    }
    return undefined
  }

  #undeclared(at: { position: number }, name: string): CelType {
    const { container } = this.#environment
    return this.#error(at, `undeclared reference to '${name}' (in container '${container}')`)
  }

  #error(at: { position: number }, message: string): CelType {
    this.#source.report(at.position, message)
    return types.error
  }

  #select(expr: Select): CelType {
    const name = qualifiedName(expr)
    if (name !== undefined) {
      const found = this.#resolveQualified(expr, name)
      if (found) return found
    }
    const operand = this.#solution.substitute(this.visit(expr.operand))
    const content = optionalContent(operand)
    const field = this.#field(expr, content ?? operand, expr.field)
    if (expr.testOnly) return types.bool
    return content && !optionalContent(field) ? types.optional(field) : field
  }

  #resolveQualified(expr: Select, name: string): CelType | undefined {
    // A local name hides every dotted name that begins with it.
    const first = name.slice(0, name.indexOf('.'))
    for (let scope = this.#scope; scope; scope = scope.outer) if (scope.names.has(first)) return undefined
    const found = this.#resolve(name)
    if (!found) return undefined
    this.#references[expr.id] = found.reference
    return found.type
  }

  #field(expr: { position: number }, operand: CelType, field: string): CelType {
    switch (operand.kind) {
      case 'error':
      case 'dyn':
        return types.dyn
      case 'map':
        return operand.value
      case 'param':
        this.#solution.assign([operand], [types.dyn])
        return types.dyn
      case 'object': {
        const declared = operand.field(field)
        return declared ? declared.type : this.#error(expr, `undefined field '${field}'`)
      }
      default:
        return this.#error(expr, `type '${formatType(operand)}' does not support field selection`)
    }
  }

  #call(expr: CallExpression): CelType {
    if (expr.name === operators.optionalSelect) return this.#optionalSelect(expr)
    if (expr.target) return this.#memberCall(expr, expr.target)
    if (expr.name === operators.and || expr.name === operators.or) return this.#logical(expr)
    for (const arg of expr.args) this.visit(arg)
    const candidates = candidateNames(this.#environment.container, expr.name)
    const name = candidates.find((candidate) => this.#environment.functions.has(candidate))
    if (name === undefined) return this.#undeclared(expr, expr.name)
    return this.#overload(expr, name, expr.args, undefined)
  }

  #logical(expr: CallExpression): CelType {
    for (const arg of expr.args) this.#require(arg, this.visit(arg), types.bool)
    this.#references[expr.id] = { kind: 'call', name: expr.name, overloads: [], qualified: false }
    return types.bool
  }

  #memberCall(expr: CallExpression, target: Expr): CelType {
    const prefix = qualifiedName(target)
    if (prefix !== undefined) {
      for (const name of candidateNames(this.#environment.container, `${prefix}.${expr.name}`)) {
        if (!this.#environment.functions.has(name)) continue
        for (const arg of expr.args) this.visit(arg)
        return this.#overload(expr, name, expr.args, undefined)
      }
    }
    this.visit(target)
    for (const arg of expr.args) this.visit(arg)
    if (!this.#environment.functions.has(expr.name)) return this.#undeclared(expr, expr.name)
    return this.#overload(expr, expr.name, [target, ...expr.args], target)
  }

  #overload(expr: CallExpression, name: string, args: readonly Expr[], target: Expr | undefined): CelType {
    const argTypes = args.map((arg) => this.#types[arg.id] ?? types.error)
    const matches: Overload[] = []
    let result: CelType | undefined
    for (const overload of this.#environment.functions.get(name) ?? []) {
      if (overload.member !== (target !== undefined)) continue
      const form = this.#instantiate(overload)
      if (!this.#solution.assign(argTypes, form.args)) continue
      matches.push(overload)
      const own = this.#solution.substitute(form.result)
      if (result === undefined) result = own
      else if (!isDynamic(result) && !this.#solution.same(result, own)) result = types.dyn
    }
    if (result === undefined) return this.#noOverload(expr, name, argTypes, target)
    this.#references[expr.id] = { kind: 'call', name, overloads: matches, qualified: expr.target !== target }
    return result
  }

  #noOverload(expr: CallExpression, name: string, argTypes: readonly CelType[], target: Expr | undefined): CelType {
    if (argTypes.some((type) => this.#solution.substitute(type).kind === 'error')) return types.error
    const shown = argTypes.map((type) => formatType(this.#solution.substitute(type, true)))
    const signature = target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`
    return this.#error(expr, `found no matching overload for '${name}' applied to '${signature}'`)
  }

  /** The overload with fresh type variables. */
  #instantiate(overload: Overload): { args: readonly CelType[]; result: CelType } {
    const renamed = new Map<string, ParamType>()
    const rename = (type: CelType): CelType => {
      switch (type.kind) {
        case 'param': {
          const known = renamed.get(type.name) ?? this.#variable()
          renamed.set(type.name, known)
          return known
        }
        case 'list':
          return { ...type, element: rename(type.element) }
        case 'map':
          return { ...type, key: rename(type.key), value: rename(type.value) }
        case 'opaque':
          return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(rename) }
        case 'type':
          return type.of === undefined ? type : types.typeOf(rename(type.of))
        default:
          return type
      }
    }
    return { args: overload.args.map(rename), result: rename(overload.result) }
  }

  #variable(): ParamType {
    return { kind: 'param', name: `_var${this.#fresh++}` }
  }

  /** `a.?b`: a field of `a`, or of the content of the optional `a`; the result is always optional. */
  #optionalSelect(expr: CallExpression): CelType {
    const [operand, field] = expr.args
    if (!operand || field?.kind !== 'literal' || typeof field.value !== 'string') return types.error
    this.visit(field)
    const type = this.#solution.substitute(this.visit(operand))
    const found = this.#field(expr, optionalContent(type) ?? type, field.value)
    this.#references[expr.id] = { kind: 'call', name: expr.name, overloads: [], qualified: false }
    return optionalContent(found) ? found : types.optional(found)
  }

  #list(expr: ListLiteral): CelType {
    let element: CelType | undefined
    expr.elements.forEach((item, index) => {
      const type = this.#element(item, expr.optionals.has(index))
      element = this.#join(element, type)
    })
    return types.list(element ?? this.#variable())
  }

  #element(item: Expr, optional: boolean): CelType {
    const type = this.visit(item)
    if (!optional) return type
    const content = optionalContent(this.#solution.substitute(type))
    if (content || isDynamic(type)) return content ?? types.dyn
    return this.#error(item, `expected type 'optional_type(${formatType(type)})' but found '${formatType(type)}'`)
  }

  /** The common type of two elements of a literal: dyn when no other fits both. */
  #join(known: CelType | undefined, next: CelType): CelType {
    if (known === undefined) return next
    const from = this.#solution.substitute(next)
    const to = this.#solution.substitute(known)
    if (this.#solution.assign([from], [to])) {
      return moreGeneral(this.#solution.substitute(to), this.#solution.substitute(from))
    }
    return types.dyn
  }

  #map(expr: MapLiteral): CelType {
    let key: CelType | undefined
    let value: CelType | undefined
    for (const entry of expr.entries) {
      key = this.#join(key, this.visit(entry.key))
      value = this.#join(value, this.#element(entry.value, entry.optional))
    }
    return types.map(key ?? this.#variable(), value ?? this.#variable())
  }

  #struct(expr: StructLiteral): CelType {
    const names = candidateNames(this.#environment.container, expr.name)
    const type = names.map((name) => findObjectType(this.#environment, name)).find((found) => found !== undefined)
    if (!type) {
      const known = this.#resolve(expr.name)
      if (!known) this.#undeclared(expr, expr.name)
      else if (known.reference.kind !== 'type') this.#error(expr, `'${formatType(known.type)}' is not a type`)
      else this.#error(expr, `'${formatType(known.reference.value.type)}' is not a message type`)
    } else if (!type.constructible) {
      this.#error(expr, `'${type.name}' is not a message type`)
    }
    if (!type) return types.error
    for (const entry of expr.entries) {
      const given = this.#element(entry.value, entry.optional)
      const declared = type.field(entry.field)
      if (!declared) this.#error(entry, `undefined field '${entry.field}'`)
      else if (!this.#solution.assign([given], [declared.type])) {
        const [want, have] = [formatType(declared.type), formatType(this.#solution.substitute(given, true))]
        this.#error(entry, `expected type of field '${entry.field}' is '${want}' but provided type is '${have}'`)
      }
    }
    return type
  }

  #comprehension(expr: Comprehension): CelType {
    const range = this.#solution.substitute(this.visit(expr.range))
    const init = this.visit(expr.init)
    const { first, second } = this.#iterated(expr, range)
    const outer = this.#scope
    const accumulated: Scope = { names: new Map([[expr.accumulator, init]]), outer }
    const names = new Map([[expr.variable, expr.variable2 === undefined ? second : first]])
    if (expr.variable2 !== undefined) names.set(expr.variable2, second)
    this.#scope = { names, outer: accumulated }
    this.#require(expr.condition, this.visit(expr.condition), types.bool)
    this.#require(expr.step, this.visit(expr.step), init)
    this.#scope = accumulated
    const result = this.visit(expr.result)
    this.#scope = outer
    return this.#solution.substitute(result)
  }

  /** Types of index and element, or of key and value. With one variable, a map's key is the `second`, too. */
  #iterated(expr: Comprehension, range: CelType): { first: CelType; second: CelType } {
    switch (range.kind) {
      case 'list':
        return { first: types.int, second: range.element }
      case 'map':
        return { first: range.key, second: expr.variable2 === undefined ? range.key : range.value }
      case 'param':
        this.#solution.assign([range], [types.dyn])
        return { first: types.dyn, second: types.dyn }
      case 'dyn':
      case 'error':
        return { first: types.dyn, second: types.dyn }
      default: {
        const shown = formatType(range)
        const message = `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`
        this.#error(expr.range, message)
        return { first: types.error, second: types.error }
      }
    }
  }

  #require(at: Expr, type: CelType, wanted: CelType): void {
    if (this.#solution.assign([type], [wanted])) return
    const [want, found] = [this.#solution.substitute(wanted), this.#solution.substitute(type)]
    this.#error(at, `expected type '${formatType(want)}' but found '${formatType(found)}'`)
  }
}
