import { accumulatorName, type Expr, type LoopShape, operators } from './ast.ts'
import type { Builder } from './build.ts'

interface MacroContext {
  readonly make: Builder
  /** Position of the call's parenthesis, also for expanded nodes. */
  readonly position: number
  error(position: number, message: string): void
  nameOf(expr: Expr): string | undefined
}

/** A call that the parser rewrites. `expand` returns undefined to leave the call unchanged. */
export interface Macro {
  readonly name: string
  readonly argumentCount: number
  readonly receiver: boolean
  expand(context: MacroContext, target: Expr | undefined, args: readonly Expr[]): Expr | undefined
}

export function macroKey(macro: Macro): string {
  return `${macro.name}:${macro.argumentCount}:${macro.receiver}`
}

type Body = (context: MacroContext, names: readonly string[], args: readonly Expr[]) => Loop

interface Loop {
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
  readonly shape: LoopShape
}

/** has, all, exists, exists_one, map, filter. */
export const standardMacros: readonly Macro[] = [
  { name: 'has', argumentCount: 1, receiver: false, expand: expandHas },
  loop('all', 1, 1, every),
  loop('exists', 1, 1, some),
  loop('exists_one', 1, 1, one),
  loop('map', 1, 1, (c, _, [transform]) => collect(c, undefined, transform)),
  loop('map', 1, 2, (c, _, [keep, transform]) => collect(c, keep, transform)),
  { name: 'filter', argumentCount: 2, receiver: true, expand: expandFilter },
]

/** all, exists, existsOne, transformList, transformMap, transformMapEntry over (index, value) or (key, value). */
export const twoVariableMacros: readonly Macro[] = [
  loop('all', 2, 1, every),
  loop('exists', 2, 1, some),
  loop('existsOne', 2, 1, one),
  loop('exists_one', 2, 1, one),
  loop('transformList', 2, 1, (c, _, [transform]) => collect(c, undefined, transform)),
  loop('transformList', 2, 2, (c, _, [keep, transform]) => collect(c, keep, transform)),
  loop('transformMap', 2, 1, (c, [key], [transform]) => insert(c, undefined, key, transform)),
  loop('transformMap', 2, 2, (c, [key], [keep, transform]) => insert(c, keep, key, transform)),
  loop('transformMapEntry', 2, 1, (c, _, [entry]) => insert(c, undefined, undefined, entry)),
  loop('transformMapEntry', 2, 2, (c, _, [keep, entry]) => insert(c, keep, undefined, entry)),
]

/** cel.bind(name, value, expression). */
export const bindMacro: Macro = {
  name: 'bind',
  argumentCount: 3,
  receiver: true,
  expand(context, target, args) {
    const [name, value, body] = args
    if (!target || context.nameOf(target) !== 'cel' || !name || !value || !body) return undefined
    if (name.kind !== 'ident') {
      context.error(name.position, 'cel.bind() variable names must be simple identifiers')
      return undefined
    }
    return bind(context, name.name, value, body)
  },
}

/** Sorts a list by a list of as many keys; only sortBy expands to it. */
export const sortByFunction = '@sortByAssociatedKeys'

/** Holds the list of sortBy, which is read for its elements and for their keys. */
const sortedName = '@__sortBy_input__'

/** `list.sortBy(e, key)`. */
export const sortByMacro: Macro = {
  name: 'sortBy',
  argumentCount: 2,
  receiver: true,
  expand(context, target, args) {
    const [variable, key] = args
    if (!target || !variable || !key) return undefined
    const { make, position: at } = context
    if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
      const why = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression'
      context.error(target.position, why)
      return undefined
    }
    const name = variableName(context, variable, 'argument is not an identifier')
    if (name === undefined) return undefined
    const held = (): Expr => make.ident(at, sortedName)
    const keys = comprehension(context, held(), [name], collect(context, undefined, key))
    return bind(context, sortedName, target, make.call(at, sortByFunction, [keys], held()))
  },
}

/** optMap and optFlatMap on optional values. */
export const optionalMacros: readonly Macro[] = [optionalMap('optMap', true), optionalMap('optFlatMap', false)]

function expandHas(context: MacroContext, _target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const [argument] = args
  if (argument?.kind === 'select' && !argument.testOnly) {
    return context.make.select(context.position, argument.operand, argument.field, true)
  }
  context.error(argument?.position ?? context.position, 'invalid argument to has() macro')
  return undefined
}

function expandFilter(context: MacroContext, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const [variable, keep] = args
  if (!target || !variable || !keep) return undefined
  const name = variableName(context, variable, 'argument is not an identifier')
  if (name === undefined) return undefined
  const element = context.make.ident(variable.position, name)
  return comprehension(context, target, [name], collect(context, keep, element))
}

function loop(name: string, variables: 1 | 2, expressions: number, body: Body): Macro {
  return {
    name,
    argumentCount: variables + expressions,
    receiver: true,
    expand(context, target, args) {
      if (!target) return undefined
      const names: string[] = []
      const plain = variables === 1 && (name === 'map' || name === 'filter')
      for (const variable of args.slice(0, variables)) {
        const text = plain ? 'argument is not an identifier' : 'argument must be a simple name'
        const found = variableName(context, variable, text)
        if (found === undefined) return undefined
        if (names.includes(found)) {
          context.error(variable.position, `duplicate variable name: ${found}`)
          return undefined
        }
        names.push(found)
      }
      return comprehension(context, target, names, body(context, names, args.slice(variables)))
    },
  }
}

function variableName(context: MacroContext, expr: Expr, message: string): string | undefined {
  if (expr.kind !== 'ident' || expr.name.startsWith('.')) {
    context.error(expr.position, message)
    return undefined
  }
  if (expr.name === accumulatorName || expr.name === '__result__') {
    context.error(expr.position, 'iteration variable overwrites accumulator variable')
    return undefined
  }
  return expr.name
}

function comprehension(context: MacroContext, range: Expr, names: readonly string[], body: Loop): Expr {
  return context.make.comprehension(context.position, {
    range,
    variable: names[0] ?? '',
    variable2: names[1],
    accumulator: accumulatorName,
    ...body,
  })
}

function every({ make, position: at }: MacroContext, _: readonly string[], [predicate]: readonly Expr[]): Loop {
  const test = predicate ?? make.literal(at, 'bool', true)
  return {
    init: make.literal(at, 'bool', true),
    condition: make.call(at, operators.notStrictlyFalse, [make.accumulator(at)]),
    step: make.call(at, operators.and, [make.accumulator(at), test]),
    result: make.accumulator(at),
    shape: { kind: 'all', test },
  }
}

function some({ make, position: at }: MacroContext, _: readonly string[], [predicate]: readonly Expr[]): Loop {
  const test = predicate ?? make.literal(at, 'bool', true)
  const not = make.call(at, operators.not, [make.accumulator(at)])
  return {
    init: make.literal(at, 'bool', false),
    condition: make.call(at, operators.notStrictlyFalse, [not]),
    step: make.call(at, operators.or, [make.accumulator(at), test]),
    result: make.accumulator(at),
    shape: { kind: 'exists', test },
  }
}

function one({ make, position: at }: MacroContext, _: readonly string[], [predicate]: readonly Expr[]): Loop {
  const test = predicate ?? make.literal(at, 'bool', true)
  const count = make.call(at, operators.add, [make.accumulator(at), make.literal(at, 'int', 1n)])
  return {
    init: make.literal(at, 'int', 0n),
    condition: make.literal(at, 'bool', true),
    step: make.call(at, operators.conditional, [test, count, make.accumulator(at)]),
    result: make.call(at, operators.equals, [make.accumulator(at), make.literal(at, 'int', 1n)]),
    shape: { kind: 'one', test },
  }
}

function collect({ make, position: at }: MacroContext, keep: Expr | undefined, given: Expr | undefined): Loop {
  const element = given ?? make.literal(at, 'null', null)
  const appended = make.call(at, operators.add, [make.accumulator(at), make.list(at, [element])])
  return {
    init: make.list(at, []),
    condition: make.literal(at, 'bool', true),
    step: keep ? make.call(at, operators.conditional, [keep, appended, make.accumulator(at)]) : appended,
    result: make.accumulator(at),
    shape: { kind: 'list', keep, element },
  }
}

/** With a key, adds the entry `value` under it; without, adds the entries of the map `value`. */
function insert(
  { make, position: at }: MacroContext,
  keep: Expr | undefined,
  name: string | undefined,
  given: Expr | undefined,
): Loop {
  const key = name === undefined ? undefined : make.ident(at, name)
  const value = given ?? make.literal(at, 'null', null)
  const inserted = make.call(at, insertFunction, [make.accumulator(at), ...(key ? [key] : []), value])
  return {
    init: make.map(at, []),
    condition: make.literal(at, 'bool', true),
    step: keep ? make.call(at, operators.conditional, [keep, inserted, make.accumulator(at)]) : inserted,
    result: make.accumulator(at),
    shape: { kind: 'map', keep, key, value },
  }
}

/** Adds an entry to the accumulated map; only macros expand to it. */
export const insertFunction = 'cel.@mapInsert'

/** A comprehension that never loops: `name` is `value` in `body`. */
function bind({ make, position: at }: MacroContext, name: string, value: Expr, body: Expr): Expr {
  return make.comprehension(at, {
    range: make.list(at, []),
    variable: '#unused',
    variable2: undefined,
    accumulator: name,
    init: value,
    condition: make.literal(at, 'bool', false),
    step: make.ident(at, name),
    result: body,
    shape: { kind: 'bind' },
  })
}

/** Holds the optional while its value is bound: the operand is read once, however long the chain of optMap is. */
const optionalName = '@optional'

/** `x.optMap(v, f)`: none stays none, else f over the value (wrapped again by optMap). */
function optionalMap(name: string, wrap: boolean): Macro {
  return {
    name,
    argumentCount: 2,
    receiver: true,
    expand(context, target, args) {
      const [variable, body] = args
      if (!target || !variable || !body) return undefined
      const { make, position: at } = context
      if (variable.kind !== 'ident') {
        context.error(variable.position, `${name}() variable name must be a simple identifier`)
        return undefined
      }
      const held = (): Expr => make.ident(at, optionalName)
      const mapped = bind(context, variable.name, make.call(at, 'value', [], held()), body)
      const some = wrap ? make.call(at, 'optional.of', [mapped]) : mapped
      const none = make.call(at, 'optional.none', [])
      const choice = make.call(at, operators.conditional, [make.call(at, 'hasValue', [], held()), some, none])
      return bind(context, optionalName, target, choice)
    },
  }
}
