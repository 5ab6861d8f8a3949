import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { nextStep, secondsOf } from './plan.ts'

const annotation = 'node.alpha.kubernetes.io/ttl'

/** Sets an annotation of nodes: how long kubelets may cache secrets and config maps, longer in larger clusters. */
export const ttl: ControllerDefinition = {
  name: 'ttl-controller',
  aliases: ['ttl'],
  account: 'ttl-controller',
  start(context) {
    const { nodes } = resources.core.v1
    const known = context.informer(nodes)
    let step = 0
    const queue = context.reconcile({
      name: 'ttlcontroller',
      workers: 5,
      async turn(name, { client }) {
        const node = known.get(name)
        const seconds = String(secondsOf(step))
        if (!node || node.metadata.annotations?.[annotation] === seconds) return
        try {
          const patch = { metadata: { annotations: { [annotation]: seconds } } }
          await client.resource(nodes).patch({ name }, 'strategic', patch)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      },
    })
    known.subscribe(({ object, deleted, before }) => {
      if (deleted || before === undefined) step = nextStep(step, known.size)
      if (!deleted) queue.add(keyOf(object))
    })
  },
}
