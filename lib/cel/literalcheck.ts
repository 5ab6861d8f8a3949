import { appendAll } from '../base/index.ts'
import type { Call, Expr } from './ast.ts'
import type { Checked } from './check.ts'
import { patternSize } from './patternsize.ts'
import { compileRegex } from './regex.ts'
import type { Source } from './source.ts'
import { parseDuration, parseTimestamp } from './time.ts'

/** Limits the patterns that are compiled only to check them, by their size; shared by the expressions of one object. */
export interface PatternBudget {
  left: number
}

/**
 * Reports literal arguments of duration(), timestamp() and matches() that fail whenever they are evaluated. Patterns
 * beyond the budget are not looked at: one that is wrong fails when it is evaluated.
 */
export function checkLiterals(source: Source, root: Expr, checked: Checked, budget?: PatternBudget): void {
  const seen = new Set<number>()
  const rest: Expr[] = [root]
  for (let expr = rest.pop(); expr; expr = rest.pop()) {
    if (seen.has(expr.id)) continue
    seen.add(expr.id)
    if (expr.kind === 'call' && checked.references[expr.id]) checkCall(source, expr, budget)
    appendAll(rest, children(expr))
  }
}

function checkCall(source: Source, call: Call, budget: PatternBudget | undefined): void {
  const argument = call.name === 'matches' ? call.args.at(-1) : call.args.length === 1 ? call.args[0] : undefined
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string') return
  const { value } = argument
  const valid =
    call.name === 'duration'
      ? parseDuration(value) !== undefined
      : call.name === 'timestamp'
        ? parseTimestamp(value) !== undefined
        : call.name !== 'matches' || isPattern(value, budget)
  if (!valid) source.report(argument.position, `invalid ${call.name} argument`)
}

function isPattern(text: string, budget: PatternBudget | undefined): boolean {
  if (budget) {
    budget.left -= patternSize(text)
    if (budget.left < 0) return true
  }
  return compileRegex(text) !== undefined
}

/** The nodes directly below one. */
function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return []
    case 'select':
      return [expr.operand]
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value])
    case 'struct':
      return expr.entries.map((entry) => entry.value)
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result]
  }
}
