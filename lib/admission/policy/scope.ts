import type { Clock, Steps } from '../../base/index.ts'
import { LazyVariables, type SharedOutcomes } from '../../cel/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { ConditionMetrics } from '../conditionmetrics.ts'
import { evaluateConditions } from '../conditions.ts'
import { type Compiled, CostMeter, type Evaluated, evaluate } from '../evaluate.ts'
import type { ServedForm } from '../versions.ts'
import type { Policy } from './policy.ts'
import type { PolicyRequest } from './request.ts'

/** Cost units of all expressions of one binding with one parameter. */
const policyBudget = 10_000_000

/** Variables of one evaluation of a policy, and the budget of its expressions. */
export class PolicyScope {
  readonly bindings: Record<string, unknown>
  readonly meter: CostMeter

  constructor(
    bindings: Record<string, unknown>,
    policy: Policy<unknown>,
    request: PolicyRequest,
    shared: SharedOutcomes,
  ) {
    this.bindings = bindings
    this.meter = new CostMeter(request.cost, policyBudget)
    if (policy.variables.size > 0)
      this.meter.variables = new LazyVariables(policy.variables, bindings, this.meter, shared)
  }

  /** The value, or a promise to wait for before the next evaluation. */
  evaluate(compiled: Compiled): Evaluated | Promise<unknown> {
    return evaluate(compiled, this.bindings, this.meter)
  }

  /** As evaluate, after a first call has returned a promise. */
  *evaluateLater(compiled: Compiled, first: Promise<unknown>): Steps<Evaluated> {
    for (let waiting = first; ; ) {
      yield waiting
      const evaluated = evaluate(compiled, this.bindings, this.meter)
      if (!(evaluated instanceof Promise)) return evaluated
      waiting = evaluated
    }
  }
}

/** Throws 404 when a policy reads a namespace that does not exist. */
export function* openScope(
  policy: Policy<unknown>,
  { form, param }: { readonly form: ServedForm; readonly param: ApiObject | null },
  request: PolicyRequest,
): Steps<PolicyScope> {
  const { object, oldObject, request: about, shared } = request.ownView(form) ?? (yield* request.otherView(form))
  const { authorizer } = request
  const bindings = {
    object,
    oldObject,
    request: about,
    params: param,
    namespaceObject: policy.readsNamespace ? yield* request.namespaceObject() : null,
    authorizer: authorizer['authorizer'],
    'authorizer.requestResource': authorizer['authorizer.requestResource'],
  }
  return new PolicyScope(bindings, policy, request, shared)
}

/** Whether the match conditions of a policy hold; an error text when that can't be determined. */
export function* meetsConditions(
  policy: Policy<unknown>,
  { bindings }: PolicyScope,
  request: PolicyRequest,
  { clock, metrics }: { readonly clock: Clock; readonly metrics: ConditionMetrics },
): Steps<boolean | { readonly why: string }> {
  const { operation } = request.attributes
  const startMs = clock.monotonicMs()
  const outcome = yield* evaluateConditions(policy.conditions, { ...bindings, namespaceObject: null }, request.cost)
  metrics.evaluated(policy.name, operation, (clock.monotonicMs() - startMs) / 1000)
  if (outcome.matches) return true
  if (outcome.error === undefined) {
    metrics.excluded(policy.name, operation)
    return false
  }
  metrics.failed(policy.name, operation)
  return policy.ignoresFailure ? false : { why: outcome.error }
}
