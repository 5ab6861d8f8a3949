import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkPresent, checkRequiredChoice } from '../../check.ts'
import type { Defaults, KindContext, KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { createPolicyEnvironments, ExpressionCheck, mutationTypes } from '../expressions.ts'
import { checkMatchConditions } from '../matchconditions.ts'
import { checkFailurePolicy, checkMatchConstraints, checkParamKind, checkVariables, shownParamKind } from '../policy.ts'
import { reservedNames } from '../reservednames.ts'
import { checkMutatingOperations, defaultMatchResources } from '../rules.ts'

const path = FieldPath.root('spec')
const environments = createPolicyEnvironments({ patches: true })
const specOf = (object: ApiObject): v1.MutatingAdmissionPolicySpec => object['spec'] as v1.MutatingAdmissionPolicySpec

function validatePolicy(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const known = new Set(old ? expressionsOf(specOf(old)) : [])
  const hasParams = spec.paramKind !== undefined
  const places = {
    fresh: environments(hasParams, context.settings?.newExpressionsMinor),
    stored: environments(hasParams),
  }
  const conditions = new ExpressionCheck(errors, places, known, context.work)
  const expressions = new ExpressionCheck(errors, places, known, context.work)
  checkFailurePolicy(errors, spec.failurePolicy, path.child('failurePolicy'))
  if (spec.paramKind) checkParamKind(errors, spec.paramKind, path.child('paramKind'))
  const constraints = path.child('matchConstraints')
  checkMatchConstraints(errors, spec.matchConstraints, constraints)
  checkMutatingOperations(errors, spec.matchConstraints?.resourceRules, constraints.child('resourceRules'))
  checkMatchConditions(errors, spec.matchConditions, conditions, path.child('matchConditions'))
  checkVariables(errors, spec.variables, expressions, path.child('variables'))
  const mutations = path.child('mutations')
  if (!spec.mutations?.length) errors.push(fieldErrors.required(mutations, 'mutations must contain at least one item'))
  for (const [index, each] of (spec.mutations ?? []).entries()) {
    checkMutation(errors, each, expressions, mutations.index(index))
  }
  checkRequiredChoice(errors, spec.reinvocationPolicy, path.child('reinvocationPolicy'), ['IfNeeded', 'Never'])
  return errors
}

function expressionsOf(spec: v1.MutatingAdmissionPolicySpec): string[] {
  return [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.mutations ?? []).map(({ jsonPatch, applyConfiguration }) => (jsonPatch ?? applyConfiguration)?.expression ?? ''), // biome-ignore format: one line
  ]
}

/** The field with the expression, by type of patch. */
const patchFields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const

function checkMutation(errors: FieldError[], mutation: v1.Mutation, expressions: ExpressionCheck, at: FieldPath): void {
  const types = Object.keys(patchFields)
  checkRequiredChoice(errors, mutation.patchType, at.child('patchType'), types)
  if (!types.includes(mutation.patchType)) return
  const field = patchFields[mutation.patchType as keyof typeof patchFields]
  const patch = mutation[field]
  const other = field === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch'
  if (!patch)
    errors.push(fieldErrors.required(at.child(field), `must be specified when patchType is ${mutation.patchType}`))
  else {
    const expression = patch.expression ?? ''
    const here = at.child(field).child('expression')
    const type = field === 'jsonPatch' ? mutationTypes.patches : mutationTypes.configuration
    if (checkPresent(errors, expression.trim(), here)) expressions.check(expression, here, type)
  }
  if (mutation[other]) {
    const why = `must not be specified when patchType is ${mutation.patchType}`
    errors.push(fieldErrors.invalid(at.child(other), `{${other}}`, why))
  }
}

const defaults: Defaults = (object) => {
  const spec = specOf(object)
  spec.failurePolicy ??= 'Fail'
  if (spec.matchConstraints) defaultMatchResources(spec.matchConstraints)
}

export const mutatingAdmissionPolicy: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  nameRule: nameRules.subdomain,
  reservedNames,
  defaults: { v1: defaults, v1beta1: defaults, v1alpha1: defaults },
  strategy: {
    ...specStrategy({
      hasStatus: false,
      generation: true,
      validate: (object, context) => validatePolicy(object, undefined, context),
    }),
    validateUpdate: (object, old, context) => validatePolicy(object, old, context),
  },
  columns: [
    nameColumn,
    countColumn('Mutations', 'Changes that the policy makes.', (object) => specOf(object).mutations?.length),
    textColumn('ParamKind', 'Kind of its parameters.', (object) => shownParamKind(specOf(object).paramKind)),
    ageColumn,
  ],
}
