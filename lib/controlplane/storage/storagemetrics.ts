import type { Clock, Closable, Logger, Metrics } from '../../base/index.ts'
import { formatGroupResource, type GroupResource, noRevision } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { DescribeKey, Store, StoreMember } from '../../storage/index.ts'
import type { OpenStores } from './stores.ts'

/**
 * The amount of stored data, under the names that dashboards use: objects of each resource and their bytes, counted at
 * scrape, and bytes of each store, read with its members at the start and every `sizePeriodMs` (0: never).
 */
export function recordStorage(
  { clock, log, metrics }: { clock: Clock; log: Logger; metrics: Metrics },
  { main, overrides }: Pick<OpenStores, 'main' | 'overrides'>,
  registry: Registry,
  { sizePeriodMs }: { sizePeriodMs: number },
): Closable {
  countObjects(metrics, registry)
  const sizes = metrics.gauge({
    name: 'apiserver_storage_size_bytes',
    help: 'Size of the store in bytes',
    labels: ['storage_cluster_id'],
    stability: 'STABLE',
  })
  const stores = [main, ...overrides].map(({ store }, index) => ({ store, id: `${store.name}-${index}` }))
  exposeCompactions(metrics, stores)
  const recordMembers = createMemberMetrics(metrics)
  const measure = async (): Promise<void> => {
    await Promise.all(
      stores.map(async ({ store, id }) => {
        const members = await store.members()
        const answering = members.find(({ bytes }) => bytes !== undefined)
        if (answering?.bytes !== undefined) sizes.set([id], answering.bytes)
        // The other stores are files of this process.
        if (store.name === 'etcd') recordMembers(id, members)
      }),
    )
  }
  const tryToMeasure = (): void =>
    void measure().catch((error: unknown) => log.verbose(2, 'the size of the store is not known', { error }))
  if (sizePeriodMs === 0) return { close: () => undefined }
  tryToMeasure()
  return clock.every(sizePeriodMs, tryToMeasure)
}

/** A metric of each store by its id; nothing of one that knows of no compaction. */
function exposeCompactions(metrics: Metrics, stores: readonly { readonly store: Store; readonly id: string }[]): void {
  metrics
    .gauge({
      name: 'pilothouse_store_compacted_revision',
      help: 'Newest revision that is known to be compacted',
      labels: ['storage_cluster_id'],
      across: 'max',
      stability: 'ALPHA',
    })
    .collect(() =>
      stores.flatMap(({ store, id }) => {
        const value = store.compactedRevision()
        return value === noRevision ? [] : [{ labels: [id], value }]
      }),
    )
}

interface KnownMember extends StoreMember {
  /** When it last answered; undefined: it never did. */
  readonly lastBytes: number | undefined
}

/**
 * Endpoints are those of `--etcd-servers`, and of the other members that the cluster lists; they hold no credentials. One
 * that is no longer listed is no longer shown.
 */
function createMemberMetrics(metrics: Metrics): (id: string, members: readonly StoreMember[]) => void {
  const known = new Map<string, readonly KnownMember[]>()
  const show = (name: string, help: string, valueOf: (member: KnownMember) => number | undefined): void =>
    metrics
      .gauge({ name, help, labels: ['storage_cluster_id', 'endpoint'], across: 'max', stability: 'ALPHA' })
      .collect(function* () {
        for (const [id, members] of known)
          for (const member of members) {
            const value = valueOf(member)
            if (value !== undefined) yield { labels: [id, member.endpoint], value }
          }
      })
  show('pilothouse_store_member_up', 'Whether a server of etcd answers; 0: no', ({ bytes }) =>
    Number(bytes !== undefined),
  )
  show('pilothouse_store_member_is_leader', 'Whether a server of etcd leads its cluster; 0: no', ({ isLeader }) =>
    Number(isLeader),
  )
  show(
    'pilothouse_store_member_size_bytes',
    'Size of the database of a server of etcd when it last answered',
    ({ lastBytes }) => lastBytes,
  )
  return (id, members) => {
    const before = new Map(known.get(id)?.map(({ endpoint, lastBytes }) => [endpoint, lastBytes]))
    known.set(
      id,
      members.map((member) => ({ ...member, lastBytes: member.bytes ?? before.get(member.endpoint) })),
    )
  }
}

function countObjects(metrics: Metrics, registry: Registry): void {
  const counts = function* (of: 'size' | 'storedBytes' = 'size'): Iterable<{ resource: GroupResource; value: number }> {
    // Views show objects of another resource, which are counted there.
    for (const { cache, definition, kind } of registry.resources)
      if (!kind.viewOf) yield { resource: definition.gvr, value: cache.ready ? cache[of] : -1 }
  }
  const help = 'Objects of each resource that are stored; -1: not known yet'
  metrics
    .gauge({ name: 'apiserver_storage_objects', help, labels: ['resource'], stability: 'STABLE' })
    .collect(() => Array.from(counts(), ({ resource, value }) => ({ labels: [formatGroupResource(resource)], value })))
  const byGroup = (name: string, text: string, of: 'size' | 'storedBytes'): void =>
    metrics
      .gauge({ name, help: text, labels: ['group', 'resource'], stability: 'ALPHA' })
      .collect(() =>
        Array.from(counts(of), ({ resource, value }) => ({ labels: [resource.group, resource.resource], value })),
      )
  byGroup('apiserver_resource_objects', help, 'size')
  byGroup('apiserver_resource_size_estimate_bytes', 'Bytes of these objects; -1: not known yet', 'storedBytes')
}

const nothing: GroupResource = { group: '', resource: '' }

/** Keys of custom resources begin with their group, a domain, and their plural name. */
function customResource(prefix: string): GroupResource | undefined {
  const [group = '', resource = ''] = prefix.split('/')
  return group.includes('.') && resource !== '' ? { group, resource } : undefined
}

/**
 * Names the resource of a key, for metrics of requests to etcd. Keys outside of the scheme's resources have empty
 * names.
 */
export function createKeyDescriber(scheme: Scheme, storagePrefix: string): DescribeKey {
  const byPrefix = new Map<string, GroupResource>()
  // When several resources share one prefix, the others are views of the first.
  for (const { gvr, storage } of scheme.resources)
    if (storage && !byPrefix.has(storage.prefix))
      byPrefix.set(storage.prefix, { group: gvr.group, resource: gvr.resource })
  const start = storagePrefix.length + 1
  return (key) => {
    const first = key.indexOf('/', start)
    const one = byPrefix.get(key.slice(start, first < 0 ? undefined : first))
    if (one || first < 0) return one ?? nothing
    // Some prefixes have two parts: `services/specs`.
    const second = key.indexOf('/', first + 1)
    const prefix = key.slice(start, second < 0 ? undefined : second)
    return byPrefix.get(prefix) ?? customResource(prefix) ?? nothing
  }
}
