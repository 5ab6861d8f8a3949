import type * as core from '../../api/gen/core/v1.ts'
import { addTo, emptyAmounts } from './amounts.ts'
import type { Evaluator } from './evaluator.ts'

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers'])

/** Services, and their node ports and load balancers. */
export const services: Evaluator = {
  resource: { group: '', resource: 'services' },
  charges: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matching: (asked) => asked.filter((name) => names.has(name)),
  usage(object) {
    const { spec } = object as core.Service
    const used = emptyAmounts()
    addTo(used, 'count/services', '1')
    addTo(used, 'services', '1')
    addTo(used, 'services.nodeports', String(nodePortsOf(spec)))
    addTo(used, 'services.loadbalancers', spec?.type === 'LoadBalancer' ? '1' : '0')
    return used
  },
}

/**
 * Ports count before they are allocated: every one will get a node port, unless the service disables the allocation.
 */
function nodePortsOf(spec: core.ServiceSpec | undefined): number {
  const ports = spec?.ports ?? []
  if (spec?.type === 'NodePort') return ports.length
  if (spec?.type !== 'LoadBalancer') return 0
  if (spec.allocateLoadBalancerNodePorts !== false) return ports.length
  return ports.filter(({ nodePort }) => (nodePort ?? 0) !== 0).length
}
