import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock, Steps } from '../../base/index.ts'
import { LazyVariables, type SharedOutcomes, type Value } from '../../cel/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { ConditionMetrics } from '../conditionmetrics.ts'
import { evaluateConditions } from '../conditions.ts'
import { type Compiled, CostMeter, type Evaluated, evaluate, type RequestCost } from '../evaluate.ts'
import type { ServedForm } from '../versions.ts'
import type { Policy } from './policy.ts'
import type { PolicyRequest, View } from './request.ts'

/** Cost units of all expressions of one binding with one parameter. */
const policyBudget = 10_000_000

/** Variables of the expressions of a policy. Functions are called when their variable is first read. */
interface PolicyBindings extends Record<string, unknown> {
  readonly object: Value
  readonly oldObject: Value
  readonly request: () => unknown
  readonly params: ApiObject | null
  readonly namespaceObject: core.Namespace | null
  readonly authorizer: unknown
  readonly 'authorizer.requestResource': unknown
  variables: LazyVariables | null
}

/** Variables of one evaluation of a policy, and the budget of its expressions. */
export class PolicyScope {
  readonly bindings: PolicyBindings
  readonly meter: CostMeter

  constructor(bindings: PolicyBindings, { variables }: Policy<unknown>, cost: RequestCost, shared: SharedOutcomes) {
    this.bindings = bindings
    this.meter = new CostMeter(cost, policyBudget)
    if (variables.size > 0)
      this.meter.variables = bindings.variables = new LazyVariables(variables, bindings, this.meter, shared)
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

/** With which a policy is evaluated. */
interface Asked {
  readonly form: ServedForm
  readonly param: ApiObject | null
}

/** Throws 404 when a policy reads a namespace that does not exist. */
export function* openScope(policy: Policy<unknown>, asked: Asked, request: PolicyRequest): Steps<PolicyScope> {
  const view = request.ownView(asked.form) ?? (yield* request.otherView(asked.form))
  const namespace = policy.readsNamespace ? yield* request.namespaceObject() : null
  return createScope(policy, asked.param, request, view, namespace)
}

/** As openScope, of the policies that need neither another form nor the namespace: most. Undefined for the others. */
export function openSimpleScope(
  policy: Policy<unknown>,
  asked: Asked,
  request: PolicyRequest,
): PolicyScope | undefined {
  const view = policy.readsNamespace ? undefined : request.ownView(asked.form)
  return view && createScope(policy, asked.param, request, view, null)
}

function createScope(
  policy: Policy<unknown>,
  params: ApiObject | null,
  { authorizer, cost }: PolicyRequest,
  { object, oldObject, request, shared }: View,
  namespaceObject: core.Namespace | null,
): PolicyScope {
  const bindings = {
    object,
    oldObject,
    request,
    params,
    namespaceObject,
    authorizer: authorizer['authorizer'],
    'authorizer.requestResource': authorizer['authorizer.requestResource'],
    variables: null,
  }
  return new PolicyScope(bindings, policy, cost, shared)
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
