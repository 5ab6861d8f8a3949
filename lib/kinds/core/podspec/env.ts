import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateConfigKey,
  validateDns1123Subdomain,
  validateRelaxedEnvName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent } from '../../check.ts'
import { checkFieldRef, checkResourceFieldRef, environmentFields } from './fieldrefs.ts'

export function checkEnvironment(
  errors: FieldError[],
  variables: readonly core.EnvVar[] | undefined,
  path: FieldPath,
): void {
  variables?.forEach((variable, index) => {
    const at = path.index(index)
    if (checkPresent(errors, variable.name, at.child('name')))
      checkFormat(errors, variable.name, at.child('name'), validateRelaxedEnvName)
    if (variable.valueFrom) checkValueFrom(errors, variable, variable.valueFrom, at.child('valueFrom'))
  })
}

function checkValueFrom(errors: FieldError[], variable: core.EnvVar, source: core.EnvVarSource, path: FieldPath): void {
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
  if (count === 0)
    errors.push(
      fieldErrors.invalid(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    )
  else if (variable.value) errors.push(fieldErrors.invalid(path, '', 'may not be specified when `value` is not empty'))
  if (count > 1) errors.push(fieldErrors.invalid(path, '', 'may not have more than one field specified at a time'))
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
