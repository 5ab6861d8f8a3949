import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateConfigKey,
  validateDns1123Subdomain,
  validateRelaxedEnvName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkProjectedPath } from '../../check.ts'
import { checkFieldRef, checkResourceFieldRef, environmentFields } from './fieldrefs.ts'
import type { VolumesByName } from './volumes.ts'

/** The parts of the pod that variables may refer to. */
interface EnvironmentContext {
  readonly volumes: VolumesByName
  gate(name: string): boolean
}

export function checkEnvironment(
  errors: FieldError[],
  variables: readonly core.EnvVar[] | undefined,
  pod: EnvironmentContext,
  path: FieldPath,
): void {
  variables?.forEach((variable, index) => {
    const at = path.index(index)
    if (checkPresent(errors, variable.name, at.child('name')))
      checkFormat(errors, variable.name, at.child('name'), validateRelaxedEnvName)
    if (variable.valueFrom) checkValueFrom(errors, variable, variable.valueFrom, pod, at.child('valueFrom'))
  })
}

function checkValueFrom(
  errors: FieldError[],
  variable: core.EnvVar,
  source: core.EnvVarSource,
  pod: EnvironmentContext,
  path: FieldPath,
): void {
  let count = 0
  if (source.fieldRef) {
    count++
    checkFieldRef(errors, source.fieldRef, environmentFields, path.child('fieldRef'))
  }
  if (source.resourceFieldRef) {
    count++
    checkResourceFieldRef(errors, source.resourceFieldRef, path.child('resourceFieldRef'), false)
  }
  for (const name of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = source[name]
    if (!reference) continue
    count++
    checkKeyRef(errors, reference, path.child(name))
  }
  if (source.fileKeyRef) {
    count++
    checkFileKeyRef(errors, source.fileKeyRef, pod.volumes, path.child('fileKeyRef'))
  }
  if (count === 0) errors.push(fieldErrors.invalid(path, '', pod.gate('EnvFiles') ? oneOfFive : oneOfFour))
  else if (variable.value) errors.push(fieldErrors.invalid(path, '', 'may not be specified when `value` is not empty'))
  if (count > 1) errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'))
}

const oneOfFour = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'
const oneOfFive =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'

/** A file that another container of the pod wrote, hence in a volume that lives as long as the pod. */
function checkFileKeyRef(
  errors: FieldError[],
  reference: core.FileKeySelector,
  volumes: VolumesByName,
  path: FieldPath,
): void {
  const { key, path: file, volumeName } = reference
  if (checkPresent(errors, key, path.child('key'))) checkFormat(errors, key, path.child('key'), validateRelaxedEnvName)
  const volumePath = path.child('volumeName')
  if (checkPresent(errors, volumeName, volumePath)) {
    const volume = volumes.get(volumeName)
    if (!volume) errors.push(fieldErrors.notFound(volumePath, volumeName))
    else if (!volume.emptyDir)
      errors.push(fieldErrors.invalid(volumePath, volumeName, 'referenced volume must be of type emptyDir'))
  }
  if (checkPresent(errors, file, path.child('path'))) checkProjectedPath(errors, file, path.child('path'))
}

function checkKeyRef(errors: FieldError[], reference: core.ConfigMapKeySelector, path: FieldPath): void {
  checkFormat(errors, reference.name ?? '', path.child('name'), validateDns1123Subdomain)
  if (checkPresent(errors, reference.key, path.child('key')))
    checkFormat(errors, reference.key, path.child('key'), validateConfigKey)
}

export function checkEnvironmentSources(
  errors: FieldError[],
  sources: readonly core.EnvFromSource[] | undefined,
  path: FieldPath,
): void {
  sources?.forEach((source, index) => {
    const at = path.index(index)
    if (source.prefix) checkFormat(errors, source.prefix, at.child('prefix'), validateRelaxedEnvName)
    let count = 0
    for (const name of ['configMapRef', 'secretRef'] as const) {
      const reference = source[name]
      if (!reference) continue
      count++
      const namePath = at.child(name).child('name')
      if (checkPresent(errors, reference.name, namePath))
        checkFormat(errors, reference.name, namePath, validateDns1123Subdomain)
    }
    if (count === 0) errors.push(fieldErrors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    if (count > 1) errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'))
  })
}
