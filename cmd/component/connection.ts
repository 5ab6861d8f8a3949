import { resources } from '../../api/gen/resources.ts'
import type { Clock, Logger, Random } from '../../lib/base/index.ts'
import {
  type Client,
  createHttpTransport,
  loadInCluster,
  loadKubeconfig,
  type ProtobufEncoding,
  type ServerConnections,
  type ServerEndpoint,
  type Transport,
  withRateLimit,
  withRetryAfter,
} from '../../lib/client/index.ts'
import { type ProcessEnvironment, reasonOf, StartError } from '../../lib/controlplane/index.ts'
import type { Scheme } from '../../lib/scheme/index.ts'
import type { Observing } from '../apiserver/observing.ts'
import type { ComponentConfig } from './configure.ts'

/** The environment, log, metrics, clock and kinds of a program. */
export type ComponentServices = Observing &
  ProcessEnvironment & { readonly clock: Clock; readonly random: Random; readonly scheme: Scheme }

const connectPauseMs = 1000
const connectMsMax = 10_000

/** The API server of --kubeconfig and --master. Rejects with StartError. */
export async function endpointOf(
  services: ComponentServices,
  { kubeconfig, master }: ComponentConfig,
): Promise<ServerEndpoint> {
  try {
    const endpoint =
      kubeconfig !== ''
        ? await loadKubeconfig(services, kubeconfig)
        : master === ''
          ? await loadInCluster(services, services.environment)
          : { url: master }
    return master === '' ? endpoint : { ...endpoint, url: master }
  } catch (error) {
    throw new StartError(`--kubeconfig: ${reasonOf(error)}`, { cause: error })
  }
}

/** An API server with credentials for it, and connections that all clients with these credentials share. */
export interface ApiServer {
  readonly endpoint: ServerEndpoint
  readonly connections: ServerConnections
  /** All clients share it: it keeps codecs, and parts that objects have in common. Undefined: JSON is used. */
  readonly protobuf: ProtobufEncoding | undefined
}

export function connect(
  services: ComponentServices,
  config: ComponentConfig,
  { endpoint, connections, protobuf }: ApiServer,
  userAgent: string,
): Transport {
  const transport = createHttpTransport({ ...services, connections }, endpoint, {
    userAgent,
    protobuf,
  })
  const patient = withRetryAfter(transport, services)
  return config.rateLimit ? withRateLimit(patient, services, config.rateLimit) : patient
}

/** The client for TokenReviews and SubjectAccessReviews. Rejects when the kubeconfig can't be read. */
export async function reviewTransport(
  services: ComponentServices,
  kubeconfig: string,
  userAgent: string,
): Promise<Transport> {
  return createHttpTransport(services, await loadKubeconfig(services, kubeconfig), {
    userAgent,
    timeoutMs: connectMsMax,
  })
}

/** The API server may start at the same time. Rejects with StartError when it does not answer in time. */
export async function untilReachable(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const sinceMs = clock.monotonicMs()
  for (;;) {
    try {
      await client.resource(resources.core.v1.namespaces).get({ name: 'kube-system' }, { signal })
      return
    } catch (error) {
      if (signal.aborted) return
      if (clock.monotonicMs() - sinceMs >= connectMsMax)
        throw new StartError(`the API server can't be reached: ${reasonOf(error)}`, { cause: error })
      log.verbose(1, 'waiting for the API server', { error })
      await clock.sleep(connectPauseMs, signal).catch(() => {})
    }
  }
}
