import type { Closable } from '../base/index.ts'
import type { ServiceAddress } from '../client/index.ts'
import type { VirtualHandler } from '../endpoints/index.ts'
import { createServers } from '../proxy/index.ts'
import type { NodeProxyDependencies, NodeProxyOptions } from './contract.ts'
import { isAllowed } from './guard.ts'
import { createLogHandler } from './handlers/log.ts'
import { createProxyHandler } from './handlers/proxies.ts'
import { proxyKinds } from './handlers/proxykinds.ts'
import { createStreamHandlers } from './handlers/streams.ts'
import { createKubelets } from './kubelet/kubelets.ts'
import type { ProxyTarget } from './target.ts'

/** The subresources that connect to nodes, pods and services. */
export interface NodeProxy extends Closable {
  readonly handlers: readonly VirtualHandler[]
  close(): void
}

/** The stock server's limit for connecting to pods and services. */
const connectTimeoutMs = 30_000

export function createNodeProxy(dependencies: NodeProxyDependencies, options: NodeProxyOptions): NodeProxy {
  const { clock, dialer } = dependencies
  const kubelets = createKubelets(dependencies, options)
  const http = createServers({ clock, scheme: 'http', connectTimeoutMs, isAllowed, dialer })
  const https = createServers({ clock, scheme: 'https', connectTimeoutMs, isAllowed, dialer })
  const connect = (scheme: 'http' | 'https', address: ServiceAddress): ProxyTarget => ({
    address,
    server: (scheme === 'https' ? https : http).at(address),
  })
  return {
    handlers: [
      createLogHandler(dependencies, kubelets),
      ...createStreamHandlers(dependencies, options, kubelets),
      ...proxyKinds(dependencies, kubelets, connect).map((kind) => createProxyHandler(dependencies, options, kind)),
    ],
    close() {
      kubelets.close()
      http.close()
      https.close()
    },
  }
}
