import type { LiteralCheck, LiteralContext } from '../check/literalcheck.ts'
import { runtimeTypeName, types } from '../check/types.ts'
import type { CallExpression, Expr, ListLiteral } from '../syntax/ast.ts'
import { formatParts, refusal, type Verb } from './formatclauses.ts'

/** Checks calls of format() on a literal text with a literal list of arguments: their number and types. */
export const checkFormat: LiteralCheck = (expr, context) => {
  if (expr.kind !== 'call' || expr.name !== 'format' || expr.target?.kind !== 'literal') return
  const reference = context.checked.references[expr.id]
  const isFormat = reference?.kind === 'call' && reference.overloads.some(({ id }) => id === formatOverload)
  const { value } = expr.target
  const [args] = expr.args
  if (isFormat && typeof value === 'string' && args?.kind === 'list') checkCall(expr, value, args, context)
}

export const formatOverload = 'string_format'

function checkCall(call: CallExpression, text: string, { elements }: ListLiteral, context: LiteralContext): void {
  const { source } = context
  let used = 0
  for (const part of formatParts(text)) {
    if (typeof part === 'string') continue
    if ('broken' in part && part.atEnd) return source.report(call.position, part.broken)
    const element = elements[used]
    if (!element) return source.report(call.position, `index ${used} out of range`)
    if ('broken' in part) return source.report(call.position, part.broken)
    used++
    const bad = part.verb === 's' ? unprintable(element, context) : mistyped(element, part.verb, context)
    if (bad) return source.report(bad.position, refusal(part.verb, runtimeTypeName(typeIn(context, bad))))
  }
  if (elements.length <= used) return
  const why = `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`
  source.report(call.position, why)
}

function typeIn({ checked }: LiteralContext, expr: Expr): NonNullable<LiteralContext['checked']['types'][number]> {
  return checked.types[expr.id] ?? types.dyn
}

/** Accepted types of arguments by verb; dyn is only known when it is printed. */
const accepted: Readonly<Record<Exclude<Verb, 's'>, readonly string[]>> = {
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
}

function mistyped(element: Expr, verb: Exclude<Verb, 's'>, context: LiteralContext): Expr | undefined {
  const { kind } = typeIn(context, element)
  return kind === 'dyn' || accepted[verb].includes(kind) ? undefined : element
}

/** The first part of an argument that %s can't print. */
function unprintable(expr: Expr, context: LiteralContext): Expr | undefined {
  const { kind } = typeIn(context, expr)
  if (kind === 'object' || kind === 'opaque' || kind === 'error') return expr
  const parts =
    expr.kind === 'list' ? expr.elements : expr.kind === 'map' ? expr.entries.flatMap((e) => [e.key, e.value]) : []
  for (const part of parts) {
    const found = unprintable(part, context)
    if (found) return found
  }
  return undefined
}
