import type { UserInfo } from '../request/index.ts'

/** The action that an authorizer decides about. */
export interface AuthorizationAttributes {
  readonly user: UserInfo
  readonly verb: string
  readonly isResource: boolean
  readonly path: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Selectors as sent, for verbs that have them. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export type Decision = 'allow' | 'deny' | 'no-opinion'

export interface AuthorizationResult {
  readonly decision: Decision
  readonly reason: string
  /** An error that occurred; the decision is valid nevertheless. */
  readonly error?: Error
}

/** Returns no promise where it need not wait: promises cost. */
export interface Authorizer {
  readonly name: string
  authorize(
    attributes: AuthorizationAttributes,
    context: { signal: AbortSignal },
  ): AuthorizationResult | Promise<AuthorizationResult>
}

/** Lists a user's permissions in a namespace, for SelfSubjectRulesReview. */
export interface RuleResolver {
  rulesFor(
    user: UserInfo,
    namespace: string,
    context: { signal: AbortSignal },
  ): Promise<{
    resourceRules: readonly ResourceRule[]
    nonResourceRules: readonly NonResourceRule[]
    incomplete: boolean
    errors: readonly string[]
  }>
}
export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
}
export interface NonResourceRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs: readonly string[]
}
