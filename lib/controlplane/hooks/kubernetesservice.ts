import {
  type ClusterIps,
  countAddresses,
  createAddressMaps,
  createAddressMetrics,
  createClusterIps,
  createNodePorts,
  createPortMetrics,
  createRepair,
  createRepairMetrics,
  createServiceHooks,
} from '../../allocation/index.ts'
import type { Clock, Closable, Logger, Metrics, Random } from '../../base/index.ts'
import {
  type ApiObject,
  type Cidr,
  formatCidr,
  formatTime,
  isLoopback,
  parseIp,
  semanticEqual,
  StatusError,
} from '../../object/index.ts'
import type { Registry, ResourceRegistry, WriteContext } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { PostStartHook } from '../../server/index.ts'
import type { Store } from '../../storage/index.ts'
import { createReplicaLeases, type ReplicaLeases } from './replicaleases.ts'
import { ownContext } from '../ownwrites.ts'

/** What services are given, and how pods find this API. */
export interface ServicesConfig {
  /** Of cluster addresses, the primary one first; one of each family at most. */
  readonly blocks: readonly Cidr[]
  /** Ports of the nodes, both inclusive. */
  readonly nodePorts: { readonly first: number; readonly last: number }
  /** Address of this replica for the members of the cluster. */
  readonly advertised: string
  /** False: somebody else keeps the endpoints of the service `kubernetes`. */
  readonly keepsEndpoints: boolean
  /** Node port of the service `kubernetes`; 0: none. */
  readonly ownNodePort: number
}

export interface ServiceParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly registry: Registry
  readonly scheme: Scheme
  readonly store: Store
  /** True when a feature gate is on. */
  gate(name: string): boolean
  /** Where this server listens, once it does. */
  readonly port: Promise<number>
}

const name = 'kubernetes'
const namespace = 'default'
const firstRetryMs = 100
const refreshMs = 10_000
const repairMs = 180_000

/** Hands out what services need, and keeps the service `kubernetes` with the endpoints of all replicas. */
export function composeServices(
  config: ServicesConfig,
  storagePrefix: string,
  parts: ServiceParts,
): { hooks: readonly PostStartHook[]; close(): Promise<void> } {
  const { clock, random, log, registry, scheme, store } = parts
  const closing = new AbortController()
  const context = ownContext()
  const { first, last } = config.nodePorts
  const { blocks } = config
  const maps = parts.gate('DisableAllocatorDualWrite')
    ? undefined
    : createAddressMaps({ store, scheme, random }, { blocks, prefix: storagePrefix })
  const addressMetrics = createAddressMetrics(parts.metrics)
  const clusterIps = createClusterIps({ registry, clock, random, context, metrics: addressMetrics, maps }, { blocks })
  const counts = countAddresses({ registry, clock, log, metrics: addressMetrics }, clusterIps)
  const nodePorts = createNodePorts(
    { store, scheme, random, metrics: createPortMetrics(parts.metrics) },
    { range: { base: first, size: last - first + 1 }, key: `${storagePrefix}/ranges/servicenodeports` },
  )
  registry
    .resource({ group: '', resource: 'services' })
    ?.hook(createServiceHooks({ registry, clusterIps, nodePorts, context, log }))
  const repair = createRepair({
    registry,
    nodePorts,
    clock,
    context,
    maps,
    metrics: createRepairMetrics(parts.metrics),
  })
  const address = parseIp(config.advertised)
  // Endpoints can't be on a machine's own loopback.
  const leases =
    config.keepsEndpoints && address && !isLoopback(address)
      ? createReplicaLeases({ store, scheme }, { prefix: `${storagePrefix}/masterleases/`, address: config.advertised })
      : undefined
  const keeper = createKeeper(config, parts, context, clusterIps, leases)
  const timers: Closable[] = []

  /**
   * Runs now, until it has worked once, and then from time to time. Failures pass: of replicas that start together one
   * has the first address before its service is there to be seen, and the others find neither free.
   */
  function repeating(hook: string, periodMs: number, run: () => Promise<void>): PostStartHook {
    return {
      name: hook,
      async run() {
        for (let pauseMs = firstRetryMs; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, refreshMs))
          try {
            await run()
            break
          } catch (error) {
            if (closing.signal.aborted) return
            log.warn(`${hook} failed and is tried again`, { error, retryMs: pauseMs })
            await clock.sleep(pauseMs, closing.signal).catch(() => undefined)
          }
        if (closing.signal.aborted) return
        const again = (): void => {
          run().catch((error: unknown) => {
            if (!closing.signal.aborted) log.warn(`${hook} failed and is tried again`, { error })
          })
        }
        timers.push(clock.every(periodMs, again))
      },
    }
  }

  return {
    hooks: [
      repeating('start-kubernetes-service-cidr-controller', refreshMs, () => keeper.ensureBlocks()),
      repeating('start-service-ip-repair-controllers', repairMs, () => repair.run()),
      repeating('bootstrap-controller', refreshMs, () => keeper.ensureService()),
    ],
    async close() {
      closing.abort(new Error('the server stops'))
      await counts.close()
      for (const timer of timers) await timer.close()
      await leases?.close()
    },
  }
}

function createKeeper(
  config: ServicesConfig,
  { clock, registry, scheme, port }: ServiceParts,
  context: WriteContext,
  clusterIps: ClusterIps,
  leases: ReplicaLeases | undefined,
): { ensureBlocks(): Promise<void>; ensureService(): Promise<void> } {
  /** The service has been compared with this replica's settings, which happens once. */
  let compared = false

  /** Creates the object, or changes the one that is there by `change`; undefined: it is fine as it is. */
  async function ensure(
    group: string,
    resource: string,
    object: ApiObject,
    change: (existing: ApiObject) => ApiObject | undefined,
  ): Promise<void> {
    const own = registry.resource({ group, resource })
    if (!own) return
    const target = own.target(object.metadata.namespace ?? '', object.metadata.name ?? '')
    const existing = own.cache.peek(target.key)?.object()
    if (!existing && (await created(own, object))) return
    if (!existing || !change(existing)) return
    const transform = (found: { readonly object: ApiObject } | undefined): ApiObject => {
      const changed = found && change(found.object)
      if (!changed) return found?.object ?? object
      const whole = structuredClone(changed)
      scheme.applyDefaults(whole)
      return whole
    }
    await own.update(target, { subresource: '', transform }, context)
  }

  async function created(own: ResourceRegistry, object: ApiObject): Promise<boolean> {
    scheme.applyDefaults(object)
    try {
      await own.create(object, context)
      return true
    } catch (error) {
      // Another replica was first, or this one's cache is behind.
      if (error instanceof StatusError && error.reason === 'AlreadyExists') return false
      throw error
    }
  }

  async function ensureEndpoints(addresses: readonly string[]): Promise<void> {
    const ports = [{ name: 'https', port: await port, protocol: 'TCP' }]
    const subsets = [{ addresses: addresses.map((ip) => ({ ip })), ports }]
    const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' }
    const endpoints: ApiObject = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels }, subsets }
    await ensure('', 'endpoints', endpoints, (existing) =>
      semanticEqual(existing['subsets'], subsets)
        ? undefined
        : { ...existing, metadata: { ...existing.metadata }, subsets },
    )
    const slice: ApiObject = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
      addressType: parseIp(config.advertised)?.family ?? 'IPv4',
      endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      ports,
    }
    const { endpoints: wanted } = slice
    await ensure('discovery.k8s.io', 'endpointslices', slice, (existing) =>
      semanticEqual({ endpoints: existing['endpoints'], ports: existing['ports'] }, { endpoints: wanted, ports })
        ? undefined
        : { ...existing, metadata: { ...existing.metadata }, endpoints: wanted, ports },
    )
  }

  return {
    ensureBlocks() {
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: '',
        message: 'Kubernetes default Service CIDR is ready',
        lastTransitionTime: formatTime(clock.now()),
      }
      const blocks: ApiObject = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        metadata: { name },
        spec: { cidrs: config.blocks.map(formatCidr) },
        status: { conditions: [ready] },
      }
      return ensure('networking.k8s.io', 'servicecidrs', blocks, () => undefined)
    },
    async ensureService() {
      const { ownNodePort } = config
      const type = ownNodePort === 0 ? 'ClusterIP' : 'NodePort'
      const nodePort = ownNodePort === 0 ? {} : { nodePort: ownNodePort }
      const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: await port, ...nodePort }]
      const service: ApiObject = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
        spec: {
          type,
          clusterIP: clusterIps.first,
          ipFamilyPolicy: 'SingleStack',
          ipFamilies: clusterIps.families.slice(0, 1),
          sessionAffinity: 'None',
          ports,
        },
      }
      await ensure('', 'services', service, (existing) => {
        const spec = existing['spec'] as Readonly<Record<string, unknown>>
        // What another replica has been started with later stays.
        if (compared || (spec['type'] === type && semanticEqual(spec['ports'], ports))) return undefined
        return { ...existing, metadata: { ...existing.metadata }, spec: { ...spec, type, ports } }
      })
      compared = true
      if (leases) await ensureEndpoints(await leases.renew())
    },
  }
}
