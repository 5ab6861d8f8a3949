import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'

const entriesMax = 512
const bytesMax = 256 * 1024

/** Checks parameters that a driver gets unchanged: keys not empty, not too many, not too large. */
export function checkParameters(
  errors: FieldError[],
  parameters: Readonly<Record<string, string>> | undefined,
  allowEmpty: boolean,
  path: FieldPath,
): void {
  const entries = Object.entries(parameters ?? {})
  if (entries.length > entriesMax) errors.push(fieldErrors.tooLong(path, entriesMax))
  let bytes = 0
  for (const [key, value] of entries) {
    if (key === '') errors.push(fieldErrors.invalid(path, key, 'field can not be empty.'))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (bytes > bytesMax) errors.push(fieldErrors.tooLong(path, bytesMax))
  if (!allowEmpty && entries.length === 0)
    errors.push(fieldErrors.required(path, 'must contain at least one key/value pair'))
}
