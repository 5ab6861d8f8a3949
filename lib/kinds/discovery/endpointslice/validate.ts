import type * as discovery from '../../../../api/gen/discovery.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseIp,
  type Validator,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateFullyQualifiedName,
  validateLabelValue,
  validateLegacyIp,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkRequiredChoice } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkReachableAddress } from '../../meta/addresses.ts'
import { checkLabels } from '../../meta/labelselector.ts'
import { checkStrictAddresses, type LocatedAddress, locateIps } from '../../meta/strictaddresses.ts'

const endpointsMax = 1000
const addressesMax = 100
const portsMax = 20_000
const topologyLabelsMax = 16
const hintsMax = 8
const addressTypes = ['FQDN', 'IPv4', 'IPv6']
const protocols = ['SCTP', 'TCP', 'UDP']
const zoneLabel = 'topology.kubernetes.io/zone'

/** `old`: the slice before an update. */
export function validateEndpointSlice(
  object: ApiObject,
  old: ApiObject | undefined,
  context: KindContext,
): FieldError[] {
  const errors: FieldError[] = []
  const { addressType, endpoints = [], ports = [] } = object as discovery.EndpointSlice
  checkRequiredChoice(errors, addressType, FieldPath.root('addressType'), addressTypes)
  const path = FieldPath.root('endpoints')
  if (endpoints.length > endpointsMax) errors.push(fieldErrors.tooMany(path, endpoints.length, endpointsMax))
  else endpoints.forEach((endpoint, index) => checkEndpoint(errors, endpoint, addressType, path.index(index)))
  checkPorts(errors, ports)
  checkStrictAddresses(errors, addressesOf(object), old ? addressesOf(old) : [], context)
  return errors
}

function addressesOf(object: ApiObject): LocatedAddress[] {
  const { addressType, endpoints = [] } = object as discovery.EndpointSlice
  if (addressType === 'FQDN') return []
  const path = FieldPath.root('endpoints')
  return endpoints.flatMap(({ addresses }, index) => locateIps(addresses, path.index(index).child('addresses')))
}

function checkEndpoint(
  errors: FieldError[],
  { addresses = [], nodeName, deprecatedTopology, hostname, hints }: discovery.Endpoint,
  addressType: string,
  path: FieldPath,
): void {
  const at = path.child('addresses')
  if (addresses.length === 0) errors.push(fieldErrors.required(at, 'must contain at least 1 address'))
  else if (addresses.length > addressesMax) errors.push(fieldErrors.tooMany(at, addresses.length, addressesMax))
  addresses.forEach((address, index) => checkAddress(errors, address, addressType, at.index(index)))
  if (nodeName !== undefined) checkFormat(errors, nodeName, path.child('nodeName'), validateDns1123Subdomain)
  if (deprecatedTopology) checkTopology(errors, deprecatedTopology, path.child('deprecatedTopology'))
  if (hostname !== undefined) checkFormat(errors, hostname, path.child('hostname'), validateDns1123Label)
  if (!hints) return
  checkHints(errors, hints.forZones ?? [], validateLabelValue, path.child('hints').child('forZones'))
  checkHints(errors, hints.forNodes ?? [], validateDns1123Subdomain, path.child('hints').child('forNodes'))
}

function checkAddress(errors: FieldError[], address: string, type: string, at: FieldPath): void {
  if (type === 'FQDN') checkFormat(errors, address, at, validateFullyQualifiedName)
  if (type !== 'IPv4' && type !== 'IPv6') return
  const ip = parseIp(address)
  if (!ip) checkFormat(errors, address, at, validateLegacyIp)
  else if (ip.family !== type) errors.push(fieldErrors.invalid(at, address, `must be an ${type} address`))
  else checkReachableAddress(errors, address, at)
}

function checkTopology(errors: FieldError[], topology: Readonly<Record<string, string>>, at: FieldPath): void {
  const count = Object.keys(topology).length
  if (count > topologyLabelsMax) errors.push(fieldErrors.tooMany(at, count, topologyLabelsMax))
  checkLabels(errors, topology, at)
  if (topology[zoneLabel] !== undefined)
    errors.push(fieldErrors.internal(at.key(zoneLabel), 'reserved key was not removed in conversion'))
}

function checkHints(
  errors: FieldError[],
  hints: readonly { readonly name: string }[],
  validate: Validator,
  at: FieldPath,
): void {
  if (hints.length > hintsMax) {
    errors.push(fieldErrors.tooMany(at, hints.length, hintsMax))
    return
  }
  const seen = new Set<string>()
  hints.forEach(({ name }, index) => {
    const here = at.index(index).child('name')
    if (seen.has(name)) errors.push(fieldErrors.duplicate(here, name))
    seen.add(name)
    checkFormat(errors, name, here, validate)
  })
}

function checkPorts(errors: FieldError[], ports: readonly discovery.EndpointPort[]): void {
  const path = FieldPath.root('ports')
  if (ports.length > portsMax) {
    errors.push(fieldErrors.tooMany(path, ports.length, portsMax))
    return
  }
  const names = new Set<string>()
  ports.forEach(({ name = '', protocol, appProtocol }, index) => {
    const at = path.index(index)
    if (name !== '') checkFormat(errors, name, at.child('name'), validateDns1123Label)
    if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name))
    names.add(name)
    if (protocol === undefined) errors.push(fieldErrors.required(at.child('protocol')))
    else if (!protocols.includes(protocol))
      errors.push(fieldErrors.notSupported(at.child('protocol'), protocol, protocols))
    if (appProtocol !== undefined) checkFormat(errors, appProtocol, at.child('appProtocol'), validateQualifiedName)
  })
}
