import { resources } from '../../api/gen/resources.ts'
import type { ControllerDefinition } from '../controller/index.ts'
import { type HollowNodesOptions, nodeNames } from './contract.ts'
import { createCommands } from './kubelet/commands.ts'
import { logRoute } from './kubelet/logs.ts'
import { createKubeletServer, type KubeletRoute, sendText } from './kubelet/server.ts'
import { createKubeletStreams } from './kubelet/streams.ts'
import { type PodUsage, podUsage, resourceMetrics } from './kubelet/usage.ts'
import { PodAddresses } from './node/addresses.ts'
import { type Agent, createAgent, runAgents } from './node/agents.ts'
import { defaultCapacity } from './node/object.ts'
import type { HollowPod } from './pods/hollowpod.ts'
import { type PodWork, workOnPods } from './pods/work.ts'
import { runVolumeDriver } from './volumes/driver.ts'

const loopback = '127.0.0.1'

/** Nodes without machines: their pods go through their phases, and their kubelets answer, all in this process. */
export function createHollowNodes({
  count,
  version,
  capacity = {},
  authority,
  connect,
}: HollowNodesOptions): ControllerDefinition {
  return {
    name: 'hollow-nodes',
    account: '',
    component: 'kubelet',
    async start(context) {
      const { clock } = context
      const pods = context.informer(resources.core.v1.pods)
      const nodes = context.informer(resources.core.v1.nodes)
      const claims = context.informer(resources.core.v1.persistentvolumeclaims)
      // oxlint-disable-next-line prefer-const -- the server, which asks it, comes first
      let work: PodWork | undefined
      const find = (key: string): HollowPod | undefined => work?.known.get(key)
      const pair = authority.issue({
        commonName: 'system:node:hollow',
        organizations: ['system:nodes'],
        usage: 'server',
        names: [loopback, 'localhost', ...nodeNames(Math.min(count, 100))],
      })
      const ports = new Map<number, string>()
      const startedAtMs = clock.now()
      const usageOf = (node: string): PodUsage[] =>
        [...(work?.known.values() ?? [])]
          .filter(({ pod }) => pod.spec.nodeName === node)
          .map(({ pod, record }) => ({
            namespace: pod.metadata.namespace ?? '',
            name: pod.metadata.name ?? '',
            containers: podUsage(pod, record),
          }))
      const pages: KubeletRoute[] = [
        { prefix: '/healthz', handle: (_request, response) => sendText(response, 200, 'ok') },
        {
          prefix: '/metrics/resource',
          handle: (_request, response, _url, port) =>
            sendText(response, 200, resourceMetrics(usageOf(ports.get(port) ?? ''), startedAtMs, clock.now())),
        },
      ]
      const server = createKubeletServer({
        ...pair,
        clientAuthority: authority.certificate,
        routes: [
          logRoute({ now: () => clock.now(), logOf: (path, isPrevious) => logOf(find, path, isPrevious) }),
          ...createKubeletStreams(clock, createCommands(clock, find)).routes,
          ...pages,
        ],
      })
      context.own(server)
      const agents = new Map<string, Agent>()
      for (const [index, name] of nodeNames(count).entries()) {
        const port = await server.listen(loopback)
        ports.set(port, name)
        const agent = createAgent(name, index, port, () => connect(name))
        context.own(agent.client)
        agents.set(name, agent)
      }
      const settings = { version, capacity: { ...defaultCapacity, ...capacity }, address: loopback }
      work = workOnPods({
        context,
        informers: { pods, nodes, claims },
        agents,
        addresses: new PodAddresses(),
        hostIp: loopback,
      })
      context.own(work)
      runVolumeDriver(context, {
        claims,
        volumes: context.informer(resources.core.v1.persistentvolumes),
        classes: context.informer(resources.storage.v1.storageclasses),
      })
      runAgents([...agents.values()], { context, nodes, settings })
    },
  }
}

function logOf(find: (key: string) => HollowPod | undefined, path: string, isPrevious: boolean) {
  const [namespace = '', name = '', container = ''] = path.split('/')
  const log = find(`${namespace}/${name}`)?.logOf(container, isPrevious)
  if (!log)
    throw new Error(
      isPrevious
        ? `previous terminated container "${container}" in pod "${name}" not found`
        : `container "${container}" in pod "${name}" is waiting to start`,
    )
  return log
}
