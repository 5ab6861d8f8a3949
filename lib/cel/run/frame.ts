import { CelError } from './errors.ts'
import type { Value } from './values.ts'

const freePatternsMax = 16

/** The state of one evaluation. */
export class Frame {
  /** Values of the program's variables by index; undefined: not read yet. */
  readonly globals: (Value | undefined)[] = []
  /** Loop variables, accumulators and bound names, each with its own index. */
  readonly locals: (Value | undefined)[] = []
  readonly #load: (index: number) => Value
  readonly #budget: number
  #patterns: Set<string> | undefined
  cost = 0

  constructor(budget: number, load: (index: number) => Value) {
    this.#budget = budget
    this.#load = load
  }

  /**
   * The cost of compiling a pattern: nothing for the first few of an evaluation, more than which real expressions don't
   * have (the stock server charges nothing at all); then enough that patterns made in a loop can't block the server.
   */
  patternCost(pattern: string, weight: number): number {
    this.#patterns ??= new Set()
    if (this.#patterns.has(pattern)) return 0
    this.#patterns.add(pattern)
    return this.#patterns.size <= freePatternsMax ? 0 : 200 + weight
  }

  /** Adds to the cost; throws when the budget is spent. All loops and large reads must call it. */
  charge(cost: number): void {
    this.cost += cost
    if (this.cost > this.#budget) throw new CelError('budget', 'operation cancelled: actual cost limit exceeded')
  }

  global(index: number): Value {
    const known = this.globals[index]
    if (known !== undefined) return known
    const value = this.#load(index)
    this.globals[index] = value
    return value
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value
