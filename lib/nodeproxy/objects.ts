import { type ApiObject, type GroupResource, statusErrors } from '../object/index.ts'
import type { Registry } from '../registry/index.ts'

/** The present object. Throws 404. */
export async function findObject(
  registry: Registry,
  resource: GroupResource,
  namespace: string,
  name: string,
): Promise<ApiObject> {
  const stored = registry.resource(resource)
  if (!stored) throw statusErrors.noSuchResource()
  const { entry } = await stored.cache.get(stored.target(namespace, name).key, { at: { kind: 'latest' } })
  if (!entry) throw statusErrors.notFound(resource, name)
  return entry.object()
}
