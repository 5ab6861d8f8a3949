import type * as v1 from '../../../api/gen/core/v1.ts'
import type { Registry } from '../../registry/index.ts'
import type { ResolveService } from './webhook.ts'

/** Finds services by the addresses that the cluster gave them. */
export function createServiceResolver(registry: Registry): ResolveService {
  return ({ namespace, name, port }) => {
    const services = registry.resource({ group: '', resource: 'services' })
    const found = services?.cache.peek(services.target(namespace, name).key)?.object()
    if (!found) throw new Error(`service ${JSON.stringify(name)} not found`)
    const { type, externalName = '', clusterIP = '', ports = [] } = (found as unknown as v1.Service).spec ?? {}
    if (type === 'ExternalName') return `${externalName}:${port}`
    if (!ports.some((one) => one.port === port))
      throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
    if (clusterIP === '' || clusterIP === 'None')
      throw new Error(`cannot route to service with ClusterIP ${JSON.stringify(clusterIP)}`)
    return `${clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP}:${port}`
  }
}
