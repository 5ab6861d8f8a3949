import { type Bindings, type Outcome, type Program, perCallLimit } from '../program.ts'
import { CelError } from './errors.ts'
import { Pending } from './pending.ts'
import { ObjectValue, type Value } from './values.ts'

/** A named expression; one that does not compile fails when it is read. */
export type LazyVariable = { readonly program: Program } | { readonly why: string }

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
  readonly #declared: ReadonlyMap<string, LazyVariable>
  readonly #bindings: Bindings
  readonly #meter: VariablesMeter
  readonly #shared: SharedOutcomes | undefined
  readonly #known = new Map<string, Value | CelError>()
  readonly #underWay: string[] = []
  /** Variables to evaluate before anything else, the last one first. */
  readonly #demanded: string[] = []

  /** The expressions of variables read `bindings`, and each other as `variables`. */
  constructor(
    declared: ReadonlyMap<string, LazyVariable>,
    bindings: Record<string, unknown>,
    meter: VariablesMeter,
    shared?: SharedOutcomes,
  ) {
    super()
    this.#shared = shared
    this.#declared = declared
    this.#bindings = bindings
    this.#meter = meter
    bindings['variables'] = this
  }

  get(name: string): Value | undefined {
    const known = this.#known.get(name) ?? this.#find(name)
    if (known instanceof CelError) throw known
    return known
  }

  names(): readonly string[] {
    return [...this.#declared.keys()]
  }

  /**
   * Evaluates the variables that abandoned evaluations need. Returns a promise to wait for when that must continue
   * later.
   */
  evaluateDemanded(): Pending | undefined {
    for (let name = this.#demanded.at(-1); name !== undefined; name = this.#demanded.at(-1)) {
      try {
        if (!this.#known.has(name)) this.#find(name)
      } catch (error) {
        if (error instanceof Pending) return error
        throw error
      }
      this.#demanded.pop()
    }
    return undefined
  }

  #find(name: string): Value | CelError | undefined {
    const declared = this.#declared.get(name)
    if (!declared) return undefined
    if (this.#underWay.includes(name)) return failure(`composited variable "${name}" is made of itself`)
    let runningCost = 0
    for (const { cost } of this.#meter.running) runningCost += cost
    if (runningCost > 0 && this.#meter.isDue(runningCost)) {
      this.#demanded.push(name)
      throw new Pending(this.#meter.pause())
    }
    this.#underWay.push(name)
    try {
      const found =
        'why' in declared ? uncompiled(name, declared.why) : this.#evaluate(name, declared.program, runningCost)
      this.#known.set(name, found)
      return found
    } finally {
      this.#underWay.pop()
    }
  }

  #evaluate(name: string, program: Program, runningCost: number): Value | CelError {
    const { left, running } = this.#meter
    const budget = Math.max(0, Math.min(perCallLimit, left - runningCost))
    const known = this.#shared?.get(program, budget)
    const outcome = known ?? program.attempt(this.#bindings, { budget, running })
    if (outcome instanceof Pending) throw outcome
    if (!known) this.#shared?.keep(program, outcome)
    this.#meter.spend(outcome.cost)
    if (outcome.ok) return outcome.value
    // The whole budget is spent: the expression that reads the variable is not evaluated further.
    if (outcome.error.code === 'budget' && budget < perCallLimit) return outcome.error
    return failure(`composited variable "${name}" fails to evaluate: ${outcome.error.message}`)
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
