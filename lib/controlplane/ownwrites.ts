import { type ApiObject, type GroupResource, StatusError } from '../object/index.ts'
import type { Registry, WriteContext } from '../registry/index.ts'
import { authenticatedGroup, mastersGroup, type UserInfo } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'

const ownUser: UserInfo = Object.freeze({
  name: 'system:apiserver',
  uid: '',
  groups: [mastersGroup, authenticatedGroup],
  extra: {},
})

/** Of the server's own writes, as itself: nobody is there to be warned. */
export function ownContext(signal?: AbortSignal): WriteContext {
  return { user: ownUser, dryRun: false, ...(signal ? { signal } : {}), warn() {} }
}

/** Makes an object that every cluster has and that belongs to no namespace, unless it is there. */
export async function createMissing(
  { registry, scheme }: { registry: Registry; scheme: Scheme },
  resource: GroupResource,
  object: ApiObject,
  context: WriteContext,
): Promise<void> {
  const { name = '' } = object.metadata
  const stored = registry.resource(resource)
  if (!stored || stored.cache.peek(stored.target('', name).key)) return
  scheme.applyDefaults(object)
  try {
    await stored.create(object, context)
  } catch (error) {
    // Another replica was first, or this one a while ago: the cache may be behind.
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
  }
}
