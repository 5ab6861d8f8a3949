/** The configured authorizers, in order. */
export interface AuthorizersConfig {
  readonly authorizers: readonly AuthorizerConfig[]
}

export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const
export type AuthorizationMode = (typeof authorizationModes)[number]

export interface AuthorizerConfig {
  readonly type: AuthorizationMode
  /** The name in metrics. */
  readonly name: string
  readonly webhook?: WebhookConfig
}

export interface WebhookConfig {
  /** Path of a kubeconfig; undefined: this cluster's own API. */
  readonly kubeconfig: string | undefined
  readonly version: 'v1' | 'v1beta1'
  readonly timeoutMs: number
  readonly failurePolicy: 'NoOpinion' | 'Deny'
  readonly authorizedTtlMs: number
  readonly unauthorizedTtlMs: number
  /** CEL. */
  readonly conditions: readonly string[]
}

/** The configuration that equals the flags: one authorizer for each mode, named after it. */
export function configOfModes(
  modes: readonly AuthorizationMode[],
  webhook: Omit<WebhookConfig, 'timeoutMs' | 'failurePolicy' | 'conditions'> | undefined,
): AuthorizersConfig {
  return {
    authorizers: modes.map((type) => ({
      type,
      name: type === 'Webhook' ? 'default' : type.toLowerCase(),
      webhook:
        type === 'Webhook' && webhook
          ? { ...webhook, timeoutMs: 30_000, failurePolicy: 'NoOpinion', conditions: [] }
          : undefined,
    })),
  }
}
