import type { ClusterRole } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { aggregatedRules, rbacGroup } from '../../authz/index.ts'
import type { Closable } from '../../base/index.ts'
import { followCache } from '../../cache/index.ts'
import { type ApiObject, copyObject, deepEqual, statusErrors } from '../../object/index.ts'
import type { Registry, ResourceRegistry } from '../../registry/index.ts'
import { createHook, type Hook, type HookServices } from './hook.ts'
import { ownContext } from './ownwrites.ts'

/**
 * Fills the cluster roles that aggregate the rules of others (admin, edit, view), at the start and whenever one
 * changes: the work of a controller, for a server without controllers.
 */
export function createRoleAggregation(services: HookServices & { registry: Registry }): Hook | undefined {
  const resource = services.registry.resource({ group: rbacGroup, resource: 'clusterroles' })
  if (!resource) return undefined
  const roles = new Map<string, ClusterRole>()
  return createHook(services, {
    name: 'cluster-role-aggregation',
    retry: 'in-background',
    run: (signal) => aggregateAll(roles, resource, signal),
    follow: (again) => followRoles(services, resource, roles, again),
  })
}

/** Repeats until nothing changes: a role may aggregate another aggregated role. */
async function aggregateAll(
  roles: Map<string, ClusterRole>,
  resource: ResourceRegistry,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (let changed = true; changed && failures.length === 0; ) {
    changed = false
    for (const role of roles.values())
      try {
        const filled = await aggregate(role, roles, resource, signal)
        if (filled) roles.set(role.metadata.name ?? '', filled)
        changed ||= filled !== undefined
      } catch (error) {
        if (signal.aborted) return
        failures.push(error)
      }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the rules of cluster roles could not be aggregated')
}

/** Returns the role as it is stored now; undefined when its rules are right. */
async function aggregate(
  role: ClusterRole,
  roles: ReadonlyMap<string, ClusterRole>,
  resource: ResourceRegistry,
  signal: AbortSignal,
): Promise<ClusterRole | undefined> {
  const rules = aggregatedRules(role, roles.values())
  if (!rules || deepEqual(rules, role.rules ?? [])) return undefined
  const name = role.metadata.name ?? ''
  const transform = (existing: { object: ApiObject } | undefined): ApiObject => {
    if (!existing) throw statusErrors.notFound({ group: rbacGroup, resource: 'clusterroles' }, name)
    return { ...copyObject(existing.object), rules }
  }
  const change = { subresource: '', transform }
  const { object } = await resource.update(resource.target('', name), change, ownContext(signal))
  return object as ClusterRole
}

/** Keeps `roles` up to date. */
function followRoles(
  { clock, log }: HookServices,
  resource: ResourceRegistry,
  roles: Map<string, ClusterRole>,
  changed: () => void,
): Closable {
  return followCache({ clock, log }, resource.cache, {
    set(object) {
      roles.set(object.metadata.name ?? '', object as ClusterRole)
      changed()
    },
    remove(_namespace, name) {
      roles.delete(name)
      changed()
    },
  })
}
