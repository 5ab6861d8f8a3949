import { Pace, type Pauses } from '../base/index.ts'
import {
  type Bindings,
  type CelType,
  compile,
  type Environment,
  type LazyVariables,
  Pending,
  type Program,
  perCallLimit,
  type Value,
  type VariablesMeter,
} from '../cel/index.ts'

/** An expression that does not compile fails at each evaluation. */
export type Compiled =
  | { readonly text: string; readonly program: Program }
  | { readonly text: string; readonly why: string }

/** `expected`: the allowed type, or types, of the result. */
export function compileExpression(
  environment: Environment,
  expression: string,
  expected?: CelType | readonly CelType[],
): Compiled {
  const compiled = compile(environment, expression, expected === undefined ? {} : { expectedType: expected })
  return compiled.ok ? { text: expression, program: compiled.program } : { text: expression, why: compiled.message }
}

/** Cost units after which evaluation pauses to let others run: some ten milliseconds. */
const sliceCost = 250_000
/** Cost units for the work around the evaluation of an expression. */
const overheadCost = 20

/** Repeated work may cost this many times the budget. */
const wastesMax = 2

/** Counts the cost of all expressions of one request. */
export interface RequestCost {
  readonly pace: Pace
  readonly pauses: Pauses
  /** Evaluations in progress. Empty between the expressions of a request, which are evaluated one by one. */
  readonly running: { readonly cost: number }[]
}

export function newRequestCost(pauses: Pauses): RequestCost {
  return { pace: new Pace(sliceCost), pauses, running: [] }
}

/** The cost budget that several expressions share. */
export class CostMeter implements VariablesMeter {
  left: number
  readonly running: { readonly cost: number }[]
  /** The variables that the expressions read. */
  variables: LazyVariables | undefined
  #wasted = 0
  readonly #request: RequestCost
  readonly #budget: number

  constructor(request: RequestCost, budget: number) {
    this.#request = request
    this.running = request.running
    this.#budget = budget
    this.left = budget
  }

  get spent(): number {
    return this.#budget - this.left
  }

  refill(): void {
    this.left = this.#budget
  }

  spend(cost: number): void {
    this.left -= cost
    this.#request.pace.spend(cost + overheadCost)
  }

  /** As spend, for work that must be repeated: the budget does not pay for it. */
  waste(cost: number): void {
    this.#wasted += cost
    this.#request.pace.spend(cost + overheadCost)
  }

  get isExhausted(): boolean {
    return this.left < 0 || this.#wasted > wastesMax * this.#budget
  }

  /** True: evaluation should pause before it spends more than this. */
  isDue(cost = 0): boolean {
    return this.#request.pace.isSpent(cost)
  }

  pause(): Promise<void> {
    this.#request.pace.restart()
    return this.#request.pauses.pause()
  }
}

export interface Failed {
  readonly ok: false
  readonly why: string
  readonly kind: 'compile_error' | 'invalid_error'
}
export type Evaluated = { readonly ok: true; readonly value: Value } | Failed | typeof outOfBudget

/** The meter allows no further evaluation. */
const outOfBudget = Object.freeze({ ok: false, kind: 'out_of_budget' } as const)
export const outOfBudgetText =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** The value of an expression, or the promise that it waits for: evaluate it again after that. */
export function evaluate(compiled: Compiled, bindings: Bindings, meter: CostMeter): Evaluated | Promise<unknown> {
  if ('why' in compiled) return { ok: false, why: `compilation error: ${compiled.why}`, kind: 'compile_error' }
  if (meter.isDue()) return meter.pause()
  const demanded = meter.variables?.evaluateDemanded()
  if (demanded) return later(demanded, meter)
  if (meter.isExhausted) return outOfBudget
  const budget = Math.max(0, Math.min(meter.left, perCallLimit))
  const outcome = compiled.program.attempt(bindings, { budget, running: meter.running })
  if (outcome instanceof Pending) return later(outcome, meter)
  meter.spend(outcome.cost)
  if (meter.left < 0 || (!outcome.ok && outcome.error.code === 'budget' && budget < perCallLimit)) return outOfBudget
  if (outcome.ok) return outcome
  return {
    ok: false,
    why: `expression '${compiled.text}' resulted in error: ${outcome.error.message}`,
    kind: 'invalid_error',
  }
}

function later({ cost, ready }: Pending, meter: CostMeter): Evaluated | Promise<unknown> {
  meter.waste(cost)
  return meter.isExhausted ? outOfBudget : ready
}
