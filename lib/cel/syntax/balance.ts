import type { Expr } from './ast.ts'
import type { Builder } from './build.ts'

/**
 * Long chains of && or || become shallow trees, so that their length doesn't count as nesting. `places`: positions of
 * the operators, one fewer than terms.
 */
export function balance(make: Builder, name: string, terms: readonly Expr[], places: readonly number[]): Expr {
  /** The tree of the operators `low` to `high`; without operators, the single term. */
  function between(low: number, high: number): Expr {
    if (low > high) return at(terms, low)
    const middle = (low + high + 1) >> 1
    const left = between(low, middle - 1)
    const right = between(middle + 1, high)
    return make.call(at(places, middle), name, [left, right])
  }
  return between(0, places.length - 1)
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`no item ${index} of ${items.length}`)
  return item
}
