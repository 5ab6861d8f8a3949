import type { UserInfo } from '../request/index.ts'

/** The question that an authorizer answers. */
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
  /** Selectors as sent, where the verb has them. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export type Decision = 'allow' | 'deny' | 'no-opinion'

export interface AuthorizationResult {
  readonly decision: Decision
  readonly reason: string
  /** Something went wrong on the way; the decision stands all the same. */
  readonly error?: Error
}

/** Answers at once where it can: a promise costs. */
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
