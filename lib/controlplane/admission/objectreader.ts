import { type ApiObject, type GroupResource, validatePathSegmentName } from '../../object/index.ts'
import { listObjects, type Registry } from '../../registry/index.ts'

/** Objects of one resource, for plugins that decide by them. The caller knows their kind. */
export interface ObjectReader<Kind> {
  /** The object in the cache; undefined: it is not there. */
  cached(namespace: string, name: string): Kind | undefined
  /** The object in the store. */
  live(namespace: string, name: string, signal: AbortSignal): Promise<Kind | undefined>
  /** From the cache, and a missing one from the store, as the cache may be behind. */
  find(namespace: string, name: string, signal: AbortSignal): Promise<Kind | undefined>
  /** All of a namespace ('': of all namespaces) in the cache; synchronously when there are none at all. */
  cachedList(namespace: string, signal: AbortSignal): Kind[] | Promise<Kind[]>
  /** All of a namespace ('': of all namespaces), in the cache or in the store. */
  list(namespace: string, at: 'cached' | 'live', signal: AbortSignal): Promise<Kind[]>
}

export function createObjectReader<Kind>(registry: Registry, of: GroupResource): ObjectReader<Kind> {
  const stored = registry.resource(of)
  // The caller knows that the resource's objects are of this kind.
  const asKind = (object: ApiObject): Kind => object as Kind
  /** Undefined for an invalid name: references may hold any text. */
  function keyOf(namespace: string, name: string): string | undefined {
    const isName = name !== '' && validatePathSegmentName(name).length === 0
    return isName ? stored?.target(namespace, name).key : undefined
  }

  const reader: ObjectReader<Kind> = {
    cached(namespace, name) {
      const key = keyOf(namespace, name)
      const entry = key === undefined ? undefined : stored?.cache.peek(key)
      return entry && asKind(entry.object())
    },
    async live(namespace, name, signal) {
      const key = keyOf(namespace, name)
      const found = key === undefined ? undefined : await stored?.cache.get(key, { at: { kind: 'latest' }, signal })
      return found?.entry && asKind(found.entry.object())
    },
    async find(namespace, name, signal) {
      return reader.cached(namespace, name) ?? (await reader.live(namespace, name, signal))
    },
    cachedList(namespace, signal) {
      const isEmpty = !stored || (stored.cache.ready && stored.cache.size === 0)
      return isEmpty ? [] : reader.list(namespace, 'cached', signal)
    },
    async list(namespace, at, signal) {
      const objects = await listObjects(stored, namespace, { at: at === 'cached' ? 'any' : 'latest', signal })
      return objects.map(asKind)
    },
  }
  return reader
}
