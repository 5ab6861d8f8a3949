import { type Bindings, type Outcome, type Program, perCallLimit } from '../program.ts'
import { CelError } from './errors.ts'
import { createPlaces } from './frame.ts'
import { Pending } from './pending.ts'
import { ObjectValue, type Value } from './values.ts'

/** A named expression; one that does not compile fails when it is read. */
export type LazyVariable = { readonly program: Program } | { readonly why: string }

interface Declared {
  readonly variable: LazyVariable
  /** Index of its value among those of all variables. */
  readonly place: number
}

/** The variables of one policy by name. */
export class DeclaredVariables {
  readonly #byName = new Map<string, Declared>()

  constructor(variables: Iterable<readonly [name: string, variable: LazyVariable]> = []) {
    for (const [name, variable] of variables) this.set(name, variable)
  }

  get size(): number {
    return this.#byName.size
  }
  /** The last variable of a name counts. */
  set(name: string, variable: LazyVariable): void {
    this.#byName.set(name, { variable, place: this.#byName.get(name)?.place ?? this.size })
  }
  get(name: string): Declared | undefined {
    return this.#byName.get(name)
  }
  names(): readonly string[] {
    return [...this.#byName.keys()]
  }
}

/** Counts the cost of variables, which is not part of the cost of the expression that reads them first. */
export interface VariablesMeter {
  /** Cost units that remain. */
  readonly left: number
  /** Evaluations in progress, each reading the result of the next. */
  readonly running: { readonly cost: number }[]
  spend(cost: number): void
  /** True: evaluation should pause after spending this cost. */
  isDue(cost: number): boolean
  /** Resolves after a turn of the event loop. */
  pause(): Promise<void>
}

/**
 * Results of expressions that read only these bindings, by their text: policies for the same data often have the same
 * variables. Each policy is charged for them.
 */
export class SharedOutcomes {
  readonly #bindings: ReadonlySet<string>
  readonly #known = new Map<string, Outcome>()

  /** `bindings`: names with the same values for all users. */
  constructor(bindings: ReadonlySet<string>) {
    this.#bindings = bindings
  }

  /** Undefined: not computed yet, or more expensive than the budget. */
  get({ text }: Program, budget: number): Outcome | undefined {
    const known = this.#known.get(text)
    return known && known.cost <= budget ? known : undefined
  }

  keep({ text, variables }: Program, outcome: Outcome): void {
    const isFinal = outcome.ok || (outcome.error.code !== 'budget' && outcome.error.code !== 'aborted')
    if (isFinal && variables.every((name) => this.#bindings.has(name))) this.#known.set(text, outcome)
  }
}

/**
 * `variables` of a policy: expressions that are evaluated once, when another one first reads them. A variable that
 * fails, fails at each read.
 *  Variables that read each other could take long in one evaluation. When the evaluations in progress have cost a lot,
 *  they are abandoned: `evaluateDemanded` evaluates the required variable first, and then they start over.
 */
export class LazyVariables extends ObjectValue {
  readonly typeName = 'kubernetes.variables'
  override readonly isMade = true
  readonly #declared: DeclaredVariables
  readonly #bindings: Bindings
  readonly #meter: VariablesMeter
  readonly #shared: SharedOutcomes | undefined
  /** By place. Most policies have few variables, and are evaluated often: the other lists are made when needed. */
  readonly #known: (Value | CelError | undefined)[]
  #underWay: string[] | undefined
  /** Variables to evaluate before anything else, the last one first. */
  #demanded: string[] | undefined

  /** The expressions of variables read `bindings`, which name these variables `variables`. */
  constructor(declared: DeclaredVariables, bindings: Bindings, meter: VariablesMeter, shared?: SharedOutcomes) {
    super()
    this.#declared = declared
    this.#bindings = bindings
    this.#meter = meter
    this.#shared = shared
    this.#known = createPlaces(declared.size)
  }

  get(name: string): Value | undefined {
    const declared = this.#declared.get(name)
    if (!declared) return undefined
    let known = this.#known[declared.place]
    if (known === undefined) known = this.#find(name, declared)
    if (known instanceof CelError) throw known
    return known
  }

  names(): readonly string[] {
    return this.#declared.names()
  }

  /**
   * Evaluates the variables that abandoned evaluations need. Returns a promise to wait for when that must continue
   * later.
   */
  evaluateDemanded(): Pending | undefined {
    const demanded = this.#demanded
    if (!demanded) return undefined
    for (let name = demanded.at(-1); name !== undefined; name = demanded.at(-1)) {
      const declared = this.#declared.get(name)
      try {
        if (declared && this.#known[declared.place] === undefined) this.#find(name, declared)
      } catch (error) {
        if (error instanceof Pending) return error
        throw error
      }
      demanded.pop()
    }
    return undefined
  }

  #find(name: string, { variable, place }: Declared): Value | CelError {
    const found = 'why' in variable ? uncompiled(name, variable.why) : this.#evaluate(name, variable.program)
    this.#known[place] = found
    return found
  }

  /** Throws Pending. */
  #evaluate(name: string, program: Program): Value | CelError {
    const { left, running } = this.#meter
    let runningCost = 0
    for (const { cost } of running) runningCost += cost
    const budget = Math.max(0, Math.min(perCallLimit, left - runningCost))
    const outcome = this.#shared?.get(program, budget) ?? this.#attempt(name, program, budget, runningCost)
    if (outcome instanceof CelError) return outcome
    this.#meter.spend(outcome.cost)
    if (outcome.ok) return outcome.value
    // The whole budget is spent: the expression that reads the variable is not evaluated further.
    if (outcome.error.code === 'budget' && budget < perCallLimit) return outcome.error
    return failure(`composited variable "${name}" fails to evaluate: ${outcome.error.message}`)
  }

  #attempt(name: string, program: Program, budget: number, runningCost: number): Outcome | CelError {
    const underWay = (this.#underWay ??= [])
    if (underWay.includes(name)) return failure(`composited variable "${name}" is made of itself`)
    if (runningCost > 0 && this.#meter.isDue(runningCost)) {
      ;(this.#demanded ??= []).push(name)
      throw new Pending(this.#meter.pause())
    }
    underWay.push(name)
    const outcome = program.attempt(this.#bindings, { budget, running: this.#meter.running })
    underWay.pop()
    if (outcome instanceof Pending) throw outcome
    this.#shared?.keep(program, outcome)
    return outcome
  }
}

function uncompiled(name: string, why: string): CelError {
  return failure(`composited variable "${name}" fails to compile: ${why}`)
}

/** Maximum number of characters of a failure: one that passes through many variables would name all of them. */
const failureTextMax = 4096

function failure(message: string): CelError {
  return new CelError('invalidArgument', message.slice(0, failureTextMax))
}
