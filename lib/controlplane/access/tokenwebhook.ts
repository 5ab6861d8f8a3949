import { createWebhookAuthenticator, type TokenAuthenticator } from '../../authn/index.ts'
import type { Clock, Closable, Metrics, Random } from '../../base/index.ts'
import { createEndpointClient, loadKubeconfig } from '../../client/index.ts'
import type { Egress } from '../../egress/index.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { ProcessEnvironment } from '../serverservices.ts'

/** The server that reviews tokens. */
export interface TokenWebhookConfig {
  readonly configFile: string
  readonly version: 'v1' | 'v1beta1'
  readonly ttlMs: number
}

/** Rejects with StartError when the file can't be used. */
export async function openTokenWebhook(
  config: TokenWebhookConfig | undefined,
  audiences: readonly string[],
  services: {
    clock: Clock
    random: Random
    metrics: Metrics
    environment: ProcessEnvironment['environment']
    egress: Egress
  },
): Promise<(TokenAuthenticator & Closable) | undefined> {
  if (config === undefined) return undefined
  try {
    const endpoint = await loadKubeconfig(services, config.configFile)
    const client = createEndpointClient(services, { ...endpoint, dialer: services.egress.controlplane })
    const { version, ttlMs } = config
    const authenticator = createWebhookAuthenticator(services, client, { version, ttlMs, audiences })
    return { ...authenticator, close: () => client.close() }
  } catch (error) {
    throw new StartError(`--authentication-token-webhook-config-file: ${config.configFile}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
