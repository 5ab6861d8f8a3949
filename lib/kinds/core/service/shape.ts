import type * as core from '../../../../api/gen/core/v1.ts'
import { type ApiObject, type IpFamily, parseIp } from '../../../object/index.ts'

/** The spec of a Service, created if it is missing. */
export function serviceSpec(object: ApiObject): core.ServiceSpec {
  return (object['spec'] ??= {}) as core.ServiceSpec
}

/** The service has its own addresses, or requests none (headless). */
export function needsClusterIp({ type }: core.ServiceSpec): boolean {
  return type !== 'ExternalName'
}

/** Pods within the cluster send traffic to it. */
export function isInternallyAccessible({ type }: core.ServiceSpec): boolean {
  return type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer'
}

export function needsNodePort({ type }: core.ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

export function needsHealthCheckPort({ type, externalTrafficPolicy }: core.ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

export function isExternallyAccessible(spec: core.ServiceSpec): boolean {
  return needsNodePort(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
}

/** Node ports are allocated without a request for them. */
export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: core.ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)
}

export function isHeadless({ clusterIPs }: core.ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === 'None'
}

export function familyOf(address: string): IpFamily | undefined {
  return parseIp(address)?.family
}
