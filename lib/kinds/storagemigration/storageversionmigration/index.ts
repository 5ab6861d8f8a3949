import type * as migration from '../../../../api/gen/storagemigration.k8s.io/v1beta1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { fromV1alpha1, toV1alpha1 } from './convert.ts'

const path = FieldPath.root('spec')
const status = FieldPath.root('status')
const specOf = (object: ApiObject): migration.StorageVersionMigrationSpec =>
  object['spec'] as migration.StorageVersionMigrationSpec
const statusOf = (object: ApiObject): migration.StorageVersionMigrationStatus =>
  (object['status'] ?? {}) as migration.StorageVersionMigrationStatus

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { group, resource } = specOf(object).resource
  const at = path.child('resource')
  if (!resource) errors.push(fieldErrors.required(at.child('resource'), 'resource is required to be set'))
  else checkFormat(errors, resource, at.child('resource'), validateDns1035Label)
  if (group) checkFormat(errors, group, at.child('group'), validateDns1123Subdomain)
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  if (semanticEqual(specOf(object), specOf(old))) return []
  return [fieldErrors.immutable(path, { Resource: specOf(object).resource })]
}

function validateStatusUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const version = statusOf(object).resourceVersion ?? ''
  const before = statusOf(old).resourceVersion ?? ''
  const at = status.child('resourceVersion')
  if (version !== '' && !/^\d+$/.test(version))
    errors.push(fieldErrors.invalid(at, version, 'resource version must be a number'))
  if (before !== '' && version !== before) errors.push(fieldErrors.immutable(at, version))
  const holds = (wanted: string): boolean =>
    statusOf(object).conditions?.some((condition) => condition.type === wanted && condition.status === 'True') === true
  if (holds('Succeeded') && holds('Failed'))
    errors.push(
      fieldErrors.invalid(
        status.child('conditions'),
        'Both success and failed conditions are true',
        'Both success and failed conditions cannot be true at the same time',
      ),
    )
  return errors
}

function describe(object: ApiObject): string {
  const states = statusOf(object).conditions?.filter(
    ({ type, status: value }) => value === 'True' && ['Running', 'Failed', 'Succeeded'].includes(type),
  )
  return states?.at(-1)?.type ?? 'Unknown'
}

export const storageVersionMigration: KindDefinition = {
  group: 'storagemigration.k8s.io',
  kind: 'StorageVersionMigration',
  nameRule: nameRules.subdomain,
  strategy: specStrategy({ validate, validateUpdate }),
  convert: { v1alpha1: { fromHub: toV1alpha1, toHub: fromV1alpha1 } },
  subresources: { status: statusStrategy(validateStatusUpdate, { keepMetadata: true }) },
  columns: [
    { ...nameColumn, format: '' },
    textColumn('Resource', 'Resource whose objects are written anew.', (object) => {
      const { group, resource } = specOf(object).resource
      return group ? `${resource}.${group}` : (resource ?? '')
    }),
    textColumn('Status', 'How far it has come.', describe),
  ],
}
