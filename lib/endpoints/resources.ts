import type { Admission } from '../admission/index.ts'
import type { FieldOwnership } from '../apply/index.ts'
import type { Authorizer } from '../authz/index.ts'
import type { Clock, Metrics, Random, Tracer } from '../base/index.ts'
import type { Entry } from '../cache/index.ts'
import { newestRelease, type Release } from '../features/index.ts'
import type { KindDefinition } from '../kinds/index.ts'
import { type GroupVersionKind, type GroupVersionResource, statusErrors } from '../object/index.ts'
import type { Registry, ResourceRegistry } from '../registry/index.ts'
import {
  type Call,
  createNegotiator,
  type Format,
  formatMediaTypes,
  type Negotiator,
  type RequestInfo,
  sendNoSuchPath,
} from '../request/index.ts'
import type { PublishedSchema, ResourceTable, ServedGroups } from '../schema/index.ts'
import type { ObjectCodec, Scheme } from '../scheme/index.ts'
import { createBatches } from './answer/batch.ts'
import { deprecationOf, deprecationText } from './answer/deprecation.ts'
import { createEncodingIds } from './answer/encodingids.ts'
import { createTableForms } from './answer/tableframes.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import type { EndpointServices } from './endpointservices.ts'
import type { LargeWork } from './largework.ts'
import { route } from './route.ts'
import { warnUnserved } from './unserved.ts'
import type { VirtualHandler, VirtualKit } from './virtual/virtualhandler.ts'
import { callVirtual, createVirtualKit } from './virtual/virtualhandler.ts'

interface ResourcesDependencies {
  readonly scheme: Scheme
  readonly registry: Registry
  readonly admission: Admission
  /** Authorizes a request that turns out to be a creation; the request itself has been authorized. */
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
  /** Absent: field ownership is not tracked, and apply is refused. */
  readonly ownership?: FieldOwnership
  /** Absent: large objects are processed here, too. */
  readonly largeWork?: LargeWork | undefined
}

export interface ResourcesOptions {
  /** Gets the mounted resources. */
  readonly served: ServedGroups
  /** Default 1800. */
  readonly minRequestTimeoutSeconds?: number
  /** The release that determines deprecations. Default: the newest. */
  readonly release?: Release | undefined
  /** True when a feature gate is on: WatchList, CBORServingAndStorage. */
  gate(name: string): boolean
  /** Handlers of resources that are not stored, and of subresources that are no part of their object. */
  readonly virtual?: readonly VirtualHandler[]
  /**
   * Waits for a resource that is not mounted; undefined where there is nothing to wait for. This replica may not have
   * mounted a definition yet that another one has accepted.
   */
  readonly missing?: (info: RequestInfo) => Promise<void> | undefined
  /** Resources that are read like others, but are not in the registry. */
  readonly computed?: readonly ResourceRegistry[]
}

/** A served resource that is not a built-in one. */
interface MountedResource {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly table: ResourceTable
  readonly registry: ResourceRegistry
  /** Decodes and encodes its objects; absent: the scheme's tables have the resource. */
  readonly codec?: ObjectCodec
  /** Columns, scale and selectable fields of this version; absent: those of the registry's kind. */
  readonly kind?: KindDefinition
  /** The warning for users of a deprecated version; absent: the table's own. */
  readonly deprecation?: string
  /** The OpenAPI schema of a kind that no table has. */
  readonly published?: PublishedSchema
  /** The current stored definition of a custom resource. */
  readonly definedBy?: () => Entry
  /** The table in discovery and OpenAPI; false: they omit the resource. Default: `table`. */
  readonly listed?: ResourceTable | false
}

/** Everything below /api and /apis. */
export interface Resources {
  /** Answers, or throws a StatusError that the server answers. */
  handle(call: Call): void | Promise<void>
  /** Whether group, version, resource and subresource are known; ignores the rest of the path. */
  serves(info: RequestInfo): boolean
  /** The endpoint of a stored resource. */
  endpoint(gvr: GroupVersionResource): Endpoint | undefined
  /** Adds a resource while the server runs, or replaces one of the same name. */
  mount(resource: MountedResource): void
  unmount(gvr: GroupVersionResource): void
}

interface Place {
  endpoint: Endpoint | undefined
  /** Handlers by subresource; '' is the resource itself. */
  readonly virtual: Map<string, VirtualHandler>
}

export function createResources(dependencies: ResourcesDependencies, options: ResourcesOptions): Resources {
  const { scheme, registry } = dependencies
  const encodingIds = createEncodingIds()
  const services = servicesOf(dependencies, options)
  const negotiators = createNegotiators(options.gate('CBORServingAndStorage'))
  const kit: VirtualKit = createVirtualKit(services, negotiators.ofAllFormats)
  const places = new Map<string, Map<string, Place>>()

  function placeOf({ group, version, resource }: GroupVersionResource): Place {
    const groupVersion = `${group}/${version}`
    let resources = places.get(groupVersion)
    if (!resources) places.set(groupVersion, (resources = new Map()))
    let place = resources.get(resource)
    if (!place) resources.set(resource, (place = { endpoint: undefined, virtual: new Map() }))
    return place
  }

  const deprecatedUse = dependencies.metrics.gauge({
    name: 'apiserver_requested_deprecated_apis',
    help: 'Set to 1 for deprecated versions that were requested, with the release that removes them.',
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    stability: 'STABLE',
    past: true,
  })

  function endpointOf(resource: MountedResource): Endpoint {
    const { gvr, gvk, table, registry: stored } = resource
    const codec = resource.codec ?? scheme.codec(gvr)
    return createEndpoint(
      {
        gvr,
        gvk,
        table,
        registry: stored,
        codec,
        kind: resource.kind ?? stored.kind,
        negotiator: negotiators.of(codec),
        deprecation:
          resource.deprecation === undefined
            ? deprecationOf({ gvr, gvk, table }, options.release ?? newestRelease, deprecatedUse)
            : deprecationText({ gvr, removed: '' }, resource.deprecation, deprecatedUse),
        definedBy: resource.definedBy,
      },
      scheme,
      // The next resource of the same name may have another codec.
      resource.codec ? encodingIds.unnamed() : encodingIds,
    )
  }

  function computedOf({ group, resource }: GroupVersionResource): ResourceRegistry | undefined {
    return options.computed?.find(({ definition: { gvr } }) => gvr.group === group && gvr.resource === resource)
  }

  function find({ apiPrefix, group, version, resource }: RequestInfo): Place | undefined {
    // `/apis//v1/…` is not the core group, although its name is empty, too.
    if ((group === '') !== (apiPrefix === 'api')) return undefined
    return places.get(`${group}/${version}`)?.get(resource)
  }

  function serves(info: RequestInfo): boolean {
    const place = find(info)
    const { subresource } = info
    if (place === undefined || subresource === '' || place.virtual.has(subresource)) return place !== undefined
    return Object.hasOwn(place.endpoint?.table.subresources ?? {}, subresource)
  }

  for (const group of options.served.list()) {
    for (const { version, resources } of group.versions) {
      for (const { plural, table } of resources) {
        const gvr = { group: group.name, version, resource: plural }
        const gvk = { group: group.name, version, kind: table.kind }
        const stored = registry.resource(gvr) ?? computedOf(gvr)
        if (stored) placeOf(gvr).endpoint = endpointOf({ gvr, gvk, table, registry: stored })
      }
    }
  }
  for (const handler of options.virtual ?? []) placeOf(handler.gvr).virtual.set(handler.subresource, handler)

  function handle(call: Call, isLast = false): void | Promise<void> {
    const { info } = call
    const place = find(info)
    if (!place) {
      const pending = isLast ? undefined : options.missing?.(info)
      if (pending) return pending.then(() => handle(call, true))
      warnUnserved(call, scheme)
      // Unknown paths of a served group get a Status, also in versions that it does not have.
      if (info.apiPrefix === (info.group === '' ? 'api' : 'apis') && options.served.group(info.group))
        throw statusErrors.noSuchResource()
      return sendNoSuchPath(call)
    }
    const handler = place.virtual.size > 0 ? place.virtual.get(info.subresource) : undefined
    if (handler) return callVirtual(handler, call, kit)
    if (!place.endpoint) throw statusErrors.noSuchResource()
    if (place.endpoint.deprecation && serves(info)) place.endpoint.deprecation.note(call)
    return route(call, place.endpoint, services)
  }

  return {
    handle: (call) => handle(call),
    serves,
    endpoint: ({ group, version, resource }) => places.get(`${group}/${version}`)?.get(resource)?.endpoint,
    mount(resource) {
      const { gvr, table, published, listed = table } = resource
      placeOf(gvr).endpoint = endpointOf(resource)
      if (listed) options.served.put(gvr, { plural: gvr.resource, table: listed, ...(published && { published }) })
      else options.served.remove(gvr)
    },
    unmount(gvr) {
      options.served.remove(gvr)
      const resources = places.get(`${gvr.group}/${gvr.version}`)
      resources?.delete(gvr.resource)
      if (resources?.size === 0) places.delete(`${gvr.group}/${gvr.version}`)
    },
  }
}

function servicesOf(dependencies: ResourcesDependencies, options: ResourcesOptions): EndpointServices {
  const { scheme, admission, authorizer, clock, random, metrics, ownership, tracer, largeWork } = dependencies
  const labels = ['group', 'resource', 'version']
  return {
    kindCodec: scheme.objects,
    admission,
    authorizer,
    clock,
    random,
    tracer,
    ownership,
    largeWork,
    minRequestTimeoutSeconds: options.minRequestTimeoutSeconds ?? 1800,
    watchList: options.gate('WatchList'),
    shards: options.gate('ShardedListAndWatch'),
    unsafeDeletion: options.gate('AllowUnsafeMalformedObjectDeletion'),
    batches: createBatches(),
    tableForms: createTableForms({ kindCodec: scheme.objects, clock }),
    comparisons: metrics.histogram({
      name: 'apiserver_request_timestamp_comparison_time',
      help: 'Duration of comparing updates with stored objects, in seconds.',
      labels: ['code_path'],
      buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
      stability: 'ALPHA',
    }),
    watchMetrics: {
      events: metrics.counter({
        name: 'apiserver_watch_events_total',
        help: 'Events sent to watching clients.',
        labels,
        stability: 'ALPHA',
      }),
      sizes: metrics.histogram({
        name: 'apiserver_watch_events_sizes',
        help: 'Sizes in bytes of events sent to watching clients.',
        labels,
        buckets: [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072],
        stability: 'ALPHA',
      }),
      untilSynced: metrics.histogram({
        name: 'apiserver_watch_list_duration_seconds',
        help: 'Time from a request to the bookmark that ends the initial events of its watch, in seconds.',
        labels: ['group', 'resource', 'scope', 'version'],
        buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
        stability: 'BETA',
      }),
      sharded: options.gate('ShardedListAndWatch')
        ? metrics.gauge({
            name: 'apiserver_watch_shards_total',
            help: 'Open watches of a shard of a collection.',
            labels: ['group', 'resource'],
            stability: 'ALPHA',
          })
        : undefined,
    },
  }
}

interface Negotiators {
  readonly ofAllFormats: Negotiator
  of(codec: ObjectCodec): Negotiator
}

function createNegotiators(cbor: boolean): Negotiators {
  const all: readonly Format[] = ['json', 'yaml', 'protobuf', ...(cbor ? (['cbor'] as const) : [])]
  const streamable = (formats: readonly Format[]): Format[] => formats.filter((format) => format !== 'yaml')
  const ofAllFormats = createNegotiator({ formats: all, streamFormats: streamable(all), transforms: true })
  return {
    ofAllFormats,
    of({ capabilities: { mediaTypes } }) {
      const formats = all.filter((format) => mediaTypes.includes(formatMediaTypes[format]))
      if (formats.length === all.length) return ofAllFormats
      const metadataFormats = all.filter((format) => !formats.includes(format))
      const streamFormats = streamable(formats)
      return createNegotiator({ formats, streamFormats, transforms: true, metadataFormats })
    },
  }
}
