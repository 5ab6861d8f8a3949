import type * as core from '../../../api/gen/core/v1.ts'
import type * as discovery from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { HookClientsDependencies } from '../../admission/index.ts'
import { quote } from '../../object/index.ts'
import { listObjects, type Registry } from '../../registry/index.ts'

type Resolve = HookClientsDependencies['resolve']

/**
 * Where a service is reached, as the caches know it: its cluster address, or with `toEndpoints` one of its ready
 * endpoints, which need no proxy on this machine.
 */
export function createServiceResolver(registry: Registry, toEndpoints: boolean): Resolve {
  return ({ namespace, name, port }) => {
    const service = find(registry, namespace, name)
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec ?? {}
    if (type === 'ExternalName') return { host: externalName, port }
    const known = ports.find((one) => one.port === port)
    if (!known) throw new Error(`no service port ${port} found for service ${quote(name)}`)
    if (toEndpoints) return endpointOf(registry, namespace, name, known.name ?? '')
    if (clusterIP === '' || clusterIP === 'None')
      throw new Error(`cannot route to service with ClusterIP ${quote(clusterIP)}`)
    return { host: clusterIP, port }
  }
}

function find(registry: Registry, namespace: string, name: string): core.Service {
  const stored = registry.resource({ group: '', resource: 'services' })
  const entry = stored?.cache.peek(stored.target(namespace, name).key)
  if (!entry) throw new Error(`service ${quote(name)} not found`)
  return entry.object() as unknown as core.Service
}

async function endpointOf(
  registry: Registry,
  namespace: string,
  name: string,
  portName: string,
): Promise<{ host: string; port: number }> {
  const stored = registry.resource({ group: 'discovery.k8s.io', resource: 'endpointslices' })
  const found: { host: string; port: number }[] = []
  for (const object of await listObjects(stored, namespace, { at: 'any' })) {
    const slice = object as unknown as discovery.EndpointSlice
    if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue
    const port = slice.ports?.find((one) => (one.name ?? '') === portName)?.port
    if (port === undefined) continue
    for (const { addresses = [], conditions } of slice.endpoints ?? [])
      if (conditions?.ready !== false && addresses[0] !== undefined) found.push({ host: addresses[0], port })
  }
  const [first] = found
  if (!first) throw new Error(`no endpoints available for service ${quote(name)}`)
  return first
}
