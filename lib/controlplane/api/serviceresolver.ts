import type * as core from '../../../api/gen/core/v1.ts'
import type * as discovery from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { Random } from '../../base/index.ts'
import type { ResolveService, ServiceAddress } from '../../client/index.ts'
import { quote } from '../../object/index.ts'
import { listObjects, type Registry } from '../../registry/index.ts'

interface ResolverOptions {
  /** Chooses among endpoints, so that each gets its share. */
  readonly random: Random
  /** --enable-aggregator-routing. */
  readonly toEndpoints: boolean
}

/**
 * The address of a service from the caches: its cluster address, or with `toEndpoints` one of its ready endpoints,
 * which need no proxy on this machine.
 */
export function createServiceResolver(registry: Registry, { random, toEndpoints }: ResolverOptions): ResolveService {
  return ({ namespace, name, port }) => {
    const service = find(registry, namespace, name)
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec ?? {}
    if (type === 'ExternalName') return { host: externalName, port }
    const known = ports.find((one) => one.port === port)
    if (!known) throw new Error(`no service port ${port} found for service ${quote(name)}`)
    if (toEndpoints) return endpointOf(registry, random, namespace, name, known.name ?? '')
    if (clusterIP === '' || clusterIP === 'None')
      throw new Error(`cannot route to service with ClusterIP ${quote(clusterIP)}`)
    return { host: clusterIP, port }
  }
}

function find(registry: Registry, namespace: string, name: string): core.Service {
  const stored = registry.resource({ group: '', resource: 'services' })
  const entry = stored?.cache.peek(stored.target(namespace, name).key)
  if (!entry) throw new Error(`service ${quote(name)} not found`)
  return entry.object() as core.Service
}

async function endpointOf(
  registry: Registry,
  random: Random,
  namespace: string,
  name: string,
  portName: string,
): Promise<ServiceAddress> {
  const stored = registry.resource({ group: 'discovery.k8s.io', resource: 'endpointslices' })
  const found: ServiceAddress[] = []
  for (const object of await listObjects(stored, namespace, { at: 'any' })) {
    const slice = object as discovery.EndpointSlice
    if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue
    const port = slice.ports?.find((one) => (one.name ?? '') === portName)?.port
    if (port === undefined) continue
    for (const { addresses = [], conditions } of slice.endpoints ?? [])
      if (conditions?.ready !== false && addresses[0] !== undefined) found.push({ host: addresses[0], port })
  }
  const chosen = found[random.below(found.length)]
  if (!chosen) throw new Error(`no endpoints available for service ${quote(name)}`)
  return chosen
}
