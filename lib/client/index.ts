// client: requests to other servers: webhooks, issuers of tokens, and this API itself as its controllers see it.
// Invariant: nothing waits for an answer without a limit in time and bytes. Must not know what the answers mean.
export type { Endpoint } from './endpoint.ts'
export { loadKubeconfig, readKubeconfig } from './kubeconfig.ts'
export {
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClient,
  type EndpointClientOptions,
  RequestError,
} from './request.ts'
export { retry, type RetryOptions } from './retry.ts'
