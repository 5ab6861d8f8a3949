import { type ApiObject, type FieldError, FieldPath, fieldErrors, validateConfigKey } from '../../../object/index.ts'
import { base64Bytes } from '../base64.ts'
import { dataBytesMax, immutableErrors } from '../configmap/validate.ts'
import { jsonObjectError } from './jsonerror.ts'

export interface Secret extends ApiObject {
  type?: string
  data?: Record<string, string>
}

const dataPath = FieldPath.root('data')
const serviceAccountName = 'kubernetes.io/service-account.name'
const redacted = '<secret contents redacted>'

export function validateSecret(object: ApiObject): FieldError[] {
  const { data = {}, type = '' } = object as Secret
  const errors: FieldError[] = []
  let bytes = 0
  for (const key of Object.keys(data)) {
    for (const finding of validateConfigKey(key)) errors.push(fieldErrors.invalid(dataPath.key(key), key, finding))
    bytes += base64Bytes(data[key] ?? '')
  }
  if (bytes > dataBytesMax) errors.push(fieldErrors.tooLong(dataPath, dataBytesMax))
  const require = (key: string): void => void errors.push(fieldErrors.required(dataPath.key(key)))
  const lacks = (key: string): boolean => !Object.hasOwn(data, key)
  switch (type as string) {
    case 'kubernetes.io/service-account-token':
      if ((object.metadata.annotations?.[serviceAccountName] ?? '') === '')
        errors.push(fieldErrors.required(FieldPath.root('metadata').child('annotations').key(serviceAccountName)))
      break
    case 'kubernetes.io/dockercfg':
      requireJson('.dockercfg', data, errors)
      break
    case 'kubernetes.io/dockerconfigjson':
      requireJson('.dockerconfigjson', data, errors)
      break
    case 'kubernetes.io/basic-auth':
      if (lacks('username') && lacks('password')) for (const key of ['username', 'password']) require(key)
      break
    case 'kubernetes.io/ssh-auth':
      if ((data['ssh-privatekey'] ?? '') === '') require('ssh-privatekey')
      break
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) if (lacks(key)) require(key)
      break
  }
  return errors
}

function requireJson(key: string, data: Record<string, string>, errors: FieldError[]): void {
  if (!Object.hasOwn(data, key)) {
    errors.push(fieldErrors.required(dataPath.key(key)))
    return
  }
  const wrong = jsonObjectError(Buffer.from(data[key] ?? '', 'base64'))
  if (wrong !== undefined) errors.push(fieldErrors.invalid(dataPath.key(key), redacted, wrong))
}

export function validateSecretUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  if (object.type !== old.type) errors.push(fieldErrors.immutable('type', object.type ?? ''))
  return [...errors, ...immutableErrors(object, old, ['data']), ...validateSecret(object)]
}
