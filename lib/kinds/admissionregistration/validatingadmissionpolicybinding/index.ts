import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkSupported, checkUnique } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkParamRef, checkPolicyName, shownParamRef } from '../policy.ts'
import { reservedNames } from '../reservednames.ts'
import { checkMatchResources, defaultMatchResources } from '../rules.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): v1.ValidatingAdmissionPolicyBindingSpec =>
  object['spec'] as v1.ValidatingAdmissionPolicyBindingSpec

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { policyName, paramRef, matchResources, validationActions } = specOf(object)
  checkPolicyName(errors, policyName, path.child('policyName'))
  if (paramRef) checkParamRef(errors, paramRef, path.child('paramRef'))
  if (matchResources) checkMatchResources(errors, matchResources, path.child('matchResources'))
  checkActions(errors, validationActions ?? [], path.child('validationActions'))
  return errors
}

function checkActions(errors: FieldError[], actions: readonly string[], at: FieldPath): void {
  const seen = new Set<string>()
  actions.forEach((action, index) => {
    checkSupported(errors, action, at.index(index), ['Audit', 'Deny', 'Warn'])
    checkUnique(errors, seen, action, at.index(index))
  })
  if (actions.length === 0) errors.push(fieldErrors.required(at, 'at least one validation action is required'))
  if (seen.has('Deny') && seen.has('Warn')) {
    const why =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
    errors.push(fieldErrors.invalid(at, [...seen].toSorted(), why))
  }
}

export const validatingAdmissionPolicyBinding: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  nameRule: nameRules.subdomain,
  reservedNames,
  defaults: {
    v1(object) {
      const { matchResources } = specOf(object)
      if (matchResources) defaultMatchResources(matchResources)
    },
  },
  strategy: specStrategy({ hasStatus: false, generation: true, validate }),
  columns: [
    nameColumn,
    textColumn('PolicyName', 'Policy that is put to use.', (object) => specOf(object).policyName ?? ''),
    textColumn('ParamRef', 'Its parameters.', (object) => shownParamRef(specOf(object).paramRef)),
    ageColumn,
  ],
}
