// client: the API as its clients see it (every verb, typed by resource, over HTTP or in process), and requests to other
// servers: webhooks, issuers of tokens. Invariant: nothing waits for an answer without a limit in time and bytes. Must
// not know what objects mean, nor how this process serves them: lib/server implements LocalApi.

export { answerProblem } from './answerproblem.ts'
export type {
  Client,
  PartialObject,
  ResourceClient,
  Transport,
  TransportRequest,
  WatchEvent,
  WatchSink,
} from './contract.ts'
export { type CredentialSource, type Credentials, createFileCredentials } from './credentials.ts'
export type { ServerEndpoint } from './endpoint.ts'
export { createEndpointConnections, type EndpointConnections } from './endpointconnections.ts'
export type { EndpointAnswer } from './exchange.ts'
export { Unprocessed, unprocessedBy } from './exchange.ts'
export { outputBytesMax, runMsMax } from './exec/run.ts'
export { hookPlace } from './hookurl.ts'
export { createServerConnections, type ServerConnections } from './http/connect.ts'
export { createProtobufEncoding, type ProtobufEncoding } from './http/encoding.ts'
export { createHttpTransport } from './http/request.ts'
export { loadInCluster } from './incluster.ts'
export { type CredentialsFor, loadKubeconfig, loadServerUsers, readKubeconfig } from './kubeconfig.ts'
export { createLoopbackTransport, type LocalApi, type LocalRequest } from './loopback.ts'
export { negotiating } from './negotiation.ts'
export { withRateLimit } from './ratelimit.ts'
export {
  createEndpointClient,
  type EndpointClient,
  type EndpointClientOptions,
  RequestError,
} from './request.ts'
export { createClient } from './resource.ts'
export { withRetryAfter } from './retryafter.ts'
export { hostPort, type ResolveService, type ServiceAddress, serviceHost } from './service.ts'
export { webhookBackoff } from './webhookbackoff.ts'
