import type * as networking from '../../../../api/gen/networking.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  formatIp,
  parseIp,
  validateDns1123Subdomain,
  validateIp,
  validatePathSegmentName,
} from '../../../object/index.ts'
import { checkFormat, checkRequiredFormat } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameColumn, textColumn } from '../../meta/columns.ts'
import { specStrategy } from '../../meta/strategy.ts'

const path = FieldPath.root('spec').child('parentRef')
const parentOf = (object: ApiObject): networking.ParentReference | undefined =>
  (object['spec'] as networking.IPAddressSpec | undefined)?.parentRef

/** The address in canonical form, which makes it unique. */
function nameRule(name: string): string[] {
  const findings = [...validateIp(name)]
  const ip = parseIp(name)
  if (findings.length === 0 && ip && formatIp(ip) !== name)
    findings.push(`must be in canonical form (${JSON.stringify(formatIp(ip))})`)
  return findings
}

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const parent = parentOf(object)
  if (!parent) return [fieldErrors.required(path)]
  const { group = '', resource, namespace = '', name } = parent
  if (group !== '') checkFormat(errors, group, path.child('group'), validateDns1123Subdomain)
  checkRequiredFormat(errors, resource, path.child('resource'), validatePathSegmentName)
  checkRequiredFormat(errors, name, path.child('name'), validatePathSegmentName)
  if (namespace !== '') checkFormat(errors, namespace, path.child('namespace'), validatePathSegmentName)
  return errors
}

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const parent = parentOf(object)
  if (deepEqual(parent, parentOf(old))) return []
  const shown = parent && {
    Group: parent.group ?? '',
    Resource: parent.resource ?? '',
    Namespace: parent.namespace ?? '',
    Name: parent.name ?? '',
  }
  return [fieldErrors.immutable(path, shown)]
}

export const ipAddress: KindDefinition = {
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  nameRule,
  strategy: specStrategy({ hasStatus: false, validate, validateUpdate }),
  columns: [
    nameColumn,
    textColumn('ParentRef', 'Who has the address.', (object) => {
      const parent = parentOf(object)
      if (!parent) return '<none>'
      const { group, resource = '', namespace, name = '' } = parent
      const kind = (group ? `${resource}.${group}` : resource).toLowerCase()
      return [kind, ...(namespace ? [namespace] : []), name].join('/')
    }),
  ],
}
