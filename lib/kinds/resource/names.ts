import type * as v1 from '../../../api/gen/resource.k8s.io/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  jsonText,
  validateCIdentifier,
  validateDns1123Subdomain,
} from '../../object/index.ts'
import { checkFormat, checkPresent } from '../check.ts'

const driverBytesMax = 63
const poolBytesMax = 253
const identifierBytesMax = 32
const parametersBytesMax = 10 * 1024

export function checkDriver(errors: FieldError[], name: string, path: FieldPath): void {
  if (!checkPresent(errors, name, path)) return
  if (Buffer.byteLength(name) > driverBytesMax) errors.push(fieldErrors.tooLong(path, driverBytesMax))
  checkFormat(errors, name, path, validateDns1123Subdomain)
}

/** Often a node's name; may have parts separated by slashes. */
export function checkPoolName(errors: FieldError[], name: string, path: FieldPath): void {
  if (!checkPresent(errors, name, path)) return
  if (Buffer.byteLength(name) > poolBytesMax) errors.push(fieldErrors.tooLong(path, poolBytesMax))
  for (const part of name.split('/')) checkFormat(errors, part, path, validateDns1123Subdomain)
}

/** `name`, relative to the driver, or `domain/name`. */
export function checkQualifiedName(errors: FieldError[], name: string, path: FieldPath): void {
  const slash = name.indexOf('/')
  if (slash < 0) {
    checkIdentifier(errors, name, path)
    return
  }
  const [domain, own] = [name.slice(0, slash), name.slice(slash + 1)]
  if (domain === '') errors.push(fieldErrors.invalid(path, '', 'the domain must not be empty'))
  else checkDriver(errors, domain, path)
  if (own === '') errors.push(fieldErrors.invalid(path, '', 'the name must not be empty'))
  else checkIdentifier(errors, own, path)
}

export function checkFullName(errors: FieldError[], name: string, path: FieldPath): void {
  checkQualifiedName(errors, name, path)
  if (!name.includes('/')) {
    const why = 'a fully qualified name must be a domain and a name separated by a slash'
    errors.push(fieldErrors.invalid(path, name, why))
  }
}

function checkIdentifier(errors: FieldError[], name: string, path: FieldPath): void {
  if (Buffer.byteLength(name) > identifierBytesMax) errors.push(fieldErrors.tooLong(path, identifierBytesMax))
  checkFormat(errors, name, path, validateCIdentifier)
}

/** Settings that only the driver understands. */
export function checkOpaque(
  errors: FieldError[],
  opaque: v1.OpaqueDeviceConfiguration | undefined,
  path: FieldPath,
): void {
  if (!opaque) {
    errors.push(fieldErrors.required(path))
    return
  }
  checkDriver(errors, opaque.driver, path.child('driver'))
  checkRawObject(errors, opaque.parameters, path.child('parameters'))
}

export function checkRawObject(errors: FieldError[], value: unknown, path: FieldPath): void {
  if (value === undefined || value === null) errors.push(fieldErrors.required(path))
  else if (typeof value !== 'object' || Array.isArray(value))
    errors.push(fieldErrors.invalid(path, '<value omitted>', 'must be a valid JSON object'))
  else if (Buffer.byteLength(jsonText(value)) > parametersBytesMax)
    errors.push(fieldErrors.tooLong(path, parametersBytesMax))
}
