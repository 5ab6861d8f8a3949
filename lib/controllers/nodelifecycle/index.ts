import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import { startHealth } from './monitor.ts'
import { labelsToMirror, withConditionTaints } from './taints.ts'

/** Follows the health of nodes: their conditions and taints, and whether their pods count as ready. */
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
        const labels = labelsToMirror(node)
        const taints = withConditionTaints(node, context.clock.now())
        if (!labels && !taints) return
        await client.resource(nodesType).patch({ name }, 'merge', {
          metadata: { resourceVersion: node.metadata.resourceVersion, ...(labels ? { labels } : {}) },
          ...(taints ? { spec: { taints } } : {}),
        })
      },
    })
    nodes.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    startHealth(context, nodes)
  },
}
