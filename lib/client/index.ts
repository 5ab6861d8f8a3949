// client: requests to other servers: webhooks, issuers of tokens, and this API itself as its controllers see it.
// Invariant: nothing waits for an answer without a limit in time and bytes. Must not know what the answers mean.
export { createFileCredentials, type CredentialFiles, type Credentials, type CredentialSource } from './credentials.ts'
export type { Endpoint } from './endpoint.ts'
export { outputBytesMax, runMsMax } from './exec/run.ts'
export { type KubeconfigDependencies, loadKubeconfig, readKubeconfig } from './kubeconfig.ts'
export {
  createEndpointClient,
  type EndpointAnswer,
  type EndpointClient,
  type EndpointClientOptions,
  RequestError,
} from './request.ts'
export { retry, type RetryOptions } from './retry.ts'
