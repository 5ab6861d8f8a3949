import { type ApiObject, type Cidr, formatCidr, formatTime } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { createMissing, ownContext } from './ownwrites.ts'

/** Maintains the ServiceCIDR `kubernetes`, the ranges of cluster addresses. */
export function createServiceCidrs(
  services: HookServices & { registry: Registry; scheme: Scheme },
  blocks: readonly Cidr[],
): Hook {
  return createHook(services, {
    name: 'start-kubernetes-service-cidr-controller',
    repeatMs: 10_000,
    retry: 'before-ready',
    async run(signal) {
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: '',
        message: 'Kubernetes default Service CIDR is ready',
        lastTransitionTime: formatTime(services.clock.now()),
      }
      const object: ApiObject = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        metadata: { name: 'kubernetes' },
        spec: { cidrs: blocks.map(formatCidr) },
        status: { conditions: [ready] },
      }
      const resource = { group: 'networking.k8s.io', resource: 'servicecidrs' }
      await createMissing(services, resource, object, ownContext(signal))
    },
  })
}
