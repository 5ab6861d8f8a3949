import { createWebhookAuthenticator, type TokenAuthenticator } from '../../lib/authn/index.ts'
import type { Clock, Closable, Metrics, Random } from '../../lib/base/index.ts'
import { createEndpointClient, loadKubeconfig } from '../../lib/client/index.ts'
import { reasonOf, StartError } from './failure.ts'
import type { ApiserverFlags } from './flags.ts'

/** The server that reviews tokens. */
export interface TokenWebhookConfig {
  readonly configFile: string
  readonly version: 'v1' | 'v1beta1'
  readonly ttlMs: number
}

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

/** What is wrong with the flags about it; undefined when nothing is. */
export function tokenWebhookProblem(flags: ApiserverFlags): string | undefined {
  const version = flags['authentication-token-webhook-version']
  return version === 'v1' || version === 'v1beta1'
    ? undefined
    : `--authentication-token-webhook-version: "${version}" is none of v1, v1beta1`
}

/** Rejects with StartError when the file can't be used. */
export async function openTokenWebhook(
  config: TokenWebhookConfig | undefined,
  audiences: readonly string[],
  services: { clock: Clock; random: Random; metrics: Metrics },
): Promise<(TokenAuthenticator & Closable) | undefined> {
  if (config === undefined) return undefined
  try {
    const { clock } = services
    const endpoint = await loadKubeconfig({ clock, environment: process.env }, config.configFile)
    const client = createEndpointClient(services, endpoint)
    const { version, ttlMs } = config
    const authenticator = createWebhookAuthenticator(services, client, { version, ttlMs, audiences })
    return { ...authenticator, close: () => client.close() }
  } catch (error) {
    throw new StartError(`--authentication-token-webhook-config-file: ${config.configFile}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
