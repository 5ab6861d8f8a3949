import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { shownParamKind } from '../policy.ts'
import { reservedNames } from '../reservednames.ts'
import { defaultMatchResources } from '../rules.ts'
import { specOf, validatePolicy } from './validate.ts'

function validateStatusUpdate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { typeChecking } = (object['status'] ?? {}) as v1.ValidatingAdmissionPolicyStatus
  const at = FieldPath.root('status').child('typeChecking').child('expressionWarnings')
  typeChecking?.expressionWarnings?.forEach(({ warning, fieldRef }, index) => {
    if (warning === '') errors.push(fieldErrors.required(at.index(index).child('warning')))
    if (fieldRef === '') errors.push(fieldErrors.required(at.index(index).child('fieldRef')))
  })
  return errors
}

export const validatingAdmissionPolicy: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  nameRule: nameRules.subdomain,
  reservedNames,
  defaults: {
    v1(object) {
      const spec = specOf(object)
      spec.failurePolicy ??= 'Fail'
      if (spec.matchConstraints) defaultMatchResources(spec.matchConstraints)
    },
  },
  strategy: {
    ...specStrategy({
      generation: true,
      validate: (object, context) => validatePolicy(object, undefined, context),
    }),
    validateUpdate: (object, old, context) => validatePolicy(object, old, context),
  },
  subresources: { status: statusStrategy(validateStatusUpdate, { keepMetadata: true }) },
  columns: [
    nameColumn,
    countColumn('Validations', 'Rules of the policy.', (object) => specOf(object).validations?.length),
    textColumn('ParamKind', 'Kind of its parameters.', (object) => shownParamKind(specOf(object).paramKind)),
    ageColumn,
  ],
}
