import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLegacyIp,
  validatePortNumber,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkNumber, checkPresent, checkRequiredChoice } from '../../check.ts'
import type { KindContext, KindDefinition } from '../../definition.ts'
import { checkReachableAddress } from '../../meta/addresses.ts'
import { ipWarnings } from '../../meta/addresswarnings.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { nameRules } from '../../meta/names.ts'
import { checkStrictAddresses, type LocatedAddress } from '../../meta/strictaddresses.ts'

const path = FieldPath.root('subsets')
const subsetsOf = (object: ApiObject): core.EndpointSubset[] => (object['subsets'] ?? []) as core.EndpointSubset[]
const protocols = ['SCTP', 'TCP', 'UDP']
const shownMax = 3

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  subsetsOf(object).forEach(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const at = path.index(index)
    if (addresses.length === 0 && notReadyAddresses.length === 0)
      errors.push(fieldErrors.required(at, 'must specify `addresses` or `notReadyAddresses`'))
    addresses.forEach((address, i) => checkAddress(errors, address, at.child('addresses').index(i)))
    notReadyAddresses.forEach((address, i) => checkAddress(errors, address, at.child('notReadyAddresses').index(i)))
    ports.forEach((port, i) => checkPort(errors, port, ports.length > 1, at.child('ports').index(i)))
  })
  return errors
}

function validated(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors = validate(object)
  checkStrictAddresses(errors, addressesOf(object), old ? addressesOf(old) : [], context)
  return errors
}

function addressesOf(object: ApiObject): LocatedAddress[] {
  return subsetsOf(object).flatMap((subset, at) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) =>
      (subset[field] ?? []).map(
        ({ ip }, index): LocatedAddress => ({
          path: path.index(at).child(field).index(index).child('ip'),
          value: ip,
          form: 'ip',
        }),
      ),
    ),
  )
}

function checkAddress(errors: FieldError[], address: core.EndpointAddress, at: FieldPath): void {
  const { ip, hostname, nodeName } = address
  checkFormat(errors, ip, at.child('ip'), validateLegacyIp)
  if (hostname) checkFormat(errors, hostname, at.child('hostname'), validateDns1123Label)
  if (nodeName !== undefined) checkFormat(errors, nodeName, at.child('nodeName'), validateDns1123Subdomain)
  checkReachableAddress(errors, ip, at.child('ip'))
}

function checkPort(errors: FieldError[], port: core.EndpointPort, requireName: boolean, at: FieldPath): void {
  if (port.name) checkFormat(errors, port.name, at.child('name'), validateDns1123Label)
  else if (requireName) checkPresent(errors, port.name, at.child('name'))
  checkNumber(errors, port.port ?? 0, at.child('port'), validatePortNumber)
  checkRequiredChoice(errors, port.protocol, at.child('protocol'), protocols)
  if (port.appProtocol !== undefined)
    checkFormat(errors, port.appProtocol, at.child('appProtocol'), validateQualifiedName)
}

/** `10.0.0.1:80,10.0.0.2:80 + 3 more...` */
function shownEndpoints(object: ApiObject): string {
  const subsets = subsetsOf(object)
  if (subsets.length === 0) return '<none>'
  const shown: string[] = []
  let count = 0
  const show = (text: string): void => {
    count++
    if (shown.length < shownMax) shown.push(text)
  }
  for (const { addresses = [], ports = [] } of subsets) {
    if (ports.length === 0) for (const { ip } of addresses) show(ip)
    for (const { port } of ports) for (const { ip } of addresses) show(`${ip.includes(':') ? `[${ip}]` : ip}:${port}`)
  }
  const more = count > shownMax ? ` + ${count - shownMax} more...` : ''
  return shown.join(',') + more
}

/** The controller's own objects are canonical, and many. */
function warnings(object: ApiObject): string[] {
  if (object.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return []
  return subsetsOf(object).flatMap((subset, at) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) =>
      (subset[field] ?? []).flatMap(({ ip }, index) => ipWarnings(`subsets[${at}].${field}[${index}].ip`, ip)),
    ),
  )
}

export const endpoints: KindDefinition = {
  group: '',
  kind: 'Endpoints',
  nameRule: nameRules.subdomain,
  defaults: {
    v1(object) {
      for (const { ports } of subsetsOf(object)) for (const port of ports ?? []) port.protocol ||= 'TCP'
    },
  },
  strategy: {
    validateCreate: (object, context) => validated(object, undefined, context),
    validateUpdate: (object, old, context) =>
      semanticEqual(object['subsets'] ?? [], old['subsets'] ?? []) ? [] : validated(object, old, context),
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  columns: [nameColumn, textColumn('Endpoints', 'Addresses and ports that are ready.', shownEndpoints), ageColumn],
}
