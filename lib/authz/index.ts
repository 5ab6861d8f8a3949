// authz: decides whether a user may do what a request asks for: authorizers and their union. Invariant: nothing is
// allowed unless an authorizer allows it or the user is in system:masters. Must not know how users are authenticated,
// nor where the objects of its policies come from.
export { createAbacAuthorizer } from './abac/authorizer.ts'
export { type AbacPolicy, parsePolicies } from './abac/policy.ts'
export { alwaysAllow, alwaysDeny } from './always.ts'
export type { AuthorizationAttributes, AuthorizationResult, Authorizer, Decision, RuleResolver } from './authorizer.ts'
export { createClaimStatusAccess } from './claimstatus.ts'
export {
  type AuthorizationMode,
  type AuthorizerConfig,
  type AuthorizersConfig,
  authorizationModes,
  configOfModes,
  type WebhookConfig,
} from './config/config.ts'
export { parseAuthorizationConfig } from './config/parse.ts'
export { forbiddenMessage } from './forbidden.ts'
export { createNodeAuthorizer, type NodeReach } from './node/authorizer.ts'
export { createNodeGraph, type GraphKind, type NodeGraph, nodeGraphFields } from './node/graph.ts'
export { createBindingParamAccess, createPolicyParamAccess, type ParamAccess } from './policyparams.ts'
export { aggregatedRules } from './rbac/aggregate.ts'
export { createRbac, type PolicyListeners, policyListeners, type Rbac } from './rbac/authorizer.ts'
export { describePermissions, missingPermissions, permissionsMax } from './rbac/covers.ts'
export { type DefaultObject, defaultObjects } from './rbac/defaults.ts'
export { createEscalationCheck, type EscalationCheck, rbacGroup } from './rbac/escalation.ts'
export { holderIndexesMax, indexFromGrants, RbacPolicy } from './rbac/policy.ts'
export { reconcileDefault } from './rbac/reconcile.ts'
export type { PolicyRule } from './rbac/rules.ts'
export { createRuleResolver } from './resolver.ts'
export { type AuthorizerMember, createAuthorizer } from './union.ts'
export { createWebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook/authorizer.ts'
export { compileConditions } from './webhook/conditions.ts'
export { encodeReview, reviewSpec } from './webhook/review.ts'
