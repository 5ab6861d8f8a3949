import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath } from '../../../object/index.ts'
import type { Defaults, KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkParamRef, checkPolicyName, shownParamRef } from '../policy.ts'
import { reservedNames } from '../reservednames.ts'
import { checkMatchResources, checkMutatingOperations, defaultMatchResources } from '../rules.ts'

const path = FieldPath.root('spec')
const specOf = (object: ApiObject): v1.MutatingAdmissionPolicyBindingSpec =>
  object['spec'] as v1.MutatingAdmissionPolicyBindingSpec

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { policyName, paramRef, matchResources } = specOf(object)
  checkPolicyName(errors, policyName, path.child('policyName'))
  if (paramRef) checkParamRef(errors, paramRef, path.child('paramRef'))
  if (matchResources) {
    const at = path.child('matchResources')
    checkMatchResources(errors, matchResources, at)
    checkMutatingOperations(errors, matchResources.resourceRules, at.child('resourceRules'))
  }
  return errors
}

const defaults: Defaults = (object) => {
  const { matchResources } = specOf(object)
  if (matchResources) defaultMatchResources(matchResources)
}

export const mutatingAdmissionPolicyBinding: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  nameRule: nameRules.subdomain,
  reservedNames,
  defaults: {
    v1: defaults,
    v1beta1: defaults,
    v1alpha1(object, context) {
      defaults(object, context)
      const { paramRef } = specOf(object)
      if (paramRef) paramRef.parameterNotFoundAction ??= 'Deny'
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
