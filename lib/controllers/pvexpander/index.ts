import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { deepEqual } from '../../object/index.ts'
import { grows, plan, resizerAnnotation } from './plan.ts'

const { persistentvolumeclaims, persistentvolumes } = resources.core.v1

/** Records which driver a claim's expansion waits for; drivers expand the volumes. */
export const pvexpander: ControllerDefinition = {
  name: 'persistentvolume-expander-controller',
  aliases: ['persistentvolume-expander'],
  account: 'expand-controller',
  component: 'volume_expand',
  start(context) {
    const claims = context.informer(persistentvolumeclaims)
    const volumes = context.informer(persistentvolumes)
    const queue = context.reconcile({
      name: 'volume_expand',
      workers: 10,
      async turn(key, { client }) {
        const claim = claims.get(key)
        const planned = claim && plan(claim, volumes.get(claim.spec.volumeName ?? ''))
        if (!claim || !planned) return
        const { type, message, resizer } = planned
        if (resizer !== undefined) {
          const patch = { metadata: { annotations: { [resizerAnnotation]: resizer } } }
          try {
            await client.resource(persistentvolumeclaims).patchStatus(claim.metadata, 'merge', patch)
          } catch (error) {
            if (!isNotFound(error)) throw error
          }
        }
        context.events.event(claim, type, 'ExternalExpanding', message)
      },
    })
    claims.subscribe(({ object, before, deleted }) => {
      // A change of annotations does not repeat the event.
      const isNews = !before || !deepEqual([before.spec, before.status], [object.spec, object.status])
      if (!deleted && isNews && grows(object)) queue.add(keyOf(object))
    })
  },
}
