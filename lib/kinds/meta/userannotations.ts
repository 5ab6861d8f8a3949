import { type FieldError, type FieldPath, fieldErrors, validateQualifiedName } from '../../object/index.ts'
import { annotationsBytesMax } from './validate.ts'

/** Words of a pod's author to a signer: as annotations, but each key has a domain. */
export function checkUserAnnotations(
  errors: FieldError[],
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): void {
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
    checkKey(errors, key.toLowerCase(), path)
  }
  if (bytes > annotationsBytesMax) errors.push(fieldErrors.tooLong(path, annotationsBytesMax))
}

function checkKey(errors: FieldError[], key: string, path: FieldPath): void {
  if (key === '') {
    errors.push(fieldErrors.required(path))
    return
  }
  const findings = validateQualifiedName(key)
  for (const finding of findings) errors.push(fieldErrors.invalid(path, key, finding))
  if (findings.length === 0 && !key.includes('/'))
    errors.push(fieldErrors.invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")'))
}
