import { resources } from '../../api/gen/resources.ts'
import type { ControllerContext, ControllerDefinition } from '../controller/index.ts'
import { type HollowNodesOptions, nodeNames } from './contract.ts'
import { createHollowKubelets } from './kubelet/kubelets.ts'
import { podUsage } from './kubelet/usage.ts'
import { installMetricsApi, serverName } from './metricsapi/install.ts'
import { startMetricsServer } from './metricsapi/server.ts'
import { PodAddresses } from './node/addresses.ts'
import { type Agent, createAgent, registerAll, runAgents } from './node/agents.ts'
import { defaultCapacity } from './node/object.ts'
import { type PodWork, workOnPods } from './pods/work.ts'
import { playStages } from './stages/play.ts'
import { installVolumeDriver, runVolumeDriver } from './volumes/driver.ts'

const address = '127.0.0.1'

export interface HollowNodes {
  readonly definition: ControllerDefinition
  /** Registers everything again after all objects were deleted. */
  restore(): Promise<void>
}

/** Nodes without machines: their pods go through their phases, and their kubelets answer, all in this process. */
export function createHollowNodes(options: HollowNodesOptions): HollowNodes {
  let register: (() => Promise<void>) | undefined
  return {
    definition: {
      name: 'hollow-nodes',
      account: '',
      component: 'kubelet',
      async start(context) {
        register = await start(context, options)
        context.whenSynced(register)
      },
    },
    restore: async () => await register?.(),
  }
}

/** Returns a function that makes the nodes, their volumes and metrics known. */
async function start(context: ControllerContext, options: HollowNodesOptions): Promise<() => Promise<void>> {
  const { authority, version, capacity = {}, connect } = options
  const names = nodeNames(options.prefix, options.count)
  const pods = context.informer(resources.core.v1.pods)
  const nodes = context.informer(resources.core.v1.nodes)
  const claims = context.informer(resources.core.v1.persistentvolumeclaims)
  const running: { work?: PodWork } = {}
  const kubelets = createHollowKubelets({ clock: context.clock, authority, address }, names, () => running.work?.known)
  context.own(kubelets)
  const agents: Agent[] = []
  for (const [index, name] of names.entries()) {
    const agent = createAgent(name, index, await kubelets.listen(name), () => connect(name))
    context.own(agent.client)
    agents.push(agent)
  }
  const work = workOnPods({
    context,
    informers: { pods, nodes, claims },
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    addresses: new PodAddresses(options.prefix),
    hostIp: address,
  })
  running.work = work
  const { stages, seed } = options
  if (stages)
    playStages({
      context,
      informers: { pods, nodes },
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      work,
      facts: { address, version },
      source: stages,
      seed,
    })
  context.own(work)
  const volumes = context.informer(resources.core.v1.persistentvolumes)
  const classes = context.informer(resources.storage.v1.storageclasses)
  runVolumeDriver(context, { claims, volumes, classes })
  const registerMetrics = await provideMetrics(context, options, {
    nodes,
    pods,
    nodeNames: new Set(names),
    now: () => context.clock.now(),
    usageOf(key) {
      const hollow = work.known.get(key)
      return hollow && podUsage(hollow.pod, hollow.record)
    },
  })
  const dependencies = {
    context,
    nodes,
    settings: { version, capacity: { ...defaultCapacity, ...capacity }, address },
  }
  runAgents(agents, dependencies)
  return async () => {
    await Promise.all([registerAll(agents, dependencies), installVolumeDriver(context), registerMetrics()])
  }
}

async function provideMetrics(
  context: ControllerContext,
  { authority }: HollowNodesOptions,
  sources: Parameters<typeof startMetricsServer>[3],
): Promise<() => Promise<void>> {
  const pair = authority.issue({ commonName: serverName, usage: 'server', names: [serverName, address] })
  const server = await startMetricsServer(context, pair, address, sources)
  context.own(server)
  const place = { address, port: server.port, authority: authority.certificate }
  return async () => {
    await server.refresh()
    await installMetricsApi(context.client, place)
  }
}
