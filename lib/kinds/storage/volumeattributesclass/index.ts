import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkPresent } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkParameters } from '../parameters.ts'

const of = (object: ApiObject): storage.VolumeAttributesClass => object as storage.VolumeAttributesClass

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { driverName, parameters } = of(object)
  const at = FieldPath.root('driverName')
  if (checkPresent(errors, driverName, at)) {
    const lower = driverName.toLowerCase()
    for (const finding of validateQualifiedName(lower)) errors.push(fieldErrors.invalid(at, lower, finding))
  }
  checkParameters(errors, parameters, false, FieldPath.root('parameters'))
  return errors
}

/** Changes of immutable fields are reported first. */
function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['driverName', 'parameters'] as const)
    if (!deepEqual(of(object)[name], of(old)[name]))
      errors.push(fieldErrors.forbidden(name, `updates to ${name} are forbidden.`))
  return [...errors, ...validate(object)]
}

export const volumeAttributesClass: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  nameRule: nameRules.subdomain,
  strategy: { ...specStrategy({ hasStatus: false, validate }), validateUpdate },
  columns: [
    nameColumn,
    textColumn('DriverName', 'Driver that knows the parameters.', (object) => of(object).driverName),
    ageColumn,
  ],
}
