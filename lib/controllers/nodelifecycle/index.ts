import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import { startHealth } from './monitor.ts'
import { planUpkeep } from './plan.ts'

/** Keeps the conditions and taints of nodes by their heartbeats, and marks the pods of lost nodes as not ready. */
export const nodelifecycle: ControllerDefinition = {
  name: 'node-lifecycle-controller',
  aliases: ['nodelifecycle'],
  account: 'node-controller',
  component: 'node-controller',
  start(context) {
    const { nodes: nodesType } = resources.core.v1
    const nodes = context.informer(nodesType)
    const queue = context.reconcile({
      name: 'node_lifecycle_controller',
      workers: 8,
      async turn(name, { client }) {
        const node = nodes.get(name)
        if (!node || node.metadata.deletionTimestamp !== undefined) return
        const patch = planUpkeep(node, context.clock.now())
        if (patch) await client.resource(nodesType).patch({ name }, 'merge', patch)
      },
    })
    nodes.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    startHealth(context, nodes)
  },
}
