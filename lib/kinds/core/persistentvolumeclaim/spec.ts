import type * as core from '../../../../api/gen/core/v1.ts'
import {
  compareQuantities,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkSupported } from '../../check.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { roundResources } from '../podspec/defaults.ts'

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** Defaults of a claim's spec, in a claim or in a template. */
export function defaultClaimSpec(spec: core.PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem'
  roundResources(spec.resources?.requests)
  roundResources(spec.resources?.limits)
}

/** The rules of the spec of a claim, or of a claim's template in a pod or stateful set. */
export function checkClaimSpec(errors: FieldError[], spec: core.PersistentVolumeClaimSpec, path: FieldPath): void {
  checkAccessModes(errors, spec.accessModes, path.child('accessModes'))
  if (spec.selector) checkLabelSelector(errors, spec.selector, path.child('selector'))
  const storage = path.child('resources').key('storage')
  const request = spec.resources?.requests?.['storage']
  if (request === undefined) errors.push(fieldErrors.required(storage))
  else if (compareQuantities(request, '0') <= 0)
    errors.push(fieldErrors.invalid(storage, request, 'must be greater than zero'))
  if (spec.storageClassName)
    checkFormat(errors, spec.storageClassName, path.child('storageClassName'), validateDns1123Subdomain)
  if (spec.volumeMode !== undefined)
    checkSupported(errors, spec.volumeMode, path.child('volumeMode'), ['Block', 'Filesystem'])
  if (spec.volumeAttributesClassName)
    checkFormat(
      errors,
      spec.volumeAttributesClassName,
      path.child('volumeAttributesClassName'),
      validateDns1123Subdomain,
    )
  checkDataSources(errors, spec, path)
}

/** For volumes and claims: known modes, and the exclusive one alone. */
function checkAccessModes(errors: FieldError[], modes: readonly string[] | undefined, path: FieldPath): void {
  if (!modes?.length) errors.push(fieldErrors.required(path, 'at least 1 access mode is required'))
  let exclusive = false
  let others = false
  for (const mode of modes ?? []) {
    checkSupported(errors, mode, path, accessModes)
    if (mode === 'ReadWriteOncePod') exclusive = true
    else others = true
  }
  if (exclusive && others)
    errors.push(fieldErrors.forbidden(path, 'may not use ReadWriteOncePod with other access modes'))
}

function checkDataSources(errors: FieldError[], spec: core.PersistentVolumeClaimSpec, path: FieldPath): void {
  const { dataSource, dataSourceRef } = spec
  if (dataSource) checkDataSource(errors, dataSource, path.child('dataSource'))
  if (dataSourceRef) {
    checkDataSource(errors, dataSourceRef, path.child('dataSourceRef'))
    if (dataSourceRef.namespace)
      for (const finding of validateDns1123Label(dataSourceRef.namespace))
        errors.push(
          fieldErrors.invalid(path.child('dataSourceRef').child('namespace'), dataSourceRef.namespace, finding),
        )
  }
  if (dataSource && dataSourceRef && !dataSourceRef.namespace && !deepEqual(dataSource, dataSourceRef))
    errors.push(fieldErrors.invalid(path, {}, 'must match dataSourceRef'))
}

function checkDataSource(errors: FieldError[], source: core.TypedObjectReference, path: FieldPath): void {
  checkPresent(errors, source.name, path.child('name'))
  checkPresent(errors, source.kind, path.child('kind'))
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
    errors.push(fieldErrors.invalid(path, source.kind ?? '', why))
  }
  if (source.apiGroup) checkFormat(errors, source.apiGroup, path.child('apiGroup'), validateDns1123Subdomain)
}
