import type { Expr } from '../syntax/ast.ts'
import type { SourceText } from '../syntax/sourcetext.ts'
import type { Checked } from './check.ts'
import { Solution, TooComplex } from './unify.ts'

/** Limits the size of the patterns that are compiled only as a check; shared by the expressions of one object. */
export interface PatternBudget {
  left: number
}

interface Checking {
  readonly source: SourceText
  readonly checked: Checked
  readonly patternBudget: PatternBudget | undefined
}

export interface LiteralContext extends Checking {
  /** Compares types. */
  readonly solution: Solution
}

/**
 * Reports errors of a checked expression's node that are visible without data. `mixed`: the node is within an argument
 * whose lists and maps may mix types.
 */
export type LiteralCheck = (expr: Expr, context: LiteralContext, mixed: boolean) => void

/** Runs all checks on each node once. `mixing`: names of the functions whose arguments may mix types. */
export function checkLiterals(checks: readonly LiteralCheck[], mixing: ReadonlySet<string>, checking: Checking): void {
  if (checks.length === 0) return
  try {
    walk(checks, mixing, { ...checking, solution: new Solution() })
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    checking.source.report(-1, 'the types of the expression are too complex')
  }
}

function walk(checks: readonly LiteralCheck[], mixing: ReadonlySet<string>, context: LiteralContext): void {
  const seen = new Set<number>()
  const rest: { readonly expr: Expr; readonly mixed: boolean }[] = [{ expr: context.checked.expr, mixed: false }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { expr, mixed } = next
    if (seen.has(expr.id)) continue
    seen.add(expr.id)
    for (const check of checks) check(expr, context, mixed)
    const mixedBelow = mixed || (expr.kind === 'call' && mixing.has(expr.name))
    for (const child of children(expr)) rest.push({ expr: child, mixed: mixedBelow })
  }
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
