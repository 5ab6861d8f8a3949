import { type ApiObject, type GroupResource, validatePathSegmentName } from '../../object/index.ts'
import { listObjects, type Registry } from '../../registry/index.ts'

/** Objects of one resource, for plugins that decide by them. Their kind is what the caller says that it is. */
export interface ObjectReader<Kind> {
  /** As a cache shows it; undefined: it shows none. */
  cached(namespace: string, name: string): Kind | undefined
  /** As it is, whatever that costs. */
  live(namespace: string, name: string, signal: AbortSignal): Promise<Kind | undefined>
  /** Out of the cache, and where it has none (it may be behind), out of the store. */
  find(namespace: string, name: string, signal: AbortSignal): Promise<Kind | undefined>
  /** All of a namespace ('': of all namespaces), as a cache shows them; synchronously where there are none anywhere. */
  cachedList(namespace: string, signal: AbortSignal): Kind[] | Promise<Kind[]>
  /** All of a namespace ('': of all namespaces), as a cache shows them or as they are. */
  list(namespace: string, at: 'cached' | 'live', signal: AbortSignal): Promise<Kind[]>
}

export function createObjectReader<Kind>(registry: Registry, of: GroupResource): ObjectReader<Kind> {
  const stored = registry.resource(of)
  // The caller vouches that the resource's objects are of this kind.
  const asKind = (object: ApiObject): Kind => object as Kind
  /** Undefined for a name that no object can have: references may hold any text. */
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
