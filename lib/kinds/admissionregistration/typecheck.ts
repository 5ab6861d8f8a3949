import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type CelType,
  compile,
  type Environment,
  extendEnvironment,
  type ObjectField,
  ObjectType,
  types,
} from '../../cel/index.ts'
import type { Frozen } from '../../object/index.ts'
import { createAdmissionEnvironment, lazily } from './expressions.ts'

/** A kind that a policy matches. */
export interface CheckedKind {
  /** `apps/v1, Kind=Deployment` */
  readonly text: string
  readonly type: CelType
}

type Spec = Frozen<v1.ValidatingAdmissionPolicySpec>

const place = { namespaceObject: true, authorizer: true }
const environments = {
  plain: lazily(() => createAdmissionEnvironment(place)),
  withParams: lazily(() => createAdmissionEnvironment({ ...place, params: true })),
}

/**
 * Reports expressions of a policy that do not match the types of its kinds: they compile, as objects may have any type
 * there, and fail when they are evaluated.
 */
export function checkPolicyTypes(
  { paramKind, variables = [], validations = [] }: Spec,
  kinds: readonly CheckedKind[],
  params: CelType | undefined,
): v1.ExpressionWarning[] {
  const checks = kinds.map((kind) => ({ kind, environment: environmentOf(kind.type, variables, paramKind && params) }))
  const warnings: v1.ExpressionWarning[] = []
  const check = (fieldRef: string, expression: string): void => {
    const found = checks.flatMap(({ kind, environment }) => {
      const result = compile(environment, expression)
      return result.ok || result.code !== 'invalid' ? [] : [`${kind.text}: ${result.message.replace(prefix, '')}\n`]
    })
    if (found.length > 0) warnings.push({ fieldRef, warning: found.join('\n') })
  }
  for (const [index, { expression, messageExpression = '' }] of validations.entries()) {
    check(`spec.validations[${index}].expression`, expression)
    if (messageExpression !== '') check(`spec.validations[${index}].messageExpression`, messageExpression)
  }
  return warnings
}

const prefix = /^compilation failed: /

function environmentOf(
  object: CelType,
  variables: NonNullable<Spec['variables']>,
  params: CelType | undefined,
): Environment {
  const base = params ? environments.withParams() : environments.plain()
  const fields = new Map<string, ObjectField>()
  const composed = new ObjectType('kubernetes.variables', () => fields)
  const environment = extendEnvironment(base, {
    variables: { object, oldObject: object, ...(params ? { params } : {}), variables: composed },
  })
  for (const { name, expression } of variables) {
    const result = compile(environment, expression)
    fields.set(name, { name, type: result.ok ? result.outputType : types.dyn })
  }
  return environment
}
