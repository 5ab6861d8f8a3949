import { resources } from '../../api/gen/resources.ts'
import type { ControllerContext, ControllerDefinition } from '../controller/index.ts'
import { type HollowNodesOptions, nodeNames } from './contract.ts'
import { createHollowKubelets } from './kubelet/kubelets.ts'
import { podUsage } from './kubelet/usage.ts'
import { installMetricsApi, serverName } from './metricsapi/install.ts'
import { startMetricsServer } from './metricsapi/server.ts'
import { PodAddresses } from './node/addresses.ts'
import { type Agent, createAgent, runAgents } from './node/agents.ts'
import { defaultCapacity } from './node/object.ts'
import { type PodWork, workOnPods } from './pods/work.ts'
import { runVolumeDriver } from './volumes/driver.ts'

const address = '127.0.0.1'

/** Nodes without machines: their pods go through their phases, and their kubelets answer, all in this process. */
export function createHollowNodes(options: HollowNodesOptions): ControllerDefinition {
  return {
    name: 'hollow-nodes',
    account: '',
    component: 'kubelet',
    start: async (context) => await start(context, options),
  }
}

async function start(context: ControllerContext, options: HollowNodesOptions): Promise<void> {
  const { authority, version, capacity = {}, connect } = options
  const names = nodeNames(options.count)
  const pods = context.informer(resources.core.v1.pods)
  const nodes = context.informer(resources.core.v1.nodes)
  const claims = context.informer(resources.core.v1.persistentvolumeclaims)
  const running: { work?: PodWork } = {}
  const kubelets = createHollowKubelets({ clock: context.clock, authority, address }, names, () => running.work?.known)
  context.own(kubelets)
  const agents = new Map<string, Agent>()
  for (const [index, name] of names.entries()) {
    const agent = createAgent(name, index, await kubelets.listen(name), () => connect(name))
    context.own(agent.client)
    agents.set(name, agent)
  }
  const addresses = new PodAddresses()
  const work = workOnPods({ context, informers: { pods, nodes, claims }, agents, addresses, hostIp: address })
  running.work = work
  context.own(work)
  runVolumeDriver(context, {
    claims,
    volumes: context.informer(resources.core.v1.persistentvolumes),
    classes: context.informer(resources.storage.v1.storageclasses),
  })
  await provideMetrics(context, options, {
    nodes,
    pods,
    nodeNames: new Set(names),
    now: () => context.clock.now(),
    usageOf(key) {
      const hollow = work.known.get(key)
      return hollow && podUsage(hollow.pod, hollow.record)
    },
  })
  const settings = { version, capacity: { ...defaultCapacity, ...capacity }, address }
  runAgents([...agents.values()], { context, nodes, settings })
}

async function provideMetrics(
  context: ControllerContext,
  { authority }: HollowNodesOptions,
  sources: Parameters<typeof startMetricsServer>[2],
): Promise<void> {
  const pair = authority.issue({ commonName: serverName, usage: 'server', names: [serverName, address] })
  const server = await startMetricsServer(pair, address, sources)
  context.own(server)
  context.whenSynced(
    async () =>
      await installMetricsApi(context.client, { address, port: server.port, authority: authority.certificate }),
  )
}
