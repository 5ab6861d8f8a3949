import type * as storage from '../../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ApiObject,
  compareQuantities,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, nonNegativeText } from '../../check.ts'
import { nodeSelectorWarnings } from '../../core/podspec/nodelabels.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'

const of = (object: ApiObject): storage.CSIStorageCapacity => object as storage.CSIStorageCapacity

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { storageClassName, capacity, maximumVolumeSize, nodeTopology } = of(object)
  checkFormat(errors, storageClassName, FieldPath.root('storageClassName'), validateDns1123Subdomain)
  for (const [name, amount] of Object.entries({ capacity, maximumVolumeSize }))
    if (amount !== undefined && compareQuantities(amount, '0') < 0)
      errors.push(fieldErrors.invalid(name, amount, nonNegativeText))
  if (nodeTopology) checkLabelSelector(errors, nodeTopology, FieldPath.root('nodeTopology'))
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['nodeTopology', 'storageClassName'] as const)
    if (!deepEqual(of(object)[name], of(old)[name])) errors.push(fieldErrors.immutable(name, of(object)[name]))
  return errors
}

export const csiStorageCapacity: KindDefinition = {
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  nameRule: nameRules.subdomain,
  columns: [
    nameColumn,
    textColumn('StorageClassName', 'Class that the capacity is of.', (object) => of(object).storageClassName),
    textColumn('Capacity', 'Size that the driver has reported.', (object) => of(object).capacity ?? '<unset>'),
  ],
  strategy: specStrategy({
    hasStatus: false,
    validate,
    validateUpdate,
    warnings: (object) => nodeSelectorWarnings('nodeTopology', of(object).nodeTopology),
  }),
}
