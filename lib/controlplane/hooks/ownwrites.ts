import type { ApiObject, GroupResource } from '../../object/index.ts'
import { ignoreRefusal, type Registry, type ResourceRegistry, type WriteContext } from '../../registry/index.ts'
import { authenticatedGroup, mastersGroup, type UserInfo } from '../../request/index.ts'
import type { Scheme } from '../../scheme/index.ts'

export const ownUser: UserInfo = Object.freeze({
  name: 'system:apiserver',
  uid: '',
  groups: [mastersGroup, authenticatedGroup],
  extra: {},
})

/** The context of the server's own writes: its own user, and no client for warnings. */
export function ownContext(signal?: AbortSignal): WriteContext {
  return { user: ownUser, dryRun: false, signal, warn() {} }
}

interface Parts {
  readonly registry: Registry
  readonly scheme: Scheme
}

/** Creates a default object without a namespace, unless it exists. */
export function createMissing(
  parts: Parts,
  resource: GroupResource,
  object: ApiObject,
  context: WriteContext,
): Promise<void> {
  return ensureObject(parts, resource, object, context, () => undefined)
}

/** Creates the object, or changes the existing one by `change`, whose result undefined means no change. */
export async function ensureObject(
  { registry, scheme }: Parts,
  resource: GroupResource,
  object: ApiObject,
  context: WriteContext,
  change: (existing: ApiObject) => ApiObject | undefined,
): Promise<void> {
  const stored = registry.resource(resource)
  if (!stored) return
  const target = stored.target(object.metadata.namespace ?? '', object.metadata.name ?? '')
  const existing = stored.cache.peek(target.key)?.object()
  if (!existing) return await createUnlessThere(stored, scheme, object, context)
  if (!change(existing)) return
  const transform = (found: { readonly object: ApiObject } | undefined): ApiObject => {
    const changed = found && change(found.object)
    if (!changed) return found?.object ?? object
    const whole = structuredClone(changed)
    scheme.objects.applyDefaults(whole)
    return whole
  }
  await stored.update(target, { subresource: '', transform }, context)
}

async function createUnlessThere(
  stored: ResourceRegistry,
  scheme: Scheme,
  object: ApiObject,
  context: WriteContext,
): Promise<void> {
  scheme.objects.applyDefaults(object)
  await stored.create(object, context).catch(ignoreRefusal('AlreadyExists'))
}
