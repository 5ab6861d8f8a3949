import type { UserInfo } from '../../request/index.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from '../authorizer.ts'
import type { AbacPolicy } from './policy.ts'

const allowed: AuthorizationResult = { decision: 'allow', reason: '' }
const noMatch: AuthorizationResult = { decision: 'no-opinion', reason: 'No policy matched.' }
const readVerbs = ['get', 'list', 'watch']

/** Mode ABAC: allows what any of the policies allows. */
export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer & RuleResolver {
  return {
    name: 'abac',
    authorize: (attributes) => (policies.some((policy) => matches(policy, attributes)) ? allowed : noMatch),
    rulesFor(user, namespace) {
      const held = policies.filter(
        (policy) => isSubject(policy, user) && (policy.namespace === '*' || policy.namespace === namespace),
      )
      const verbsOf = ({ readonly }: AbacPolicy): readonly string[] => (readonly ? readVerbs : ['*'])
      return Promise.resolve({
        resourceRules: held
          .filter(({ resource }) => resource !== '')
          .map((policy) => ({
            verbs: verbsOf(policy),
            apiGroups: [policy.apiGroup],
            resources: [policy.resource],
            resourceNames: [],
          })),
        nonResourceRules: held
          .filter(({ path }) => path !== '')
          .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.path] })),
        incomplete: false,
        errors: [],
      })
    },
  }
}

function matches(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { user, verb, isResource, path, group, resource, namespace } = attributes
  if (!isSubject(policy, user)) return false
  if (policy.readonly && !readVerbs.includes(verb)) return false
  if (!isResource) return matchesPath(policy.path, path)
  return is(policy.namespace, namespace) && is(policy.resource, resource) && is(policy.apiGroup, group)
}

function isSubject({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false
  return (user === '' || user === name) && (group === '' || groups.includes(group))
}

function is(allowed_: string, asked: string): boolean {
  return allowed_ === '*' || allowed_ === asked
}

function matchesPath(allowed_: string, path: string): boolean {
  return allowed_ === path || (allowed_.endsWith('*') && path.startsWith(allowed_.replace(/\*+$/, '')))
}
