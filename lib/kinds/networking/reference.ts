import {
  type FieldError,
  type FieldPath,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from '../../object/index.ts'
import { checkFormat, checkRequiredFormat } from '../check.ts'

/** A reference to any object by group, kind and name. */
export function checkTypedReference(
  errors: FieldError[],
  { apiGroup, kind, name }: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string },
  at: FieldPath,
): void {
  if (apiGroup !== undefined) checkFormat(errors, apiGroup, at.child('apiGroup'), validateDns1123Subdomain)
  checkRequiredFormat(errors, kind, at.child('kind'), validatePathSegmentName)
  checkRequiredFormat(errors, name, at.child('name'), validatePathSegmentName)
}
