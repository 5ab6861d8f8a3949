import type * as core from '../../../../api/gen/core/v1.ts'
import { appendAll } from '../../../base/index.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLegacyCidr,
  validatePortName,
  validatePortNumber,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkNumber, checkPresent, checkRequiredChoice } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkLabels } from '../../meta/labelselector.ts'
import { checkStrictAddresses, type LocatedAddress, locateCidrs, locateIps } from '../../meta/strictaddresses.ts'
import { isHeadless, serviceSpec } from './shape.ts'
import { checkTraffic, checkTrafficUpdate } from './traffic.ts'
import { checkClusterIps, checkIpsUpdate, serviceFieldPath as path } from './validateips.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']
const balancerOnly = "may only be used when `type` is 'LoadBalancer'"
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints'
const modeAnnotation = 'service.kubernetes.io/topology-mode'
const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const annotations = FieldPath.root('metadata').child('annotations')

/** `old`: the service before an update. */
export function validateService(object: ApiObject, context: KindContext, old?: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const spec = serviceSpec(object)
  checkTopology(errors, object)
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== 'ExternalName')
    errors.push(fieldErrors.required(path.child('ports')))
  checkType(errors, spec)
  checkPorts(errors, spec)
  checkLabels(errors, spec.selector, path.child('selector'))
  checkClusterIps(errors, spec)
  checkRequiredChoice(errors, spec.type, path.child('type'), types)
  checkPortNumbers(errors, spec)
  checkBalancer(errors, object, spec)
  checkTraffic(errors, spec, context)
  checkStrictAddresses(errors, addressesOf(object), old ? addressesOf(old) : [], context)
  return errors
}

export function validateServiceUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const now = serviceSpec(object)
  const before = serviceSpec(old)
  checkIpsUpdate(errors, now, before)
  const stays = now.type === 'LoadBalancer' && before.type === 'LoadBalancer'
  if (stays && now.loadBalancerClass !== before.loadBalancerClass)
    errors.push(fieldErrors.invalid(path.child('loadBalancerClass'), now.loadBalancerClass, 'may not change once set'))
  checkTrafficUpdate(errors, now, before)
  return [...errors, ...validateService(object, context, old)]
}

function addressesOf(object: ApiObject): LocatedAddress[] {
  const { clusterIPs, externalIPs, loadBalancerSourceRanges: ranges } = serviceSpec(object)
  return [
    ...locateIps(clusterIPs, path.child('clusterIPs')),
    ...locateIps(externalIPs, path.child('externalIPs')),
    ...locateCidrs(
      ranges?.map((range) => range.trim()),
      path.child('LoadBalancerSourceRanges'),
    ),
  ]
}

/** Two annotations for one setting. */
function checkTopology(errors: FieldError[], { metadata }: ApiObject): void {
  const hints = metadata.annotations?.[hintsAnnotation]
  const mode = metadata.annotations?.[modeAnnotation]
  if (hints === undefined || mode === undefined || hints === mode) return
  const why = `must match annotations[${hintsAnnotation}] when both are specified`
  errors.push(fieldErrors.invalid(annotations.key(modeAnnotation), mode, why))
}

function checkType(errors: FieldError[], spec: core.ServiceSpec): void {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    if (isHeadless(spec)) {
      const why = `may not be set to 'None' for ${spec.type} services`
      errors.push(fieldErrors.invalid(path.child('clusterIPs').index(0), spec.clusterIPs?.[0], why))
    }
  } else if (spec.type === 'ExternalName') {
    for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const)
      if (spec[name] !== undefined && spec[name].length > 0)
        errors.push(fieldErrors.forbidden(path.child(name), 'may not be set for ExternalName services'))
    // A trailing dot marks a fully qualified name.
    const name = (spec.externalName ?? '').replace(/\.$/, '')
    if (checkPresent(errors, name, path.child('externalName')))
      checkFormat(errors, name, path.child('externalName'), validateDns1123Subdomain)
  }
}

function checkPorts(errors: FieldError[], { ports = [] }: core.ServiceSpec): void {
  const names = new Set<string>()
  ports.forEach((port, index) => {
    const at = path.child('ports').index(index)
    const { name = '', targetPort, appProtocol } = port
    if (name !== '') {
      checkFormat(errors, name, at.child('name'), validateDns1123Label)
      if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name))
      names.add(name)
    } else if (ports.length > 1) errors.push(fieldErrors.required(at.child('name')))
    checkNumber(errors, port.port ?? 0, at.child('port'), validatePortNumber)
    checkRequiredChoice(errors, port.protocol, at.child('protocol'), protocols)
    if (typeof targetPort === 'string') checkFormat(errors, targetPort, at.child('targetPort'), validatePortName)
    else checkNumber(errors, targetPort ?? 0, at.child('targetPort'), validatePortNumber)
    if (appProtocol !== undefined) checkFormat(errors, appProtocol, at.child('appProtocol'), validateQualifiedName)
  })
}

function checkPortNumbers(errors: FieldError[], { type, ports = [] }: core.ServiceSpec): void {
  const nodePorts = new Set<string>()
  const numbers = new Set<string>()
  const repeated: FieldError[] = []
  ports.forEach(({ protocol = '', port, nodePort = 0 }, index) => {
    const at = path.child('ports').index(index)
    if (nodePort !== 0) {
      if (type === 'ClusterIP')
        errors.push(fieldErrors.forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'"))
      const key = `${protocol} ${nodePort}`
      if (nodePorts.has(key)) errors.push(fieldErrors.duplicate(at.child('nodePort'), nodePort))
      nodePorts.add(key)
    }
    const key = `${protocol} ${port}`
    if (numbers.has(key)) {
      const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
      repeated.push(fieldErrors.duplicate(at, shown))
    }
    numbers.add(key)
  })
  appendAll(errors, repeated)
}

function checkBalancer(errors: FieldError[], object: ApiObject, spec: core.ServiceSpec): void {
  const isBalancer = spec.type === 'LoadBalancer'
  checkSourceRanges(errors, object, spec, isBalancer)
  const allocates = spec.allocateLoadBalancerNodePorts
  if (!isBalancer && allocates !== undefined)
    errors.push(fieldErrors.forbidden(path.child('allocateLoadBalancerNodePorts'), balancerOnly))
  if (isBalancer && allocates === undefined) errors.push(fieldErrors.required('allocateLoadBalancerNodePorts'))
  const { loadBalancerClass } = spec
  if (loadBalancerClass === undefined) return
  const at = path.child('loadBalancerClass')
  if (isBalancer) checkFormat(errors, loadBalancerClass, at, validateQualifiedName)
  else errors.push(fieldErrors.forbidden(at, balancerOnly))
}

function checkSourceRanges(errors: FieldError[], object: ApiObject, spec: core.ServiceSpec, isBalancer: boolean): void {
  const { loadBalancerSourceRanges: ranges = [] } = spec
  const annotated = object.metadata.annotations?.[rangesAnnotation]
  if (ranges.length > 0) {
    // Clients know the field by this spelling.
    const at = path.child('LoadBalancerSourceRanges')
    if (!isBalancer) errors.push(fieldErrors.forbidden(at, balancerOnly))
    ranges.forEach((range, index) => checkFormat(errors, range.trim(), at.index(index), validateLegacyCidr))
  } else if (annotated !== undefined) {
    const at = annotations.key(rangesAnnotation)
    if (!isBalancer) errors.push(fieldErrors.forbidden(at, balancerOnly))
    const texts = annotated.trim() === '' ? [] : annotated.split(',')
    if (texts.some((text) => validateLegacyCidr(text.trim()).length > 0)) {
      const why = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24'
      errors.push(fieldErrors.invalid(at, annotated, why))
    }
  }
}
