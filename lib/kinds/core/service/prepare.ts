import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, deepEqual } from '../../../object/index.ts'
import {
  allocatesNodePorts,
  isExternallyAccessible,
  isInternallyAccessible,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  serviceSpec,
} from './shape.ts'

/** Makes `clusterIP` and `clusterIPs` of a new service consistent: only the first may be set alone. */
export function prepareNewService(object: ApiObject): void {
  delete object['status']
  const spec = serviceSpec(object)
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP]
}

/** Fills in allocated values, so that a client need not repeat them, and drops values that the new type doesn't use. */
export function prepareServiceUpdate(object: ApiObject, old: ApiObject): void {
  const now = serviceSpec(object)
  const before = withAllAddresses(serviceSpec(old))
  keepAllocated(now, before)
  synchronize(now, before)
  dropUnused(now, before)
}

/** Completes a spec that was stored before services had several addresses. */
function withAllAddresses(spec: core.ServiceSpec): core.ServiceSpec {
  return spec.clusterIP && !spec.clusterIPs?.length ? { ...spec, clusterIPs: [spec.clusterIP] } : spec
}

function keepAllocated(now: core.ServiceSpec, before: core.ServiceSpec): void {
  if (needsClusterIp(now) && needsClusterIp(before)) {
    now.clusterIP ||= before.clusterIP ?? ''
    if (!now.clusterIPs?.length && now.clusterIP === before.clusterIP && before.clusterIPs)
      now.clusterIPs = [...before.clusterIPs]
  }
  if (needsNodePort(before) && allocatesNodePorts(now)) keepNodePorts(now.ports ?? [], before.ports ?? [])
  if (
    needsHealthCheckPort(now) &&
    needsHealthCheckPort(before) &&
    !now.healthCheckNodePort &&
    before.healthCheckNodePort
  )
    now.healthCheckNodePort = before.healthCheckNodePort
}

/** Keeps the node port of a port with the same name, unless another port has taken the number. */
function keepNodePorts(now: readonly core.ServicePort[], before: readonly core.ServicePort[]): void {
  const numbers = new Set(now.map(({ nodePort = 0 }) => nodePort))
  const used = new Set(before.flatMap(({ nodePort = 0 }) => (numbers.has(nodePort) ? [nodePort] : [])))
  const byName = new Map(before.map(({ name = '', nodePort = 0 }) => [name, nodePort]))
  for (const port of now) {
    const number = byName.get(port.name ?? '') ?? 0
    if (port.nodePort || number === 0 || used.has(number)) continue
    port.nodePort = number
    used.add(number)
  }
}

/** A client from before `clusterIPs` changes `clusterIP` alone; a careless one changes only the other. */
function synchronize(now: core.ServiceSpec, before: core.ServiceSpec): void {
  const sameFirst = (now.clusterIP ?? '') === (before.clusterIP ?? '')
  const sameAll = deepEqual(now.clusterIPs ?? [], before.clusterIPs ?? [])
  if (!before.clusterIP && now.clusterIP && !now.clusterIPs?.length) now.clusterIPs = [now.clusterIP]
  else if (before.clusterIP && !now.clusterIP && sameAll) delete now.clusterIPs
  else if (before.clusterIPs?.length && !now.clusterIPs?.length && sameFirst) delete now.clusterIP
  else if (!sameFirst && sameAll && now.clusterIP) now.clusterIPs = [now.clusterIP, ...(now.clusterIPs ?? []).slice(1)]
}

/** Unchanged values of the old type are dropped with it; changed ones are the client's error. */
function dropUnused(now: core.ServiceSpec, before: core.ServiceSpec): void {
  const drop = (isNeeded: (spec: core.ServiceSpec) => boolean, ...fields: (keyof core.ServiceSpec)[]): void => {
    if (!isNeeded(before) || isNeeded(now)) return
    for (const field of fields) if (deepEqual(now[field], before[field])) delete now[field]
  }
  const balances = ({ type }: core.ServiceSpec): boolean => type === 'LoadBalancer'
  if (needsClusterIp(before) && !needsClusterIp(now) && deepEqual(now.clusterIPs, before.clusterIPs)) {
    delete now.clusterIP
    delete now.clusterIPs
  }
  drop(needsClusterIp, 'ipFamilies', 'ipFamilyPolicy')
  drop(isInternallyAccessible, 'internalTrafficPolicy')
  if (needsNodePort(before) && !needsNodePort(now)) {
    const known = new Set(before.ports?.map(({ nodePort }) => nodePort))
    if (now.ports?.every(({ nodePort }) => !nodePort || known.has(nodePort)))
      for (const port of now.ports) delete port.nodePort
  }
  drop(needsHealthCheckPort, 'healthCheckNodePort')
  drop(balances, 'allocateLoadBalancerNodePorts', 'loadBalancerClass')
  drop(isExternallyAccessible, 'externalTrafficPolicy')
}
