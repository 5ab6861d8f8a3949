import { type CelType, types } from '../check/types.ts'
import { toValue } from './data.ts'
import { CelError } from './errors.ts'
import { EngineValue, type Value } from './values.ts'

const freePatternsMax = 16

/** The sizes and types of the variables of one program. */
export interface FrameShape {
  /** Names of the variables that the program reads, in the numbering of frame.globals. */
  readonly globals: readonly string[]
  readonly types: readonly CelType[]
  /** Number of loop variables, accumulators and bound names. */
  readonly localCount: number
}

/** A list of `count` places without values. */
export function createPlaces<Item>(count: number): (Item | undefined)[] {
  // oxlint-disable-next-line unicorn/no-new-array -- a list that grows takes three times the memory of the usual one
  return new Array<Item | undefined>(count)
}

const noLocals: (Value | undefined)[] = []

/** The state of one evaluation. */
export class Frame {
  /** Values of the program's variables by index; undefined: not read yet. */
  readonly globals: (Value | undefined)[]
  /** Loop variables, accumulators and bound names, each with its own index. */
  readonly locals: (Value | undefined)[]
  readonly #shape: FrameShape
  readonly #bindings: Readonly<Record<string, unknown>>
  readonly #budget: number
  #patterns: Set<string> | undefined
  cost = 0

  /** `bindings`: as in Program.evaluate. */
  constructor(shape: FrameShape, bindings: Readonly<Record<string, unknown>>, budget: number) {
    this.#shape = shape
    this.#bindings = bindings
    this.#budget = budget
    this.globals = createPlaces(shape.globals.length)
    this.locals = shape.localCount === 0 ? noLocals : createPlaces(shape.localCount)
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

  #load(index: number): Value {
    const name = this.#shape.globals[index] ?? ''
    const own = this.#bindings[name]
    // Prototypes hold no such values: it is the variable's.
    if (own instanceof EngineValue) return own as Value
    if (!Object.hasOwn(this.#bindings, name)) throw new CelError('noSuchField', `no such attribute(s): ${name}`)
    const bound = this.#bindings[name]
    const raw: unknown = typeof bound === 'function' ? bound() : bound
    return toValue(this.#shape.types[index] ?? types.dyn, raw)
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value
