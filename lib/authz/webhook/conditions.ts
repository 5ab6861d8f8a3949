import {
  type CelType,
  compile,
  createEnvironment,
  type Environment,
  kubernetesLibraries,
  ObjectType,
  type Program,
  types,
} from '../../cel/index.ts'
import type { ReviewSpec } from './review.ts'

/** Maximum number of conditions of one webhook. */
export const conditionsMax = 64

/** `error`: a condition failed, and none is false. */
type ConditionOutcome = { readonly match: boolean; readonly error?: Error }
export type Conditions = (spec: ReviewSpec) => ConditionOutcome

/** Throws an Error with the problem of the expression at that index. */
export function compileConditions(expressions: readonly string[]): Conditions {
  const environment = requestEnvironment()
  const programs = expressions.map((expression, at) => {
    const compiled = compile(environment, expression, { expectedType: types.bool })
    if (!compiled.ok) throw new Error(`matchConditions[${at}].expression: ${compiled.message}`)
    return compiled.program
  })
  return (request) => evaluate(programs, request)
}

/** A false one decides, whatever the others' results. */
function evaluate(programs: readonly Program[], request: ReviewSpec): ConditionOutcome {
  let error: Error | undefined
  for (const program of programs) {
    const outcome = program.evaluate({ request })
    if (!outcome.ok) error ??= new Error(outcome.error.message)
    else if (outcome.value !== true) return { match: false }
  }
  return error ? { match: false, error } : { match: true }
}

function requestEnvironment(): Environment {
  const { string, list, map } = types
  const requirement = object('Requirement', { key: string, operator: string, values: list(string) })
  const selector = object('Selector', { requirements: list(requirement) })
  const resource = object('ResourceAttributes', {
    namespace: string,
    verb: string,
    group: string,
    version: string,
    resource: string,
    subresource: string,
    name: string,
    fieldSelector: selector,
    labelSelector: selector,
  })
  const request = object('SubjectAccessReviewSpec', {
    resourceAttributes: resource,
    nonResourceAttributes: object('NonResourceAttributes', { path: string, verb: string }),
    user: string,
    groups: list(string),
    extra: map(string, list(string)),
    uid: string,
  })
  return createEnvironment({ variables: { request }, libraries: kubernetesLibraries() })
}

function object(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return new ObjectType(
    `kubernetes.${name}`,
    () => new Map(Object.entries(fields).map(([field, type]) => [field, { name: field, type }])),
  )
}
