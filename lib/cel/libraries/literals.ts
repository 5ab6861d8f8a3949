import type { Library } from '../check/function.ts'
import type { LiteralCheck, LiteralContext, PatternBudget } from '../check/literalcheck.ts'
import { patternSize } from '../check/patternsize.ts'
import { type CelType, formatType, optionalContent, types } from '../check/types.ts'
import { compileRegex } from '../run/regex.ts'
import { isTimestamp, parseCelDuration, parseTimestamp } from '../run/time.ts'
import type { CallExpression, Expr, ListLiteral, MapLiteral } from '../syntax/ast.ts'

/**
 * Requires lists and maps in an expression to hold values of one type: a value that differs from the first is refused.
 */
export function homogeneousLiteralsLibrary(): Library {
  const check: LiteralCheck = (expr, context, mixed) => {
    if (mixed) return
    if (expr.kind === 'list') checkList(expr, context)
    if (expr.kind === 'map') checkMap(expr, context)
  }
  return { name: 'homogeneous literals', checks: [check] }
}

function checkList(list: ListLiteral, context: LiteralContext): void {
  let wanted: CelType | undefined
  for (const [index, element] of list.elements.entries()) {
    const type = typeIn(context, element, list.optionals.has(index))
    wanted ??= type
    if (context.solution.same(wanted, type)) continue
    reportMismatch(context, element, wanted, type)
    return
  }
}

function checkMap(map: MapLiteral, context: LiteralContext): void {
  const [first] = map.entries
  if (!first) return
  const wantedKey = typeIn(context, first.key, false)
  const wantedValue = typeIn(context, first.value, first.optional)
  for (const { key, value, optional } of map.entries) {
    const keyType = typeIn(context, key, false)
    const valueType = typeIn(context, value, optional)
    if (!context.solution.same(wantedKey, keyType)) reportMismatch(context, key, wantedKey, keyType)
    if (!context.solution.same(wantedValue, valueType)) reportMismatch(context, value, wantedValue, valueType)
  }
}

function typeIn({ checked }: LiteralContext, expr: Expr, optional: boolean): CelType {
  const type = checked.types[expr.id] ?? types.error
  return optional ? (optionalContent(type) ?? types.dyn) : type
}

function reportMismatch({ source }: LiteralContext, at: Expr, wanted: CelType, found: CelType): void {
  source.report(at.position, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`)
}

/**
 * Refuses literal arguments of duration(), timestamp(), matches(), find() and findAll() that would fail at each
 * evaluation. Patterns beyond the budget are not checked: a wrong one fails when it is evaluated.
 */
export function literalArgumentsLibrary(): Library {
  const check: LiteralCheck = (expr, { source, checked, patternBudget }) => {
    if (expr.kind === 'call' && checked.references[expr.id]) checkCall(expr, source, patternBudget)
  }
  return { name: 'literal arguments', checks: [check] }
}

function checkCall(call: CallExpression, source: LiteralContext['source'], budget: PatternBudget | undefined): void {
  // The stock server reads the first argument, which is the text when matches() has no receiver.
  const [argument] = call.args
  if (argument?.kind !== 'literal') return
  const { value } = argument
  if (!isValid(call, value, budget)) source.report(argument.position, `invalid ${call.name} argument`)
}

function isValid(call: CallExpression, value: unknown, budget: PatternBudget | undefined): boolean {
  switch (call.name) {
    case 'duration':
      return typeof value !== 'string' || parseCelDuration(value) !== undefined
    case 'timestamp':
      if (typeof value === 'bigint') return isTimestamp(value)
      return typeof value !== 'string' || parseTimestamp(value) !== undefined
    case 'matches':
    case 'find':
    case 'findAll':
      return typeof value !== 'string' || isPattern(value, budget)
    default:
      return true
  }
}

function isPattern(text: string, budget: PatternBudget | undefined): boolean {
  if (budget) {
    budget.left -= patternSize(text)
    if (budget.left < 0) return true
  }
  return compileRegex(text) !== undefined
}
