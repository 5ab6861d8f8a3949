import type { AdmissionPlugin } from '../../lib/admission/index.ts'
import {
  alwaysAllow,
  alwaysDeny,
  type Authorizer,
  createAuthorizer,
  createEscalationCheck,
  createRbac,
  createRuleResolver,
  type EscalationCheck,
  Policy,
  policyListeners,
  type PolicyListeners,
  rbacGroup,
  type RuleResolver,
} from '../../lib/authz/index.ts'
import type { Clock, Closable, Logger, Metrics } from '../../lib/base/index.ts'
import { followCache } from '../../lib/cache/index.ts'
import type { Registry } from '../../lib/registry/index.ts'
import type { ApiserverConfig, AuthorizationMode } from './config.ts'

/** Who may do what, in all its parts. */
export interface Authorization extends Closable {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  /** Stands after all other plugins that mutate. */
  readonly guard: AdmissionPlugin
}

type Services = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics }

/** Resolves when the authorizers know what is stored. The caches have been loaded. */
export async function composeAuthorization(
  config: ApiserverConfig,
  services: Services,
  registry: Registry,
): Promise<Authorization> {
  const { clock, metrics } = services
  const log = services.log.named('authorization')
  const rbac = createRbac({ log })
  const followers = resourcesOf(rbac.listeners).flatMap(([resource, listener]) => {
    const stored = registry.resource({ group: rbacGroup, resource })
    return stored ? [followCache({ clock, log }, stored.cache, listener)] : []
  })
  const close = (): void => followers.forEach((follower) => follower.close())
  try {
    await Promise.all(followers.map((follower) => follower.ready))
  } catch (error) {
    close()
    throw error
  }
  const byMode: Readonly<Record<AuthorizationMode, Authorizer & Partial<RuleResolver>>> = {
    AlwaysAllow: alwaysAllow,
    AlwaysDeny: alwaysDeny,
    RBAC: rbac.authorizer,
  }
  const members = config.authorizationModes.map((type) => ({ type, authorizer: byMode[type] }))
  const authorizer = createAuthorizer({ clock, metrics }, members)
  const check = createEscalationCheck({
    authorizer,
    policy: rbac.policy,
    fresh: (namespace, signal) => readPolicy(registry, namespace, signal),
  })
  return {
    authorizer,
    resolver: createRuleResolver(() => members.map((member) => member.authorizer)),
    guard: escalationGuard(check),
    close,
  }
}

function resourcesOf(listeners: PolicyListeners) {
  return Object.entries(listeners) as [keyof PolicyListeners, PolicyListeners[keyof PolicyListeners]][]
}

/** The policy of a namespace and the cluster, as the store has it now. */
async function readPolicy(registry: Registry, namespace: string, signal: AbortSignal): Promise<Policy> {
  const policy = new Policy()
  const listeners = resourcesOf(policyListeners(policy))
  await Promise.all(
    listeners.map(async ([resource, listener]) => {
      const stored = registry.resource({ group: rbacGroup, resource })
      if (!stored || (namespace === '' && stored.definition.namespaced)) return
      const range = stored.range(stored.definition.namespaced ? namespace : '')
      const { entries } = await stored.cache.list({ ...range, at: { kind: 'latest' }, signal })
      for (const entry of entries) listener.set(entry.object())
    }),
  )
  return policy
}

/** Looks at every role and binding once nobody changes it any more. */
function escalationGuard(check: EscalationCheck): AdmissionPlugin {
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
