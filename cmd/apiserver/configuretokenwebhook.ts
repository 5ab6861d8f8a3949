import type { TokenWebhookConfig } from '../../lib/controlplane/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** Undefined where the flags name none. */
export function tokenWebhookConfig(flags: ApiserverFlags): TokenWebhookConfig | undefined {
  const configFile = flags['authentication-token-webhook-config-file']
  if (configFile === '') return undefined
  return {
    configFile,
    // tokenWebhookProblem has seen that it is one of them.
    version: flags['authentication-token-webhook-version'] as 'v1' | 'v1beta1',
    ttlMs: flags['authentication-token-webhook-cache-ttl'],
  }
}

/** The first fault in the flags about the token webhook; undefined when there is none. */
export function tokenWebhookProblem(flags: ApiserverFlags): string | undefined {
  const version = flags['authentication-token-webhook-version']
  return version === 'v1' || version === 'v1beta1'
    ? undefined
    : `--authentication-token-webhook-version: "${version}" is none of v1, v1beta1`
}
