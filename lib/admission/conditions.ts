import type * as v1 from '../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { Steps } from '../base/index.ts'
import {
  type Authorize,
  type Bindings,
  createAuthorizerValue,
  createResourceCheckValue,
  type Environment,
  types,
  type Value,
} from '../cel/index.ts'
import { createAdmissionEnvironment } from '../kinds/index.ts'
import type { UserInfo } from '../request/index.ts'
import { type Compiled, CostMeter, compileExpression, evaluate, outOfBudgetText, type RequestCost } from './evaluate.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** Cost units of all match conditions of one webhook or policy. */
export const conditionsBudget = 2_500_000

/** Decides the authorization checks of expressions for a user. */
export type AuthorizeFor = (user: UserInfo, signal: AbortSignal) => Authorize

type ConditionsOutcome = { readonly matches: boolean; readonly error?: string }

/** The CEL environment of match conditions of webhooks. */
export const conditionsEnvironment = (): Environment => createAdmissionEnvironment({ authorizer: true })

export function compileCondition(environment: Environment, { expression }: v1.MatchCondition): Compiled {
  return compileExpression(environment, expression, types.bool)
}

/** `authorizer` and `authorizer.requestResource` of a request, created when first read. */
export function authorizerBindings(
  { user, signal, resource, subresource, namespace, name }: AdmissionAttributes,
  authorize: AuthorizeFor,
): Readonly<Record<string, unknown>> {
  // One value for all reads: it caches its answers.
  let made: Value | undefined
  const own = (): Value => (made ??= createAuthorizerValue(authorize(user, signal)))
  return {
    authorizer: own,
    'authorizer.requestResource': () =>
      createResourceCheckValue(own(), {
        group: resource.group,
        resource: resource.resource,
        subresource,
        namespace,
        name,
      }),
  }
}

/** A false condition decides, whatever the results of the others. */
export function* evaluateConditions(
  conditions: readonly Compiled[],
  bindings: Bindings,
  cost: RequestCost,
): Steps<ConditionsOutcome> {
  const meter = new CostMeter(cost, conditionsBudget)
  const errors: string[] = []
  for (const condition of conditions) {
    let evaluated = evaluate(condition, bindings, meter)
    while (evaluated instanceof Promise) {
      yield evaluated
      evaluated = evaluate(condition, bindings, meter)
    }
    if (!evaluated.ok && evaluated.kind === 'out_of_budget') return { matches: false, error: outOfBudgetText }
    if (!evaluated.ok) errors.push(evaluated.why)
    else if (evaluated.value === false) return { matches: false }
  }
  if (errors.length === 0) return { matches: true }
  return { matches: false, error: errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]` }
}
