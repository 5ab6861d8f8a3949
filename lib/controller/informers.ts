import type { Closable } from '../base/index.ts'
import type { Client, PartialObject } from '../client/index.ts'
import type { ApiObject, GroupVersionResource, ResourceType } from '../object/index.ts'
import { createInformer, type Informer, type SharedInformer } from './informer.ts'
import type { ReflectorDependencies, StateOptions } from './reflector.ts'

/** One informer per resource, shared by all controllers. After `start`, each starts when it is first requested. */
export interface Informers extends Closable {
  for<T extends ApiObject>(type: ResourceType<T>): Informer<T>
  /**
   * An informer of the objects' metadata, kept until `holder` releases it. Where an informer of the whole objects
   * exists, it is returned instead: that saves a second watch and a second copy.
   */
  metadata(type: ResourceType<ApiObject>, holder: object): Informer<PartialObject>
  /** All informers, for health checks and debugging. */
  all(): Iterable<Informer<never>>
  start(): void
  /**
   * Releases an informer of metadata, whose resource is no longer served, and returns it. It closes with its last
   * holder.
   */
  dropMetadata(type: ResourceType<ApiObject>, holder: object): Informer<PartialObject> | undefined
  close(): void
}

export function createInformers(
  dependencies: ReflectorDependencies,
  client: Client,
  options: StateOptions = {},
): Informers {
  const typed = new Map<string, SharedInformer<never>>()
  const partial = new Map<string, SharedInformer<PartialObject>>()
  /** Holders of the informers of metadata, by name. */
  const holders = new Map<string, Set<object>>()
  let started = false
  let closed = false

  function known<T>(into: Map<string, SharedInformer<T>>, key: string, make: () => SharedInformer<T>) {
    let informer = into.get(key)
    if (!informer) {
      informer = make()
      into.set(key, informer)
      if (closed) informer.close()
      else if (started) informer.start()
    }
    return informer
  }

  return {
    // The informer's objects are of the resource's type.
    for: <T extends ApiObject>(type: ResourceType<T>) =>
      known(
        typed,
        nameOf(type),
        () => createInformer(dependencies, client.resource(type), options) as SharedInformer<never>,
      ),
    metadata(type, holder) {
      const name = nameOf(type)
      const whole = typed.get(name)
      if (whole && !partial.has(name)) return whole
      const held = holders.get(name)
      if (held) held.add(holder)
      else holders.set(name, new Set([holder]))
      return known(partial, name, () => createInformer(dependencies, client.metadata(type), options))
    },
    *all() {
      yield* typed.values()
      yield* partial.values() as Iterable<SharedInformer<never>>
    },
    start() {
      started = true
      for (const informer of [...typed.values(), ...partial.values()]) informer.start()
    },
    dropMetadata(type, holder) {
      const name = nameOf(type)
      const held = holders.get(name)
      const informer = partial.get(name)
      // An informer of whole objects is not released.
      if (!informer) return undefined
      if (!held?.delete(holder) || held.size > 0) return informer
      holders.delete(name)
      partial.delete(name)
      informer?.close()
      return informer
    },
    close() {
      closed = true
      for (const informer of [...typed.values(), ...partial.values()]) informer.close()
      typed.clear()
      partial.clear()
      holders.clear()
    },
  }
}

export function nameOf({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`
}
