import type { AdmissionPlugin } from '../../admission/index.ts'
import {
  type EscalationCheck,
  type PolicyListeners,
  policyListeners,
  RbacPolicy,
  rbacGroup,
} from '../../authz/index.ts'
import type { Clock, Logger } from '../../base/index.ts'
import { followCache } from '../../cache/index.ts'
import { listObjects, type Registry } from '../../registry/index.ts'

/** Resolves once the listener has all stored roles and bindings; returns a function that ends it. */
export async function followPolicy(
  services: { clock: Clock; log: Logger },
  registry: Registry,
  listeners: PolicyListeners,
): Promise<() => void> {
  const followers = resourcesOf(listeners).flatMap(([resource, listener]) => {
    const stored = registry.resource({ group: rbacGroup, resource })
    return stored ? [followCache(services, stored.cache, listener)] : []
  })
  await Promise.all(followers.map((follower) => follower.ready))
  return () => followers.forEach((follower) => follower.close())
}

/** The present policy of a namespace and the cluster, from the store. */
export async function readPolicy(registry: Registry, namespace: string, signal: AbortSignal): Promise<RbacPolicy> {
  const policy = new RbacPolicy()
  const listeners = resourcesOf(policyListeners(policy))
  await Promise.all(
    listeners.map(async ([resource, listener]) => {
      const stored = registry.resource({ group: rbacGroup, resource })
      if (!stored || (namespace === '' && stored.definition.namespaced)) return
      const within = stored.definition.namespaced ? namespace : ''
      for (const object of await listObjects(stored, within, { at: 'latest', signal })) listener.set(object)
    }),
  )
  return policy
}

function resourcesOf(listeners: PolicyListeners) {
  return Object.entries(listeners) as [keyof PolicyListeners, PolicyListeners[keyof PolicyListeners]][]
}

/** Checks every role and binding after the last plugin that may change it. */
export function escalationGuard(check: EscalationCheck): AdmissionPlugin {
  return {
    name: 'PrivilegeEscalation',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate({ operation, resource, subresource, namespace, name, user, object, oldObject, signal }) {
      if (resource.group !== rbacGroup || subresource !== '' || object === undefined) return undefined
      return check({
        resource: resource.resource,
        namespace,
        requestName: operation === 'CREATE' ? '' : name,
        user,
        object,
        old: oldObject,
        signal,
      })
    },
  }
}
