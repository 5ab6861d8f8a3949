import { CelError } from './errors.ts'
import { Pending } from './pending.ts'
import { type Bindings, perCallLimit, type Program } from './program.ts'
import { ObjectValue, type Value } from './values.ts'

/** A named expression; one that does not compile fails where it is read. */
export type LazyVariable = { readonly program: Program } | { readonly why: string }

/** Counts what variables cost: no part of the cost of the expression that reads them first. */
export interface VariablesMeter {
  /** Cost units that remain. */
  readonly left: number
  spend(cost: number): void
  /** Something to wait for before more is evaluated. */
  pause(): Promise<void> | undefined
}

/**
 * `variables` of a policy: expressions that are evaluated when another one first reads them, once. A variable that fails
 * fails each time that it is read.
 */
export class LazyVariables extends ObjectValue {
  readonly typeName = 'kubernetes.variables'
  readonly #declared: ReadonlyMap<string, LazyVariable>
  readonly #bindings: Bindings
  readonly #meter: VariablesMeter
  readonly #known = new Map<string, Value | CelError>()
  readonly #underWay = new Set<string>()

  /** Variables see `bindings`, and each other as `variables`. */
  constructor(declared: ReadonlyMap<string, LazyVariable>, bindings: Record<string, unknown>, meter: VariablesMeter) {
    super()
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

  #find(name: string): Value | CelError | undefined {
    const declared = this.#declared.get(name)
    if (!declared) return undefined
    if (this.#underWay.has(name)) return failure(`composited variable "${name}" is made of itself`)
    this.#underWay.add(name)
    try {
      const found = 'why' in declared ? uncompiled(name, declared.why) : this.#evaluate(name, declared.program)
      this.#known.set(name, found)
    } finally {
      this.#underWay.delete(name)
    }
    const pause = this.#meter.pause()
    if (pause) throw new Pending(pause)
    return this.#known.get(name)
  }

  #evaluate(name: string, program: Program): Value | CelError {
    const budget = Math.max(0, Math.min(perCallLimit, this.#meter.left))
    const outcome = program.attempt(this.#bindings, { budget })
    if (outcome instanceof Pending) throw outcome
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

function failure(message: string): CelError {
  return new CelError('invalidArgument', message)
}
