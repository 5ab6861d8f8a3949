import { CelError } from './errors.ts'
import type { Value } from './values.ts'

/** The state of one evaluation. */
export class Frame {
  /** Values of the program's variables, by its numbering; undefined: not asked for yet. */
  readonly globals: (Value | undefined)[]
  /** Loop variables, accumulators and bound names, each with a place of its own. */
  readonly locals: (Value | undefined)[]
  readonly #load: (index: number) => Value
  readonly #budget: number
  cost = 0

  constructor(globals: number, locals: number, budget: number, load: (index: number) => Value) {
    this.globals = new Array<Value | undefined>(globals)
    this.locals = new Array<Value | undefined>(locals)
    this.#budget = budget
    this.#load = load
  }

  /** Adds to the cost; throws when the budget is spent. Anything that may loop or read much goes through here. */
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
