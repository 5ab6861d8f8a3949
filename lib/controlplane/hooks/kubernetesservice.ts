import type { ClusterIps } from '../../allocation/index.ts'
import { type ApiObject, parseIp, semanticEqual } from '../../object/index.ts'
import type { Registry, WriteContext } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ensureObject, ownContext } from './ownwrites.ts'
import type { ReplicaLeases } from './replicaleases.ts'

interface KubernetesServiceParts extends HookServices {
  readonly registry: Registry
  readonly scheme: Scheme
  /** The port on which this server listens, once it does. */
  readonly port: Promise<number>
  readonly clusterIps: ClusterIps
  /** Undefined: this replica publishes no endpoints. */
  readonly leases: ReplicaLeases | undefined
}

interface KubernetesServiceOptions {
  /** Address of this replica for the members of the cluster. */
  readonly advertised: string
  /** 0: none. */
  readonly ownNodePort: number
}

const name = 'kubernetes'
const namespace = 'default'

/** Maintains the service by which pods find this API, and its endpoints: the addresses of all replicas. */
export function createKubernetesService(parts: KubernetesServiceParts, options: KubernetesServiceOptions): Hook {
  const { leases } = parts
  /** The service has been compared with this replica's settings, which happens once. */
  let compared = false

  async function ensureService(context: WriteContext): Promise<void> {
    const service = serviceOf(parts.clusterIps, options, await parts.port)
    const { type, ports } = service['spec'] as Readonly<Record<string, unknown>>
    await ensureObject(parts, { group: '', resource: 'services' }, service, context, (existing) => {
      const spec = existing['spec'] as Readonly<Record<string, unknown>>
      // Settings of a replica that started later stay.
      if (compared || (spec['type'] === type && semanticEqual(spec['ports'], ports))) return undefined
      return { ...existing, metadata: { ...existing.metadata }, spec: { ...spec, type, ports } }
    })
    compared = true
  }

  return createHook(parts, {
    name: 'bootstrap-controller',
    repeatMs: 10_000,
    // When replicas start together, one takes the first address before its service is visible, and the others find
    // neither the address free nor the service: their next attempt succeeds.
    retry: 'before-ready',
    async run(signal) {
      const context = ownContext(signal)
      await ensureService(context)
      if (leases) await ensureEndpoints(parts, options.advertised, await leases.renew(), context)
    },
  })
}

function serviceOf(clusterIps: ClusterIps, { ownNodePort }: KubernetesServiceOptions, targetPort: number): ApiObject {
  const nodePort = ownNodePort === 0 ? {} : { nodePort: ownNodePort }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: ownNodePort === 0 ? 'ClusterIP' : 'NodePort',
      clusterIP: clusterIps.first,
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: clusterIps.families.slice(0, 1),
      sessionAffinity: 'None',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort, ...nodePort }],
    },
  }
}

/** Maintains the Endpoints and the EndpointSlice of the service. */
async function ensureEndpoints(
  parts: KubernetesServiceParts,
  advertised: string,
  addresses: readonly string[],
  context: WriteContext,
): Promise<void> {
  const ports = [{ name: 'https', port: await parts.port, protocol: 'TCP' }]
  const subsets = [{ addresses: addresses.map((ip) => ({ ip })), ports }]
  const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' }
  const endpoints: ApiObject = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels }, subsets }
  await ensureObject(parts, { group: '', resource: 'endpoints' }, endpoints, context, (existing) =>
    semanticEqual(existing['subsets'], subsets)
      ? undefined
      : { ...existing, metadata: { ...existing.metadata }, subsets },
  )
  const slice: ApiObject = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: parseIp(advertised)?.family ?? 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports,
  }
  const { endpoints: wanted } = slice
  const slices = { group: 'discovery.k8s.io', resource: 'endpointslices' }
  await ensureObject(parts, slices, slice, context, (existing) =>
    semanticEqual({ endpoints: existing['endpoints'], ports: existing['ports'] }, { endpoints: wanted, ports })
      ? undefined
      : { ...existing, metadata: { ...existing.metadata }, endpoints: wanted, ports },
  )
}
