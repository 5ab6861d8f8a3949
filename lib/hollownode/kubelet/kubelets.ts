import type { Clock, Closable } from '../../base/index.ts'
import type { Authority } from '../../pki/index.ts'
import type { ContainerLog } from '../pods/containerlog.ts'
import type { HollowPod } from '../pods/hollowpod.ts'
import { createCommands } from './commands.ts'
import { logRoute } from './logs.ts'
import { createKubeletServer, sendText } from './server.ts'
import { createKubeletStreams } from './streams.ts'
import { podUsage, resourceMetrics } from './usage.ts'

/** The pods of all nodes of this process, by `namespace/name`. */
export interface KnownPods {
  get(key: string): HollowPod | undefined
  values(): Iterable<HollowPod>
}

export interface HollowKubelets extends Closable {
  /** Listens for another node; resolves with the port. */
  listen(node: string): Promise<number>
}

/** Names of nodes that the certificate has besides the address. */
const namesMax = 100

/** The kubelets' API of all nodes: logs, commands, ports, and what pods use. */
export function createHollowKubelets(
  { clock, authority, address }: { readonly clock: Clock; readonly authority: Authority; readonly address: string },
  nodes: readonly string[],
  pods: () => KnownPods | undefined,
): HollowKubelets {
  const find = (key: string): HollowPod | undefined => pods()?.get(key)
  const nodesByPort = new Map<number, string>()
  const startedAtMs = clock.now()
  const pair = authority.issue({
    commonName: 'system:node:hollow',
    organizations: ['system:nodes'],
    usage: 'server',
    names: [address, 'localhost', ...nodes.slice(0, namesMax)],
  })
  const metricsOf = (node: string | undefined): string => {
    const all = [...(pods()?.values() ?? [])].filter(({ pod }) => pod.spec.nodeName === node)
    const used = all.map(({ pod, record }) => {
      const { namespace = '', name = '' } = pod.metadata
      return { namespace, name, containers: podUsage(pod, record) }
    })
    return resourceMetrics(used, startedAtMs, clock.now())
  }
  const server = createKubeletServer({
    ...pair,
    clientAuthority: authority.certificate,
    routes: [
      logRoute({ now: () => clock.now(), logOf: (path, isPrevious) => logOf(find, path, isPrevious) }),
      ...createKubeletStreams(clock, createCommands(clock, find)).routes,
      { prefix: '/healthz', handle: (_request, response) => sendText(response, 200, 'ok') },
      {
        prefix: '/metrics/resource',
        handle: (_request, response, _url, port) => sendText(response, 200, metricsOf(nodesByPort.get(port))),
      },
    ],
  })
  return {
    async listen(node) {
      const port = await server.listen(address)
      nodesByPort.set(port, node)
      return port
    },
    close: () => server.close(),
  }
}

function logOf(find: (key: string) => HollowPod | undefined, path: string, isPrevious: boolean): ContainerLog {
  const [namespace = '', name = '', container = ''] = path.split('/')
  const log = find(`${namespace}/${name}`)?.logOf(container, isPrevious)
  if (log) return log
  throw new Error(
    isPrevious
      ? `previous terminated container "${container}" in pod "${name}" not found`
      : `container "${container}" in pod "${name}" is waiting to start`,
  )
}
