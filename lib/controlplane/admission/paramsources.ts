import type { ObjectVersions, ParamSource, ParamSources } from '../../admission/index.ts'
import type { Clock, Logger } from '../../base/index.ts'
import { type Entry, type Follower, followCache, type ResourceCache } from '../../cache/index.ts'
import type { ApiObject, GroupVersionKind, GroupVersionResource, LabelSelector } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { ServedGroups } from '../../schema/index.ts'

interface ParamServices {
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly served: ServedGroups
  readonly versions: ObjectVersions
  /** Everything that is opened is registered here. */
  readonly opened: AsyncDisposableStack
}

/** Maximum number of cached selections of one kind; beyond it the cache starts empty again. */
const selectionsMax = 1024

/** Parameters of policies from the caches: built-in kinds and custom ones. */
export function createParamSources(services: ParamServices): ParamSources {
  const { served } = services
  const sources = new Map<string, FollowedSource>()
  const resolved = new Map<string, FollowedSource | undefined>()
  let known: unknown
  services.opened.defer(() => {
    for (const source of sources.values()) source.close()
  })

  function resolve(key: string, kind: GroupVersionKind): FollowedSource | undefined {
    const found = findResource(served, kind)
    const stored = found && services.registry.resource(found.resource)
    const before = sources.get(key)
    if (before && before.cache === stored?.cache) return before
    before?.close()
    sources.delete(key)
    if (!found || !stored) return undefined
    const source = new FollowedSource({ ...services, kind, ...found, cache: stored.cache })
    sources.set(key, source)
    return source
  }

  return {
    source(kind) {
      const listed = served.list()
      if (listed !== known) resolved.clear()
      known = listed
      const key = keyOf(kind)
      if (!resolved.has(key)) resolved.set(key, resolve(key, kind))
      return resolved.get(key)
    },
    keep(kinds) {
      const wanted = new Set(kinds.map(keyOf))
      for (const [key, source] of sources) {
        if (wanted.has(key)) continue
        source.close()
        sources.delete(key)
      }
      resolved.clear()
      for (const kind of kinds) this.source(kind)
    },
  }
}

function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version} ${kind}`
}

function findResource(
  served: ServedGroups,
  { group, version, kind }: GroupVersionKind,
): { readonly resource: GroupVersionResource; readonly namespaced: boolean } | undefined {
  const resources = served.group(group)?.versions.find((one) => one.version === version)?.resources
  const found = resources?.find(({ table }) => table.kind === kind)
  return found && { resource: { group, version, resource: found.plural }, namespaced: found.table.namespaced }
}

/** The objects of one kind. Keeps only the cache's own entries; objects are decoded when a policy needs them. */
class FollowedSource implements ParamSource {
  readonly namespaced: boolean
  readonly cache: ResourceCache
  readonly #kind: GroupVersionKind
  readonly #resource: GroupVersionResource
  readonly #versions: ObjectVersions
  readonly #follower: Follower
  readonly #entries = new Map<string, Map<string, Entry>>()
  readonly #selections = new Map<string, readonly Entry[]>()
  #converted = new WeakMap<ApiObject, ApiObject>()
  #pending: Promise<void> | undefined

  constructor({
    kind,
    resource,
    namespaced,
    cache,
    ...services
  }: Pick<ParamServices, 'clock' | 'log' | 'versions'> & {
    readonly kind: GroupVersionKind
    readonly resource: GroupVersionResource
    readonly namespaced: boolean
    readonly cache: ResourceCache
  }) {
    this.namespaced = namespaced
    this.cache = cache
    this.#kind = kind
    this.#resource = resource
    this.#versions = services.versions
    const set = (object: ApiObject, entry: Entry): void => this.#set(object, entry)
    const remove = (namespace: string, name: string): void => this.#remove(namespace, name)
    this.#follower = followCache(services, cache, { set, remove }, { read: nameOf })
    this.#pending = this.#follower.ready
    this.#pending.then(() => (this.#pending = undefined)).catch(() => {})
  }

  loading(): Promise<void> | undefined {
    return this.#pending
  }

  get(namespace: string, name: string): ApiObject | undefined {
    const entry = this.#entries.get(namespace)?.get(name)
    return entry && this.#object(entry)
  }

  select(namespace: string, selector: LabelSelector): readonly ApiObject[] {
    const key = `${namespace} ${selector.toString()}`
    let selected = this.#selections.get(key)
    if (!selected) {
      const all = [...(this.#entries.get(namespace)?.values() ?? [])]
      selected = all.filter((entry) => selector.matches(entry.labels())).sort((a, b) => (a.key < b.key ? -1 : 1))
      if (this.#selections.size >= selectionsMax) this.#selections.clear()
      this.#selections.set(key, selected)
    }
    return selected.map((entry) => this.#object(entry))
  }

  close(): void {
    this.#follower.close()
  }

  #object(entry: Entry): ApiObject {
    const object = entry.object()
    const known = this.#converted.get(object)
    if (known) return known
    const converted = this.#versions.convert(object, this.#resource, this.#kind)
    this.#converted.set(object, converted)
    return converted
  }

  #set({ metadata: { namespace = '', name = '' } }: ApiObject, entry: Entry): void {
    const entries = this.#entries.get(namespace) ?? new Map<string, Entry>()
    this.#entries.set(namespace, entries.set(name, entry))
    this.#selections.clear()
  }

  #remove(namespace: string, name: string): void {
    const entries = this.#entries.get(namespace)
    entries?.delete(name)
    if (entries?.size === 0) this.#entries.delete(namespace)
    this.#selections.clear()
  }
}

/** The only fields that are read of a new object. */
function nameOf(entry: Entry): ApiObject {
  const fields = entry.fields()
  const { 'metadata.namespace': namespace = '', 'metadata.name': name = '' } = fields
  return { apiVersion: '', kind: '', metadata: { namespace, name } }
}
