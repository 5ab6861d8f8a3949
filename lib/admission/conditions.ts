import type * as v1 from '../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type Authorize,
  compile,
  createAuthorizerValue,
  createResourceCheckValue,
  type Environment,
  type Outcome,
  type Program,
  perCallLimit,
  types,
  type Value,
} from '../cel/index.ts'
import { createAdmissionEnvironment } from '../kinds/index.ts'
import type { UserInfo } from '../request/index.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** Cost units of all match conditions of one webhook or policy. */
const conditionsBudget = 2_500_000

/** Decides what expressions ask of a user. */
export type AuthorizeFor = (user: UserInfo, signal: AbortSignal) => Authorize

/** An expression that does not compile fails whenever it is asked. */
export type Compiled =
  | { readonly text: string; readonly program: Program }
  | { readonly text: string; readonly why: string }

type ConditionsOutcome = { readonly matches: boolean; readonly error?: string }

/** Environment of match conditions of webhooks. */
export const conditionsEnvironment = (): Environment => createAdmissionEnvironment({ authorizer: true })

export function compileCondition(environment: Environment, { expression }: v1.MatchCondition): Compiled {
  const compiled = compile(environment, expression, { expectedType: types.bool })
  return compiled.ok ? { text: expression, program: compiled.program } : { text: expression, why: compiled.message }
}

/** `authorizer` and `authorizer.requestResource` of a request, made when first read. */
export function authorizerBindings(
  { user, signal, resource, subresource, namespace, name }: AdmissionAttributes,
  authorize: AuthorizeFor,
): Readonly<Record<string, unknown>> {
  // One value for all readings: its answers are remembered in it.
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

/** Without a promise for as long as nothing asks the authorizer. */
function evaluateAny(
  program: Program,
  bindings: Readonly<Record<string, unknown>>,
  budget: number,
): Outcome | Promise<Outcome> {
  const options = { budget: Math.min(budget, perCallLimit) }
  const asks = program.variables.some((name) => name === 'authorizer' || name.startsWith('authorizer.'))
  return asks ? program.evaluateAsync(bindings, options) : program.evaluate(bindings, options)
}

/** One that is false decides, whatever the others come to. */
export async function evaluateConditions(
  conditions: readonly Compiled[],
  bindings: Readonly<Record<string, unknown>>,
): Promise<ConditionsOutcome> {
  let left = conditionsBudget
  const errors: string[] = []
  for (const condition of conditions) {
    if ('why' in condition) {
      errors.push(condition.why)
      continue
    }
    if (left <= 0) {
      errors.push('validation failed due to running out of cost budget, no further validation rules will be run')
      break
    }
    const evaluated = evaluateAny(condition.program, bindings, left)
    const outcome = evaluated instanceof Promise ? await evaluated : evaluated
    left -= outcome.cost
    if (!outcome.ok) errors.push(`expression '${condition.text}' resulted in error: ${outcome.error.message}`)
    else if (outcome.value !== true) return { matches: false }
  }
  if (errors.length === 0) return { matches: true }
  return { matches: false, error: errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]` }
}
