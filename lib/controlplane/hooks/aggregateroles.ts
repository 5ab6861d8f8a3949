import type { ClusterRole } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { gatheredRules, rbacGroup } from '../../authz/index.ts'
import type { Clock, Closable, Logger } from '../../base/index.ts'
import { followCache } from '../../cache/index.ts'
import { type ApiObject, copyObject, deepEqual, statusErrors } from '../../object/index.ts'
import type { Registry } from '../../registry/index.ts'
import { ownContext } from '../ownwrites.ts'

const retryMs = 1000

/**
 * Fills the cluster roles that gather the rules of others (admin, edit, view), at the start and whenever one changes:
 * the work of a controller, for a server that runs without any.
 */
export function createRoleAggregation({
  clock,
  log,
  registry,
}: {
  clock: Clock
  log: Logger
  registry: Registry
}): Closable {
  const stored = registry.resource({ group: rbacGroup, resource: 'clusterroles' })
  if (!stored) return { close() {} }
  const resource = stored
  const closing = new AbortController()
  const context = ownContext(closing.signal)
  const roles = new Map<string, ClusterRole>()
  let planned: Closable | undefined
  let working = false
  /** Something has changed while the roles were gone through. */
  let outdated = false

  function plan(delayMs = 0): void {
    outdated = true
    if (planned || working || closing.signal.aborted) return
    planned = clock.after(delayMs, () => void gatherAll())
  }

  async function gatherAll(): Promise<void> {
    planned = undefined
    working = true
    outdated = false
    let failed = false
    for (const role of roles.values()) {
      try {
        await gather(role)
      } catch (error) {
        if (closing.signal.aborted) return
        failed = true
        log.warn('the rules of a cluster role could not be gathered', { name: role.metadata.name, error })
      }
    }
    working = false
    if (failed) plan(retryMs)
    else if (outdated) plan()
  }

  async function gather(role: ClusterRole): Promise<void> {
    const rules = gatheredRules(role, roles.values())
    if (!rules || deepEqual(rules, role.rules ?? [])) return
    const name = role.metadata.name ?? ''
    const transform = (existing: { object: ApiObject } | undefined): ApiObject => {
      if (!existing) throw statusErrors.notFound({ group: rbacGroup, resource: 'clusterroles' }, name)
      return { ...copyObject(existing.object), rules } as ApiObject
    }
    const { object } = await resource.update(resource.target('', name), { subresource: '', transform }, context)
    // A role may gather what this one has just gathered.
    roles.set(name, object as unknown as ClusterRole)
    outdated = true
  }

  const follower = followCache({ clock, log }, resource.cache, {
    set(object) {
      roles.set(object.metadata.name ?? '', object as unknown as ClusterRole)
      plan()
    },
    remove(_namespace, name) {
      roles.delete(name)
      plan()
    },
  })
  return {
    close() {
      closing.abort(new Error('the server stops'))
      follower.close()
      void planned?.close()
    },
  }
}
