import type { TokenWebhookConfig } from '../../lib/controlplane/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** Undefined without its flags. */
export function tokenWebhookConfig(flags: ApiserverFlags): TokenWebhookConfig | undefined {
  const configFile = flags['authentication-token-webhook-config-file']
  if (configFile === '') return undefined
  return {
    configFile,
    // tokenWebhookProblem has checked the value.
    version: flags['authentication-token-webhook-version'] as 'v1' | 'v1beta1',
    ttlMs: flags['authentication-token-webhook-cache-ttl'],
  }
}

/** The first problem of the token webhook flags; undefined when there is none. */
export function tokenWebhookProblem(flags: ApiserverFlags): string | undefined {
  const version = flags['authentication-token-webhook-version']
  return version === 'v1' || version === 'v1beta1'
    ? undefined
    : `--authentication-token-webhook-version: "${version}" is none of v1, v1beta1`
}
