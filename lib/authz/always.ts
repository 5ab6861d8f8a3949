import type { AuthorizationResult, Authorizer, RuleResolver } from './authorizer.ts'

const allowed: AuthorizationResult = { decision: 'allow', reason: '' }
const denied: AuthorizationResult = { decision: 'no-opinion', reason: 'Everything is forbidden.' }

/** Mode AlwaysAllow. */
export const alwaysAllow: Authorizer & RuleResolver = {
  name: 'alwaysallow',
  authorize: () => allowed,
  rulesFor: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
      errors: [],
    }),
}

/** Mode AlwaysDeny: has no opinion, so that alone it denies everything. */
export const alwaysDeny: Authorizer & RuleResolver = {
  name: 'alwaysdeny',
  authorize: () => denied,
  rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] }),
}
