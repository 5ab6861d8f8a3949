import { type FieldError, type FieldPath, fieldErrors } from '../object/index.ts'

/** The small checks that most rules consist of: each appends its errors to `errors`. */

export const nonNegativeText = 'must be greater than or equal to 0'

/** Reports every error of a format's validator for `value`. */
export function checkFormat(
  errors: FieldError[],
  value: string,
  path: FieldPath,
  validate: (value: string) => readonly string[],
): void {
  for (const finding of validate(value)) errors.push(fieldErrors.invalid(path, value, finding))
}

/** As checkFormat, for a number. */
export function checkNumber(
  errors: FieldError[],
  value: number,
  path: FieldPath,
  validate: (value: number) => readonly string[],
): void {
  for (const finding of validate(value)) errors.push(fieldErrors.invalid(path, value, finding))
}

/** False, with an error, when the text is missing or empty. */
export function checkPresent(
  errors: FieldError[],
  value: string | undefined,
  path: FieldPath,
  detail = '',
): value is string {
  if (value !== undefined && value !== '') return true
  errors.push(fieldErrors.required(path, detail))
  return false
}

/** Requires a text with a format. */
export function checkRequiredFormat(
  errors: FieldError[],
  value: string | undefined,
  path: FieldPath,
  validate: (value: string) => readonly string[],
): void {
  if (checkPresent(errors, value, path)) checkFormat(errors, value, path, validate)
}

export function checkNonNegative(errors: FieldError[], value: number | bigint | undefined, path: FieldPath): void {
  if (value !== undefined && value < 0) errors.push(fieldErrors.invalid(path, value, nonNegativeText))
}

/** Messages print `supported` in this order; a missing value counts as ''. */
export function checkSupported(
  errors: FieldError[],
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): void {
  if (!supported.includes(value ?? '')) errors.push(fieldErrors.notSupported(path, value ?? '', supported))
}

/** As checkSupported, but a missing or empty value is reported as required. */
export function checkRequiredChoice(
  errors: FieldError[],
  value: string | undefined,
  path: FieldPath,
  supported: readonly string[],
): void {
  if (checkPresent(errors, value, path)) checkSupported(errors, value, path, supported)
}

/** Reports `value` when it is in `seen`, else adds it. */
export function checkUnique<T>(errors: FieldError[], seen: Set<T>, value: T, path: FieldPath): void {
  if (seen.has(value)) errors.push(fieldErrors.duplicate(path, value))
  else seen.add(value)
}

/** Requires a relative path that stays below its root: no leading '/', no '..' element. */
export function checkDescendingPath(errors: FieldError[], value: string, path: FieldPath): void {
  if (value.startsWith('/')) errors.push(fieldErrors.invalid(path, value, 'must be a relative path'))
  checkNoBacksteps(errors, value, path)
}

export function checkNoBacksteps(errors: FieldError[], value: string, path: FieldPath): void {
  if (value.split('/').includes('..')) errors.push(fieldErrors.invalid(path, value, "must not contain '..'"))
}

/** As checkDescendingPath; names that start with '..' are reserved for the kubelet. */
export function checkProjectedPath(errors: FieldError[], value: string, path: FieldPath): void {
  checkDescendingPath(errors, value, path)
  if (value.startsWith('..') && !value.startsWith('../'))
    errors.push(fieldErrors.invalid(path, value, "must not start with '..'"))
}

export function checkFileMode(errors: FieldError[], mode: number | undefined, path: FieldPath): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777))
    errors.push(fieldErrors.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}
