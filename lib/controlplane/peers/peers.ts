import type { Closable } from '../../base/index.ts'
import { followCache } from '../../cache/index.ts'
import { type Credentials, hostPort, type ServiceAddress } from '../../client/index.ts'
import { type ApiObject, formatGroupVersion, type GroupVersion } from '../../object/index.ts'
import { createPeers, type Peer, type Peers } from '../../peers/index.ts'
import { createBackend, userHeaders } from '../../proxy/index.ts'
import { listEntries } from '../../registry/index.ts'
import type { ServedGroups } from '../../schema/index.ts'
import type { ApiserverConfig } from '../config.ts'
import { createHook, type Hook, type HookServices } from '../hooks/hook.ts'
import { identityLabel, identityValue } from '../hooks/identityleases.ts'
import { ownUser } from '../hooks/ownwrites.ts'
import { createReplicaLeases } from '../hooks/replicaleases.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'
import { serverId } from './serverid.ts'

/** How replicas connect to each other. */
export interface PeerSettings {
  /** --peer-advertise-ip and --peer-advertise-port; 0: the port on which this server listens. */
  readonly advertised: { readonly host: string; readonly port: number }
  /** PEM of --peer-ca-file; undefined: the system's authorities. */
  readonly ca: string | undefined
}

const leasesPrefix = '/peerserverleases/'
/** Replicas have certificates for this name. */
const serverName = 'kubernetes.default.svc'
const renewMs = 10_000
/** A replica that has not renewed its lease for this time has ended. */
const goneMs = 40_000
/**
 * Replicas learn of a definition's deletion at different times: for a while its resources don't count as another
 * replica's.
 */
const excludedMs = 5 * 60_000

/** The other replicas. Undefined without a configuration for them. */
export function openPeers(
  config: ApiserverConfig,
  services: ServerServices,
  storage: Storage,
  {
    served,
    credentials,
    isUserHeader,
  }: { served: ServedGroups; credentials: () => Credentials; isUserHeader(name: string): boolean },
  opened: AsyncDisposableStack,
): Peers | undefined {
  const { peers: settings } = config
  if (!settings) return undefined
  const { stores, scheme } = storage
  const excluded = followExcluded(services, storage, opened)
  const peers = createPeers({
    ...services,
    log: services.log.named('peers'),
    served,
    list: createLister(services, storage, serverId(config.hostName)),
    async addressOf(name) {
      const { value } = await stores.main.store.get(`${config.storagePrefix}${leasesPrefix}${name}`)
      if (!value) throw new Error(`${name} has no address`)
      return addressIn(scheme.codec({ group: '', resource: 'endpoints' }).decodeFromStorage(value.value, '0'))
    },
    connect: (address) =>
      createBackend({
        clock: services.clock,
        serverName,
        ca: settings.ca,
        credentials,
        address,
        dialer: services.egress.controlplane,
      }),
    headers: userHeaders(ownUser),
    isExcluded: excluded,
    isUserHeader,
  })
  opened.defer(() => peers.close())
  return peers
}

function addressIn(object: ApiObject): ServiceAddress {
  const [subset] =
    (object as ApiObject & { subsets?: { addresses?: { ip: string }[]; ports?: { port: number }[] }[] }).subsets ?? []
  const [host, port] = [subset?.addresses?.[0]?.ip, subset?.ports?.[0]?.port]
  if (host === undefined || port === undefined) throw new Error('the lease has no address')
  return { host, port }
}

/** Replicas by their identity leases. Only this machine's clock measures the time since a lease was renewed. */
function createLister({ clock }: ServerServices, { registry }: Storage, own: string): () => Promise<readonly Peer[]> {
  const seen = new Map<string, { renewTime: string; atMs: number }>()
  return async () => {
    const leases = registry.resource({ group: 'coordination.k8s.io', resource: 'leases' })
    if (!leases) return []
    const now = clock.monotonicMs()
    const peers: Peer[] = []
    const names = new Set<string>()
    for (const entry of await listEntries(leases, 'kube-system', { at: 'any' })) {
      if (entry.labels()[identityLabel] !== identityValue) continue
      const { metadata, spec } = entry.object() as ApiObject & {
        spec?: { holderIdentity?: string; renewTime?: string }
      }
      const { name = '' } = metadata
      const { holderIdentity: holder = '', renewTime = '' } = spec ?? {}
      names.add(name)
      const before = seen.get(name)
      if (before?.renewTime !== renewTime) seen.set(name, { renewTime, atMs: now })
      const isThere = now - (seen.get(name)?.atMs ?? now) < goneMs
      if (name !== own && holder !== '' && isThere) peers.push({ name, holder })
    }
    for (const name of seen.keys()) if (!names.has(name)) seen.delete(name)
    return peers
  }
}

/** Group versions of definitions and of other servers' APIServices, including recently deleted ones. */
function followExcluded(
  services: ServerServices,
  { registry }: Storage,
  opened: AsyncDisposableStack,
): (at: GroupVersion) => boolean {
  const { clock } = services
  const byObject = new Map<string, readonly string[]>()
  const uses = new Map<string, { count: number; untilMs: number }>()
  const put = (key: string, found: readonly string[]): void => {
    for (const at of found) {
      const use = uses.get(at) ?? { count: 0, untilMs: 0 }
      use.count++
      uses.set(at, use)
    }
    for (const at of byObject.get(key) ?? []) {
      const use = uses.get(at)
      if (!use) continue
      use.count--
      use.untilMs = clock.monotonicMs() + excludedMs
    }
    if (found.length > 0) byObject.set(key, found)
    else byObject.delete(key)
  }
  const sources = [
    { resource: { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }, of: definedVersions },
    { resource: { group: 'apiregistration.k8s.io', resource: 'apiservices' }, of: remoteVersions },
  ]
  for (const { resource, of } of sources) {
    const stored = registry.resource(resource)
    if (!stored) continue
    const follower: Closable = followCache(services, stored.cache, {
      set: (object) => put(`${resource.resource}/${object.metadata.name}`, of(object)),
      remove: (_namespace, name) => put(`${resource.resource}/${name}`, []),
    })
    opened.defer(() => follower.close())
  }
  return (at) => {
    const use = uses.get(formatGroupVersion(at))
    return use !== undefined && (use.count > 0 || clock.monotonicMs() < use.untilMs)
  }
}

function definedVersions(object: ApiObject): string[] {
  const { group = '', versions = [] } = (object['spec'] ?? {}) as { group?: string; versions?: { name: string }[] }
  return versions.map(({ name }) => formatGroupVersion({ group, version: name }))
}

function remoteVersions(object: ApiObject): string[] {
  const {
    group = '',
    version = '',
    service,
  } = (object['spec'] ?? {}) as { group?: string; version?: string; service?: object }
  return service ? [formatGroupVersion({ group, version })] : []
}

/** Publishes this replica's address for the other replicas, until it stops. */
export function createPeerEndpoints(
  services: HookServices & { readonly port: Promise<number> },
  { stores, scheme }: Storage,
  { storagePrefix, hostName }: ApiserverConfig,
  { advertised }: PeerSettings,
): Hook {
  const name = serverId(hostName)
  const leases = createReplicaLeases(
    { ...services, store: stores.main.store, scheme },
    {
      prefix: `${storagePrefix}${leasesPrefix}`,
      name,
      lease: async () => ({
        labels: { apiserverIdentity: name },
        subsets: [
          {
            addresses: [{ ip: advertised.host }],
            ports: [{ name: 'https', port: advertised.port || (await services.port), protocol: 'TCP' }],
          },
        ],
      }),
    },
  )
  const hook = createHook(services, {
    name: 'peer-endpoint-reconciler-controller',
    repeatMs: renewMs,
    retry: 'in-background',
    run: async () => void (await leases.renew()),
  })
  return {
    ...hook,
    async close() {
      await hook.close()
      await leases.close()
    },
  }
}

/** `host:port`, once it is known. */
export async function advertisedTo(
  { advertised: { host, port } }: PeerSettings,
  listening: Promise<number>,
): Promise<string> {
  return hostPort({ host, port: port || (await listening) })
}
