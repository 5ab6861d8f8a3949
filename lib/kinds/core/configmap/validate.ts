import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateConfigKey,
} from '../../../object/index.ts'
import { base64Bytes } from '../base64.ts'

/** Maximum size of all values of a ConfigMap or Secret together. */
export const dataBytesMax = 1024 * 1024

const dataPath = FieldPath.root('data')
const binaryDataPath = FieldPath.root('binaryData')

interface ConfigMap extends ApiObject {
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}

export function validateConfigMap(object: ApiObject): FieldError[] {
  const { data = {}, binaryData = {} } = object as ConfigMap
  const errors: FieldError[] = []
  let bytes = 0
  for (const key of Object.keys(data)) {
    checkKey(dataPath, key, Object.hasOwn(binaryData, key) ? 'binaryData' : undefined, errors)
    bytes += Buffer.byteLength(data[key] ?? '')
  }
  for (const key of Object.keys(binaryData)) {
    checkKey(binaryDataPath, key, Object.hasOwn(data, key) ? 'data' : undefined, errors)
    bytes += base64Bytes(binaryData[key] ?? '')
  }
  // The whole object is too large: clients know this error by the path `[]`.
  if (bytes > dataBytesMax) errors.push(fieldErrors.tooLong('[]', dataBytesMax))
  return errors
}

function checkKey(path: FieldPath, key: string, other: string | undefined, errors: FieldError[]): void {
  for (const finding of validateConfigKey(key)) errors.push(fieldErrors.invalid(path.key(key), key, finding))
  if (other !== undefined) errors.push(fieldErrors.invalid(path.key(key), key, `duplicate of key present in ${other}`))
}

export function validateConfigMapUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  return [...immutableErrors(object, old, ['data', 'binaryData']), ...validateConfigMap(object)]
}

/** An immutable object stays immutable, and its `fields` unchanged. */
export function immutableErrors(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if ((old as ConfigMap).immutable !== true) return []
  const why = 'field is immutable when `immutable` is set'
  const errors: FieldError[] = []
  if ((object as ConfigMap).immutable !== true) errors.push(fieldErrors.forbidden('immutable', why))
  for (const field of fields)
    if (!deepEqual(object[field] ?? {}, old[field] ?? {})) errors.push(fieldErrors.forbidden(field, why))
  return errors
}
