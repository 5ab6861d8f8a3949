import type { Clock, Random } from '../base/index.ts'
import type { Feed, ResourceCache } from '../cache/index.ts'
import type { DeclarativeCheck, KindDefinition, KindSet, KindSettings } from '../kinds/index.ts'
import { type GroupResource, toResourceVersion } from '../object/index.ts'
import type { ObjectCodec, ResourceDefinition, Scheme } from '../scheme/index.ts'
import { prefixEnd, type Store } from '../storage/index.ts'
import type { ResourceParts } from './context.ts'
import { createDropDisabledFields } from './gatedfields.ts'
import type { ResourceHooks } from './hooks.ts'
import { createKeys } from './keys.ts'
import { createResourceRegistry, type ResourceRegistry } from './resource.ts'
import { selectables } from './selectables.ts'
import { readStored } from './stored.ts'

/** Where a resource is stored: a store, and its feed. */
export interface Backing {
  readonly store: Store
  readonly feed: Feed
}

interface RegistryDependencies extends Backing {
  readonly scheme: Scheme
  readonly kinds: KindSet
  /** For resources of the scheme that are stored elsewhere. */
  elsewhere?(resource: GroupResource): Backing | undefined
  readonly clock: Clock
  readonly random: Random
  /** True when a feature gate is on; must not change. */
  gate(name: string): boolean
  /** Runs in addition to the kinds' own validation. */
  readonly declarative?: DeclarativeCheck
}

interface RegistryOptions {
  /** Prefix of all stored keys. Default `/registry`. */
  readonly prefix?: string
  /** Default: an hour. */
  readonly eventTtlSeconds?: number
  /** Concurrent deletions of one deletecollection. Default 64. */
  readonly deleteCollectionWorkers?: number
  readonly settings?: KindSettings
  /** False: deletions leave nothing to a garbage collector. Default true. */
  readonly garbageCollection?: boolean
}

/** The registries of all stored resources. */
export interface Registry {
  /** Undefined: the resource is not stored, or its kind is not defined. */
  resource(resource: GroupResource): ResourceRegistry | undefined
  readonly resources: readonly ResourceRegistry[]
  /**
   * Adds a resource at run time (a custom one) that reads and writes its objects with `codec`, or returns the existing
   * one.
   */
  add(definition: ResourceDefinition, kind: KindDefinition, codec: ObjectCodec): ResourceRegistry
  /** Removes the resource and ends its watches; stored objects stay. */
  remove(resource: GroupResource): void
}

/** Attaches a cache to the feed for every stored resource of the scheme whose kind is defined. */
export function createRegistry(dependencies: RegistryDependencies, options: RegistryOptions = {}): Registry {
  const { scheme, kinds, clock, random } = dependencies
  const root = options.prefix ?? '/registry'
  const eventTtlSeconds = options.eventTtlSeconds ?? 3600
  const deleteCollectionWorkers = options.deleteCollectionWorkers ?? 64
  const gate = (name: string): boolean => dependencies.gate(name)
  const dropDisabledFields = createDropDisabledFields(gate)
  const byName = new Map<string, ResourceRegistry>()
  const backings = new Map<ResourceCache, Backing>()

  function attach(
    definition: ResourceDefinition,
    kind: KindDefinition,
    codec: ObjectCodec,
    { backing, isCustom }: { readonly backing: Backing; readonly isCustom: boolean },
  ): ResourceCache {
    const { gvr, namespaced } = definition
    const { storedLabels, ...selected } = selectables(kind, namespaced, codec)
    const cache = backing.feed.attach({
      resource: gvr,
      prefix: `${root}/${definition.storage?.prefix ?? gvr.resource}/`,
      decode: (stored, revision, key) =>
        readStored({ key, revision, stored }, () => codec.decodeFromStorage(stored, toResourceVersion(revision))),
      isCanonical: (stored) => codec.stored?.isCanonical(stored) ?? false,
      toCanonical: (stored) => codec.stored?.toCanonical?.(stored),
      ...selected,
      // The labels of a custom object depend on its definition, too.
      ...(isCustom ? {} : { storedLabels }),
    })
    backings.set(cache, backing)
    return cache
  }

  function put(
    definition: ResourceDefinition,
    kind: KindDefinition,
    codec: ObjectCodec,
    cache: ResourceCache,
    name: GroupResource,
  ): ResourceRegistry {
    const installed: { hooks?: ResourceHooks } = {}
    const { store } = backings.get(cache) ?? dependencies
    const parts: ResourceParts = {
      definition,
      resource: name,
      kind,
      cache,
      codec,
      store,
      clock,
      random,
      eventTtlSeconds,
      settings: options.settings,
      garbageCollection: options.garbageCollection ?? true,
      dropDisabledFields,
      declarative: dependencies.declarative,
      gate,
      key: createKeys(cache.prefix, definition.namespaced),
      hooks: () => installed.hooks,
    }
    const install = (hooks: ResourceHooks): void => void (installed.hooks = hooks)
    const registry = createResourceRegistry(parts, { prefixEnd, deleteCollectionWorkers, install })
    byName.set(nameOf(name), registry)
    return registry
  }

  function add(
    definition: ResourceDefinition,
    kind: KindDefinition,
    codec: ObjectCodec,
    of: { readonly backing: Backing; readonly isCustom: boolean },
  ): ResourceRegistry {
    const { gvr } = definition
    return byName.get(nameOf(gvr)) ?? put(definition, kind, codec, attach(definition, kind, codec, of), gvr)
  }

  const views: { kind: KindDefinition; definition: ResourceDefinition }[] = []
  for (const definition of scheme.resources) {
    const { gvk, gvr, hubVersion, storage } = definition
    const kind = kinds.get(gvk.group, gvk.kind)
    if (!storage || !kind) continue
    if (kind.viewOf) views.push({ kind, definition })
    else if (gvr.version === hubVersion) {
      const backing = dependencies.elsewhere?.(gvr) ?? dependencies
      add(definition, kind, scheme.codec(gvr), { backing, isCustom: false })
    }
  }
  for (const { kind, definition } of views) {
    const viewed = [...byName.values()].find(
      (registry) => registry.kind.group === kind.viewOf?.group && registry.kind.kind === kind.viewOf.kind,
    )
    if (!viewed || byName.has(nameOf(definition.gvr))) continue
    put(viewed.definition, kind, scheme.codec(viewed.definition.gvr), viewed.cache, definition.gvr)
  }

  return {
    resource: (resource) => byName.get(nameOf(resource)),
    get resources() {
      return [...byName.values()]
    },
    add: (definition, kind, codec) => add(definition, kind, codec, { backing: dependencies, isCustom: true }),
    remove(resource) {
      const registry = byName.get(nameOf(resource))
      if (!registry) return
      byName.delete(nameOf(resource))
      backings.get(registry.cache)?.feed.detach(registry.cache)
      backings.delete(registry.cache)
    },
  }
}

function nameOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`
}
