import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import type { Clock, Closable, Tracer } from '../../base/index.ts'
import {
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClient,
  hookPlace,
  type ResolveService,
  type ServerEndpoint,
  type ServiceAddress,
} from '../../client/index.ts'
import type { Egress } from '../../egress/index.ts'

/** Webhooks whose connections are kept; the least recently used is closed. */
const clientsMax = 200
/** Maximum size of an answer. */
const answerBytesMax = 3 * 1024 * 1024

interface HookClient {
  /** The URL in errors. */
  readonly url: string
  post(body: string, signal: AbortSignal): Promise<EndpointAnswer>
}

/** Connections to webhooks, kept and shared by all webhooks with the same client configuration. */
export interface HookClients extends Closable {
  of(target: v1.WebhookClientConfig, timeoutSeconds: number): HookClient
  close(): void
}

interface HookClientsDependencies {
  readonly clock: Clock
  readonly tracer?: Tracer | undefined
  readonly resolve: ResolveService
  /** Webhooks of services are in the cluster's network, those of URLs in the control plane's. */
  readonly egress: Egress
  /** This server's credentials for the webhook's server `host:port`. */
  credentials(host: string): Pick<ServerEndpoint, 'authorization' | 'cert' | 'key' | 'credentials'>
}

export function createHookClients(dependencies: HookClientsDependencies): HookClients {
  const { clock } = dependencies
  const known = new Map<string, HookClient & { readonly client: EndpointClient }>()
  const texts = new WeakMap<v1.WebhookClientConfig, string>()
  /** A bundle of certificates is long, and a configuration serves many requests. */
  const textOf = (target: v1.WebhookClientConfig): string => {
    let text = texts.get(target)
    if (text === undefined) texts.set(target, (text = JSON.stringify(target)))
    return text
  }
  return {
    of(target, timeoutSeconds) {
      const key = `${timeoutSeconds} ${textOf(target)}`
      const client = known.get(key) ?? open(dependencies, clock, target, timeoutSeconds)
      known.delete(key)
      known.set(key, client)
      const [oldest] = known.size > clientsMax ? known : []
      if (oldest) {
        known.delete(oldest[0])
        oldest[1].client.close()
      }
      return client
    },
    close() {
      for (const { client } of known.values()) client.close()
      known.clear()
    },
  }
}

function open(
  { tracer, resolve, egress, credentials }: HookClientsDependencies,
  clock: Clock,
  target: v1.WebhookClientConfig,
  timeoutSeconds: number,
): HookClient & { readonly client: EndpointClient } {
  const { url, service: at } = hookPlace(target)
  const { protocol, host, hostname, port } = new URL(url)
  if (protocol !== 'https:') throw new Error(`unsupported protocol scheme "${protocol.slice(0, -1)}"`)
  const full = `${url}?timeout=${timeoutSeconds}s`
  let dialled: ServiceAddress | undefined
  const ca = target.caBundle ? Buffer.from(target.caBundle, 'base64').toString() : ''
  const endpoint: ServerEndpoint = {
    url: full,
    dialer: at ? egress.cluster : egress.controlplane,
    ...(ca === '' ? {} : { ca }),
    ...(at ? { serverName: at.host, dial: () => dialled ?? { host: at.name, port: at.port } } : {}),
    ...credentials(port === '' ? `${hostname}:443` : host),
  }
  const client = createEndpointClient({ clock, tracer }, endpoint, {
    bodyBytesMax: answerBytesMax,
    userAgent: 'kube-apiserver-admission',
  })
  return {
    url: full,
    client,
    async post(body, signal) {
      // Resolved before the connection is requested, since a failure could not be reported there.
      if (at) dialled = await resolve(at)
      return await client.post(body, signal, timeoutSeconds * 1000)
    },
  }
}
