import type { Closable } from '../base/index.ts'
import type { VirtualHandler } from '../endpoints/index.ts'
import type { NodeProxyDependencies, NodeProxyOptions } from './contract.ts'
import { createLogHandler } from './handlers/log.ts'
import { createStreamHandlers } from './handlers/streams.ts'
import { createKubelets } from './kubelet/kubelets.ts'

/** The subresources that connect to nodes, pods and services. */
export interface NodeProxy extends Closable {
  readonly handlers: readonly VirtualHandler[]
  close(): void
}

export function createNodeProxy(dependencies: NodeProxyDependencies, options: NodeProxyOptions): NodeProxy {
  const kubelets = createKubelets(dependencies, options)
  return {
    handlers: [createLogHandler(dependencies, kubelets), ...createStreamHandlers(dependencies, options, kubelets)],
    close: () => kubelets.close(),
  }
}
