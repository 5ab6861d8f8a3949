import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validateDns1035Label } from '../../../object/index.ts'

/** All errors of one name are reported as one. */
function checkLabel(errors: FieldError[], value: string, path: FieldPath, prefix = ''): void {
  const findings = validateDns1035Label(prefix === '' ? value : value.toLowerCase())
  if (findings.length > 0) errors.push(fieldErrors.invalid(path, value, prefix + findings.join(',')))
}

const mixedCase = 'may have mixed case, but should otherwise match: '

export function checkNames(errors: FieldError[], names: v1.CustomResourceDefinitionNames, path: FieldPath): void {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  if (plural !== '') checkLabel(errors, plural, path.child('plural'))
  if (singular !== '') checkLabel(errors, singular, path.child('singular'))
  if (kind !== '') checkLabel(errors, kind, path.child('kind'), mixedCase)
  if (listKind !== '') checkLabel(errors, listKind, path.child('listKind'), mixedCase)
  shortNames.forEach((name, index) => checkLabel(errors, name, path.child('shortNames').index(index)))
  if (kind !== '' && kind === listKind)
    errors.push(fieldErrors.invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'))
  categories.forEach((name, index) => checkLabel(errors, name, path.child('categories').index(index)))
}
