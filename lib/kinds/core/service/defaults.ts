import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import { isExternallyAccessible, isInternallyAccessible, serviceSpec } from './shape.ts'

const affinitySeconds = 10_800

export function defaultService(object: ApiObject): void {
  const spec = serviceSpec(object)
  spec.sessionAffinity ||= 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } }
  spec.type ||= 'ClusterIP'
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP'
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster'
  if (isInternallyAccessible(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  else if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy
  if (spec.type !== 'LoadBalancer') return
  spec.allocateLoadBalancerNodePorts ??= true
  for (const entry of (object['status'] as core.ServiceStatus | undefined)?.loadBalancer?.ingress ?? [])
    if (entry.ip) entry.ipMode ??= 'VIP'
}
