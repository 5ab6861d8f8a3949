import { type DefaultObject, defaultObjects, reconcileDefault } from '../../authz/index.ts'
import { type ApiObject, copyObject } from '../../object/index.ts'
import { ignoreRefusal, type Registry, type WriteContext } from '../../registry/index.ts'
import { plainDeletion } from '../../request/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ownContext } from './ownwrites.ts'

/** Maximum number of concurrent writes. */
const writesMax = 16
const group = 'rbac.authorization.k8s.io'
/**
 * Creates the default roles and bindings, and completes existing ones. Each replica does so at its start, and usually
 * finds the work done.
 */
export function createBootstrapRoles(
  services: HookServices & { registry: Registry; scheme: Scheme; gate(name: string): boolean },
): Hook {
  const { log, registry, scheme } = services

  async function ensure(wanted: DefaultObject, context: WriteContext): Promise<void> {
    const stored = registry.resource({ group, resource: wanted.resource })
    if (!stored) return
    const { name = '', namespace = '' } = wanted.object.metadata
    const target = stored.target(namespace, name)
    const known = stored.cache.peek(target.key)?.object()
    if (known && reconcileDefault(wanted, known).action === 'none') return
    let replaced = false
    const transform = (existing: ApiObject | undefined): ApiObject => {
      if (!existing) return defaulted(wanted.object)
      const next = reconcileDefault(wanted, existing)
      replaced = next.action === 'replace'
      return next.action === 'update' ? next.object : copyObject(existing)
    }
    const change = {
      subresource: '',
      createMissing: true,
      transform: (existing: { object: ApiObject } | undefined) => transform(existing?.object),
    }
    await stored.update(target, change, context)
    if (!replaced) return
    log.warn('a default binding was to another role and is recreated', { resource: wanted.resource, name, namespace })
    await stored.delete(target, plainDeletion, context).catch(ignoreRefusal('NotFound'))
    await stored.create(defaulted(wanted.object), context).catch(ignoreRefusal('AlreadyExists'))
  }

  function defaulted(object: ApiObject): ApiObject {
    const copy = copyObject(object)
    scheme.objects.applyDefaults(copy)
    return copy
  }

  return createHook(services, {
    name: 'rbac/bootstrap-roles',
    retry: 'before-ready',
    giveUpMs: 30_000,
    async run(signal) {
      const waiting = defaultObjects((name) => services.gate(name))
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await ensure(next, ownContext(signal))
      }
      await Promise.all(Array.from({ length: writesMax }, worker))
    },
  })
}
