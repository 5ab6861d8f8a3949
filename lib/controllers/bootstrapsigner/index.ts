import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isConflict, isNotFound } from '../../controller/index.ts'
import { bootstrapTokenType, systemNamespace } from '../shared/bootstraptoken.ts'
import { planSignatures } from './plan.ts'

const mapKey = 'kube-public/cluster-info'

/** Signs the cluster-info config map with each bootstrap token, so that new nodes can trust it. */
export const bootstrapsigner: ControllerDefinition = {
  name: 'bootstrap-signer-controller',
  aliases: ['bootstrapsigner'],
  account: 'bootstrap-signer',
  byDefault: false,
  start(context) {
    const { configmaps, secrets } = resources.core.v1
    const maps = context.informer(configmaps)
    const tokens = context.informer(secrets)
    const queue = context.reconcile({
      name: 'bootstrap_signer_queue',
      workers: 1,
      async turn(_, { client }) {
        const map = maps.get(mapKey)
        const data = planSignatures(map, tokens.in(systemNamespace), context.clock.now())
        if (!map || !data) return
        try {
          await client.resource(configmaps).update({ ...map, data })
        } catch (error) {
          if (!isConflict(error) && !isNotFound(error)) throw error
        }
      },
    })
    maps.subscribe(({ object: { metadata }, deleted }) => {
      if (!deleted && `${metadata.namespace}/${metadata.name}` === mapKey) queue.add(mapKey)
    })
    tokens.subscribe(({ object: { metadata, type } }) => {
      if (metadata.namespace === systemNamespace && type === bootstrapTokenType) queue.add(mapKey)
    })
  },
}
