import type { ClusterRole, RoleBinding } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import type { Logger } from '../../base/index.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from '../authorizer.ts'
import type { ObjectListener } from '../objects.ts'
import { allowedBy, RbacPolicy } from './policy.ts'
import { type PolicyRule, pathAction, type RbacAction, resourceAction } from './rules.ts'

/** Mode RBAC, and the listeners that update its policy. */
export interface Rbac {
  readonly authorizer: Authorizer & RuleResolver
  readonly policy: RbacPolicy
  /** The listeners to attach to each resource of the group. */
  readonly listeners: PolicyListeners
}

export interface PolicyListeners {
  readonly roles: ObjectListener
  readonly clusterroles: ObjectListener
  readonly rolebindings: ObjectListener
  readonly clusterrolebindings: ObjectListener
}

const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' }

export function createRbac({ log }: { log: Logger }): Rbac {
  const policy = new RbacPolicy()
  return {
    policy,
    listeners: policyListeners(policy),
    authorizer: {
      name: 'rbac',
      authorize(attributes) {
        const grant = policy.find(attributes.user, actionOf(attributes), attributes.namespace)
        if (grant !== undefined) return allowedBy(grant)
        if (log.enabled(5)) logRefusal(log, attributes)
        const problems = policy.problemsOf(attributes.user, attributes.namespace)
        return problems.length === 0 ? noOpinion : { decision: 'no-opinion', reason: `RBAC: ${joined(problems)}` }
      },
      rulesFor(user, namespace) {
        const { rules, problems } = policy.rulesOf(user, namespace)
        return Promise.resolve({ ...splitRules(rules), incomplete: false, errors: problems })
      },
    },
  }
}

/** Applies changes of the objects to a policy. */
export function policyListeners(policy: RbacPolicy): PolicyListeners {
  const roles: ObjectListener = {
    set: (object) => {
      const { metadata, rules } = object as ClusterRole
      policy.setRole(metadata.namespace ?? '', metadata.name ?? '', rules ?? [])
    },
    remove: (namespace, name) => policy.removeRole(namespace, name),
  }
  const bindings: ObjectListener = {
    set: (object) => {
      const { metadata, roleRef, subjects } = object as RoleBinding
      policy.setBinding(metadata.namespace ?? '', metadata.name ?? '', roleRef, subjects ?? [])
    },
    remove: (namespace, name) => policy.removeBinding(namespace, name),
  }
  return { roles, clusterroles: roles, rolebindings: bindings, clusterrolebindings: bindings }
}

function actionOf({ isResource, verb, path, group, resource, subresource, name }: AuthorizationAttributes): RbacAction {
  return isResource ? resourceAction(verb, group, resource, subresource, name) : pathAction(verb, path)
}

/** Joins several errors in one line, as the stock server does. */
export function joined(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
}

function splitRules(rules: readonly PolicyRule[]) {
  const resourceRules = []
  const nonResourceRules = []
  for (const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of rules) {
    if (resources.length > 0) resourceRules.push({ verbs, apiGroups, resources, resourceNames })
    if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs })
  }
  return { resourceRules, nonResourceRules }
}

function logRefusal(log: Logger, { user, verb, isResource, path, ...about }: AuthorizationAttributes): void {
  const { group, resource, subresource, namespace, name } = about
  log.verbose(5, 'RBAC: no rule allows it', {
    user: user.name,
    groups: user.groups,
    verb,
    ...(isResource ? { group, resource, subresource, namespace, name } : { path }),
  })
}
