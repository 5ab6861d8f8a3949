import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type Clock, nextTurn, type Steps } from '../../base/index.ts'
import type { Environment } from '../../cel/index.ts'
import { compileCondition } from '../conditions.ts'
import type { Compiled } from '../evaluate.ts'

/** How long conditions are compiled without a pause. */
const sliceMs = 5

/** The match conditions of one webhook, compiled for the first request that needs them. */
export class LazyConditions {
  readonly #sources: readonly v1.MatchCondition[]
  readonly #environment: () => Environment
  readonly #compiled: Compiled[] = []

  constructor(sources: readonly v1.MatchCondition[], environment: () => Environment) {
    this.#sources = sources
    this.#environment = environment
  }

  get isEmpty(): boolean {
    return this.#sources.length === 0
  }

  /** Pauses before the first compilation, since the request may match many webhooks. */
  *compiled(clock: Clock): Steps<readonly Compiled[]> {
    let sliceEndMs = 0
    while (this.#compiled.length < this.#sources.length) {
      if (clock.monotonicMs() > sliceEndMs) {
        yield nextTurn(clock)
        sliceEndMs = clock.monotonicMs() + sliceMs
      }
      // Another request may have compiled more meanwhile.
      const next = this.#sources[this.#compiled.length]
      if (next) this.#compiled.push(compileCondition(this.#environment(), next))
    }
    return this.#compiled
  }
}
