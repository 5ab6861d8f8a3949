import type * as core from '../../api/gen/core/v1.ts'
import type * as discovery from '../../api/gen/discovery.k8s.io/v1.ts'
import type { Clock, Closable, Counter, Logger, Metrics, Random } from '../base/index.ts'
import { type Entry, type Follower, followCache } from '../cache/index.ts'
import type { Credentials, ResolveService } from '../client/index.ts'
import type { ListedGroup } from '../discovery/index.ts'
import type { Dialer } from '../egress/index.ts'
import { type ApiObject, copyObject, deepEqual, formatTime, StatusError } from '../object/index.ts'
import type { RemoteDocuments } from '../openapi/index.ts'
import { sendText } from '../proxy/index.ts'
import {
  ignoreRefusal,
  listObjects,
  type Registry,
  type ResourceRegistry,
  type WriteContext,
} from '../registry/index.ts'
import { type Call, plainDeletion } from '../request/index.ts'
import type { ServedGroups } from '../schema/index.ts'
import {
  type ApiService,
  type Availability,
  apiServicesResource,
  asApiService,
  automanagedLabel,
  groupVersionOf,
  serviceName,
  specOf,
  withAvailability,
} from './apiservice.ts'
import { type BackendObjects, checkObjects } from './availability.ts'
import { passToBackend } from './passtobackend.ts'
import { type GroupPriorities, mergeGroups } from './priorities.ts'
import { planRegistrations } from './registration.ts'
import { RemoteService } from './remoteservice.ts'

export interface AggregationDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly registry: Registry
  /** This server's own group versions. */
  readonly served: ServedGroups
  readonly resolve: ResolveService
  /** Opens connections to services through a proxy; absent: they are direct. */
  readonly dialer?: Dialer | undefined
  /** The certificate by which backends trust this server's statements about users. */
  credentials(): Credentials
  /** The user of the server's own writes. */
  context(signal: AbortSignal): WriteContext
  applyDefaults(object: ApiObject): void
}

export interface AggregationOptions {
  /** --aggregator-reject-forwarding-redirect. */
  readonly rejectsRedirects: boolean
  readonly priorities: ReadonlyMap<string, GroupPriorities>
  /** Whether a header (in lower case) names users by this server's configuration of front proxies. */
  isUserHeader(name: string): boolean
}

/** The API servers behind this one. */
export interface Aggregation extends Closable {
  /** The initial APIServices are known. */
  readonly ready: Promise<void>
  /** Answers a call for another server; undefined: it is this server's own. */
  handle(call: Call): Promise<void> | undefined
  /** Everything in discovery; a new array after each change. */
  groups(): readonly ListedGroup[]
  /** OpenAPI of the other servers; a new array after each change. */
  documents(): readonly RemoteDocuments[]
  /** Updates the stored APIServices to this server's own group versions; then backends are checked. */
  register(signal: AbortSignal): Promise<void>
  /** Names of this server's APIServices that are not stored. */
  missing(): readonly string[]
  /** Calls back when `register` must run again. */
  onChange(changed: () => void): Closable
  close(): void
}

export function createAggregation(
  dependencies: AggregationDependencies,
  options: AggregationOptions,
): Aggregation | undefined {
  const stored = dependencies.registry.resource(apiServicesResource)
  return stored && new Aggregating(dependencies, options, stored)
}

class Aggregating implements Aggregation {
  readonly ready: Promise<void>
  readonly #dependencies: AggregationDependencies
  readonly #options: AggregationOptions
  readonly #stored: ResourceRegistry
  readonly #follower: Follower
  readonly #closing = new AbortController()
  readonly #services = new Map<string, ApiService>()
  /** By group and version, `metrics.k8s.io/v1beta1`. */
  readonly #remote = new Map<string, RemoteService>()
  readonly #listeners = new Set<() => void>()
  readonly #becameUnavailable: Counter
  #watching: readonly Follower[] | undefined
  #isStarted = false
  #listed: { readonly from: readonly unknown[]; readonly groups: readonly ListedGroup[] } | undefined
  #documents: readonly RemoteDocuments[] = []

  constructor(dependencies: AggregationDependencies, options: AggregationOptions, stored: ResourceRegistry) {
    this.#dependencies = dependencies
    this.#options = options
    this.#stored = stored
    const { metrics } = dependencies
    metrics
      .gauge({
        name: 'aggregator_unavailable_apiservice',
        help: 'Set to 1 for APIServices that are marked as unavailable, by name.',
        labels: ['name'],
        stability: 'ALPHA',
      })
      .collect(() =>
        [...this.#remote.values()].map(({ name, isAvailable }) => ({ labels: [name], value: isAvailable ? 0 : 1 })),
      )
    this.#becameUnavailable = metrics.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'APIServices that were marked as unavailable, by name and reason.',
      labels: ['name', 'reason'],
      stability: 'ALPHA',
    })
    this.#follower = followCache(dependencies, stored.cache, {
      set: (object) => this.#set(asApiService(object)),
      remove: (_namespace, name) => this.#remove(name),
    })
    this.ready = this.#follower.ready
    this.ready.catch(() => {})
  }

  handle(call: Call): Promise<void> | undefined {
    if (this.#remote.size === 0) return undefined
    const remote = this.#remote.get(groupVersionAt(call))
    if (!remote) return undefined
    const { backend } = remote
    if (!remote.isAvailable || !backend) return Promise.resolve(sendText(call, 503, 'service unavailable'))
    const { clock } = this.#dependencies
    return passToBackend(call, backend, { clock, ...this.#options })
  }

  groups(): readonly ListedGroup[] {
    const own = this.#dependencies.served.list()
    if (this.#remote.size === 0) return own
    if (this.#listed?.from === own) return this.#listed.groups
    const remote = [...this.#remote.values()].map((one) => ({ at: one.at, version: one.version }))
    const groups = mergeGroups(own, remote, this.#services, this.#options.priorities)
    this.#listed = { from: own, groups }
    return groups
  }

  documents(): readonly RemoteDocuments[] {
    return this.#documents
  }

  missing(): readonly string[] {
    return this.#dependencies.served
      .list()
      .flatMap(({ name, versions }) => versions.map(({ version }) => serviceName({ group: name, version })))
      .filter((name) => !this.#services.has(name))
  }

  async register(signal: AbortSignal): Promise<void> {
    await this.ready
    const atStart = !this.#isStarted
    const context = this.#dependencies.context(signal)
    const served = this.#dependencies.served.list()
    const plan = planRegistrations(served, this.#services, this.#options.priorities, atStart)
    await Promise.all([
      ...plan.create.map((service) => this.#create(service, context)),
      ...plan.update.map((service) => this.#update(service, context)),
      ...plan.remove.map((name) => this.#delete(name, context)),
    ])
    this.#isStarted = true
    for (const remote of this.#remote.values()) remote.check()
  }

  onChange(changed: () => void): Closable {
    this.#listeners.add(changed)
    const served = this.#dependencies.served.onChange(changed)
    return {
      close: () => {
        this.#listeners.delete(changed)
        void served.close()
      },
    }
  }

  close(): void {
    this.#closing.abort(new Error('the server stops'))
    this.#follower.close()
    for (const follower of this.#watching ?? []) follower.close()
    for (const remote of this.#remote.values()) remote.close()
    this.#remote.clear()
  }

  #set(service: ApiService): void {
    const name = service.metadata.name ?? ''
    const before = this.#services.get(name)
    this.#services.set(name, service)
    // Backends become available and unavailable all the time: the registered and listed groups don't depend on their
    // status.
    const isStatusOnly = before !== undefined && isSameRegistration(before, service)
    if (!isStatusOnly) this.#listed = undefined
    const { group, version } = groupVersionOf(service)
    const key = `${group}/${version}`
    const known = this.#remote.get(key)
    if (specOf(service).service === undefined) {
      if (known) this.#drop(key, known)
      this.#settleLocal(service)
    } else {
      this.#watchBackends()
      if (known) known.update(service)
      else this.#remote.set(key, this.#open(service))
    }
    if (!isStatusOnly) this.#changed()
  }

  #remove(name: string): void {
    const service = this.#services.get(name)
    this.#services.delete(name)
    this.#listed = undefined
    if (service) {
      const { group, version } = groupVersionOf(service)
      const key = `${group}/${version}`
      const known = this.#remote.get(key)
      if (known) this.#drop(key, known)
    }
    this.#changed()
  }

  #drop(key: string, remote: RemoteService): void {
    remote.close()
    this.#remote.delete(key)
    this.#gatherDocuments()
  }

  #changed(): void {
    for (const changed of this.#listeners) changed()
  }

  #open(service: ApiService): RemoteService {
    const remote = new RemoteService(service, {
      ...this.#dependencies,
      isStarted: () => this.#isStarted,
      objects: (namespace, name) => this.#objects(namespace, name),
      found: (availability) => this.#write(service.metadata.name ?? '', availability),
      changed: () => {
        this.#listed = undefined
        this.#gatherDocuments()
      },
    })
    if (this.#isStarted) remote.check()
    return remote
  }

  #gatherDocuments(): void {
    this.#documents = [...this.#remote.values()].flatMap(({ documents }) => documents ?? [])
  }

  /** An APIService without a service is this server's own, also after a change. */
  #settleLocal(service: ApiService): void {
    const local = checkObjects(service, { service: undefined, slices: [] })
    if (!local || !this.#isStarted) return
    this.#write(service.metadata.name ?? '', local).catch(() => {})
  }

  /** Services and their endpoints determine availability; they are followed once there is a backend. */
  #watchBackends(): void {
    if (this.#watching) return
    const { registry } = this.#dependencies
    const services = registry.resource({ group: '', resource: 'services' })
    const slices = registry.resource({ group: 'discovery.k8s.io', resource: 'endpointslices' })
    this.#watching = [
      ...(services ? [this.#follow(services, ({ metadata }) => metadata.name ?? '')] : []),
      ...(slices
        ? [this.#follow(slices, ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] ?? '')]
        : []),
    ]
  }

  #follow(resource: ResourceRegistry, serviceOf: (object: ApiObject) => string): Follower {
    const owners = new Map<string, string>()
    const tell = (namespace: string, name: string): void => {
      for (const remote of this.#remote.values()) if (remote.isOf(namespace, name)) remote.check()
    }
    return followCache(
      this.#dependencies,
      resource.cache,
      {
        set(object) {
          const { namespace = '', name = '' } = object.metadata
          const service = serviceOf(object)
          owners.set(`${namespace}/${name}`, service)
          tell(namespace, service)
        },
        remove(namespace, name) {
          tell(namespace, owners.get(`${namespace}/${name}`) ?? '')
          owners.delete(`${namespace}/${name}`)
        },
      },
      { read: metadataOf },
    )
  }

  async #objects(namespace: string, name: string): Promise<BackendObjects> {
    const { registry } = this.#dependencies
    const services = registry.resource({ group: '', resource: 'services' })
    const entry = services?.cache.peek(services.target(namespace, name).key)
    const slices = registry.resource({ group: 'discovery.k8s.io', resource: 'endpointslices' })
    const all = (await listObjects(slices, namespace, { at: 'any' })) as unknown as readonly discovery.EndpointSlice[]
    return {
      service: entry?.object() as core.Service | undefined,
      slices: all.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name),
    }
  }

  async #write(name: string, availability: Availability): Promise<void> {
    const { clock, context } = this.#dependencies
    const isDown = availability.status !== 'True'
    const known = this.#services.get(name)
    const now = formatTime(clock.now())
    if (!known || !withAvailability(known, availability, now)) return
    if (isDown) this.#becameUnavailable.add([name, availability.reason])
    const transform = (existing: { readonly object: ApiObject } | undefined): ApiObject => {
      if (!existing) throw new StatusError(404, 'NotFound', 'the APIService is gone')
      const service = asApiService(copyObject(existing.object))
      const status = withAvailability(service, availability, now)
      return status ? { ...service, status } : existing.object
    }
    const target = this.#stored.target('', name)
    await this.#stored
      .update(target, { subresource: 'status', transform }, context(this.#closing.signal))
      .catch(ignoreRefusal('NotFound'))
  }

  async #create(service: ApiService, context: WriteContext): Promise<void> {
    this.#dependencies.applyDefaults(service)
    await this.#stored.create(service, context).catch(ignoreRefusal('AlreadyExists'))
  }

  async #update({ metadata, spec }: ApiService, context: WriteContext): Promise<void> {
    const target = this.#stored.target('', metadata.name ?? '')
    const transform = (existing: { readonly object: ApiObject } | undefined): ApiObject => {
      if (!existing) throw new StatusError(404, 'NotFound', 'the APIService is gone')
      const labels = { ...existing.object.metadata.labels, ...metadata.labels }
      return { ...existing.object, metadata: { ...existing.object.metadata, labels }, spec }
    }
    await this.#stored.update(target, { subresource: '', transform }, context).catch(ignoreRefusal('NotFound'))
  }

  async #delete(name: string, context: WriteContext): Promise<void> {
    await this.#stored.delete(this.#stored.target('', name), plainDeletion, context).catch(ignoreRefusal('NotFound'))
  }
}

function isSameRegistration(before: ApiService, now: ApiService): boolean {
  return (
    deepEqual(specOf(before), specOf(now)) &&
    before.metadata.labels?.[automanagedLabel] === now.metadata.labels?.[automanagedLabel]
  )
}

/** The group version in the path, whether or not a resource follows. */
function groupVersionAt({ info, path }: Call): string {
  if (info.isResource) return (info.group === '') === (info.apiPrefix === 'api') ? `${info.group}/${info.version}` : ''
  const [, root, first = '', second = '', rest] = path.split('/')
  if (root === 'api') return second === '' && first !== '' ? `/${first}` : ''
  return root === 'apis' && first !== '' && second !== '' && (rest ?? '') === '' ? `${first}/${second}` : ''
}

function metadataOf(entry: Entry): ApiObject {
  const fields = entry.fields()
  const metadata = {
    name: fields['metadata.name'] ?? '',
    namespace: fields['metadata.namespace'] ?? '',
    labels: { ...entry.labels() },
  }
  return { apiVersion: '', kind: '', metadata }
}
