import type { Clock } from '../base/index.ts'
import {
  type Bindings,
  type CelType,
  compile,
  type Environment,
  Pending,
  perCallLimit,
  type Program,
  type Value,
  type VariablesMeter,
} from '../cel/index.ts'

/** An expression that does not compile fails whenever it is asked. */
export type Compiled =
  | { readonly text: string; readonly program: Program }
  | { readonly text: string; readonly why: string }

/** `expected`: the type, or one of the types, that the result must have. */
export function compileExpression(
  environment: Environment,
  expression: string,
  expected?: CelType | readonly CelType[],
): Compiled {
  const compiled = compile(environment, expression, expected === undefined ? {} : { expectedType: expected })
  return compiled.ok ? { text: expression, program: compiled.program } : { text: expression, why: compiled.message }
}

/** Cost units after which others run before more is evaluated: some ten milliseconds. */
const sliceCost = 250_000
/** Cost units that are counted for whatever an expression needs besides its own evaluation. */
const overheadCost = 20

/** Lets others run between the expressions of one request. */
export class Pace {
  readonly #clock: Clock
  #spent = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  spend(cost: number): void {
    this.#spent += cost + overheadCost
  }

  pause(): Promise<void> | undefined {
    if (this.#spent < sliceCost) return undefined
    this.#spent = 0
    return new Promise((resolve) => void this.#clock.soon(resolve))
  }
}

/** The cost units that some expressions share. */
export class Meter implements VariablesMeter {
  left: number
  readonly #pace: Pace
  readonly #budget: number

  constructor(pace: Pace, budget: number) {
    this.#pace = pace
    this.#budget = budget
    this.left = budget
  }

  refill(): void {
    this.left = this.#budget
  }

  spend(cost: number): void {
    this.left -= cost
    this.#pace.spend(cost)
  }

  /** As spend, for work that has to be done again: no budget pays for it. */
  waste(cost: number): void {
    this.#pace.spend(cost)
  }

  pause(): Promise<void> | undefined {
    return this.#pace.pause()
  }
}

export interface Failed {
  readonly ok: false
  readonly why: string
  readonly kind: 'compile_error' | 'invalid_error'
}
export type Evaluated = { readonly ok: true; readonly value: Value } | Failed | typeof outOfBudget

/** Nothing further is evaluated on this meter. */
const outOfBudget = Object.freeze({ ok: false, kind: 'out_of_budget' } as const)
export const outOfBudgetText =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** The value of an expression, or the promise that it waits for: it is to be evaluated again after that. */
export function evaluate(compiled: Compiled, bindings: Bindings, meter: Meter): Evaluated | Promise<unknown> {
  if ('why' in compiled) return { ok: false, why: `compilation error: ${compiled.why}`, kind: 'compile_error' }
  const paused = meter.pause()
  if (paused) return paused
  const budget = Math.max(0, Math.min(meter.left, perCallLimit))
  const outcome = compiled.program.attempt(bindings, { budget })
  if (outcome instanceof Pending) {
    meter.waste(outcome.cost)
    return outcome.ready
  }
  meter.spend(outcome.cost)
  if (meter.left < 0 || (!outcome.ok && outcome.error.code === 'budget' && budget < perCallLimit)) return outOfBudget
  if (outcome.ok) return outcome
  return {
    ok: false,
    why: `expression '${compiled.text}' resulted in error: ${outcome.error.message}`,
    kind: 'invalid_error',
  }
}
