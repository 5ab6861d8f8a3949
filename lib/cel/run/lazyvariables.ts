import { type Bindings, type Outcome, type Program, perCallLimit } from '../program.ts'
import { CelError } from './errors.ts'
import { Pending } from './pending.ts'
import { ObjectValue, type Value } from './values.ts'

/** A named expression; one that does not compile fails where it is read. */
export type LazyVariable = { readonly program: Program } | { readonly why: string }

/** Counts what variables cost: no part of the cost of the expression that reads them first. */
export interface VariablesMeter {
  /** Cost units that remain. */
  readonly left: number
  /** Evaluations that are under way, each read by the one before it. */
  readonly running: { readonly cost: number }[]
  spend(cost: number): void
  /** True: others should run once evaluations of this cost are done. */
  isDue(cost: number): boolean
  /** Resolves once others have run. */
  pause(): Promise<void>
}

/**
 * Outcomes of expressions that read none but these bindings, by their text: policies that are asked about the same data
 * often have the same variables. Costs count for each of them all the same.
 */
export class SharedOutcomes {
  readonly #bindings: ReadonlySet<string>
  readonly #known = new Map<string, Outcome>()

  /** `bindings`: names that have the same values for all who share. */
  constructor(bindings: ReadonlySet<string>) {
    this.#bindings = bindings
  }

  /** Undefined: it is not known, or costs more than the budget. */
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
 * `variables` of a policy: expressions that are evaluated when another one first reads them, once. A variable that fails
 * fails each time that it is read.
 *
 * Variables that read each other could take long in one go. Where the evaluations under way have cost a lot already, they
 * are abandoned instead: `settle` evaluates the variable first, and then they start over.
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
  /** To be evaluated before anything else, the last one first. */
  readonly #demanded: string[] = []

  /** Variables see `bindings`, and each other as `variables`. */
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

  /** Evaluates the variables that abandoned evaluations need. Something to wait for where that has to go on later. */
  settle(): Pending | undefined {
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
    // No budget is left for anything: the expression that reads it is not evaluated further.
    if (outcome.error.code === 'budget' && budget < perCallLimit) return outcome.error
    return failure(`composited variable "${name}" fails to evaluate: ${outcome.error.message}`)
  }
}

function uncompiled(name: string, why: string): CelError {
  return failure(`composited variable "${name}" fails to compile: ${why}`)
}

/** Characters of a failure: one that passes through many variables would name all of them. */
const failureTextMax = 4096

function failure(message: string): CelError {
  return new CelError('invalidArgument', message.slice(0, failureTextMax))
}
