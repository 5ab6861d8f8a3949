// authz: whether a user may do what a request asks for: authorizers and their union. Invariant: nothing is allowed that
// no authorizer allowed. Must not know how users prove who they are.
export type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  Decision,
  NonResourceRule,
  ResourceRule,
  RuleResolver,
} from './authorizer.ts'
