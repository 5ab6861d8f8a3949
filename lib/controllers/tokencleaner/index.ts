import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, keyOf, type TurnResult } from '../../controller/index.ts'
import { bootstrapTokenType, expirationMs, systemNamespace } from '../shared/bootstraptoken.ts'

/** Deletes bootstrap tokens that have expired. */
export const tokencleaner: ControllerDefinition = {
  name: 'token-cleaner-controller',
  aliases: ['tokencleaner'],
  account: 'token-cleaner',
  byDefault: false,
  start(context) {
    const { secrets } = resources.core.v1
    const known = context.informer(secrets)
    const queue = context.reconcile({
      name: 'token_cleaner',
      workers: 1,
      async turn(key, { client }): Promise<TurnResult | void> {
        const secret = known.get(key)
        const endMs = secret && expirationMs(secret)
        if (secret === undefined || endMs === undefined || secret.metadata.deletionTimestamp !== undefined)
          return undefined
        const leftMs = endMs - context.clock.now()
        if (leftMs > 0) return { againAfterMs: leftMs }
        try {
          await client.resource(secrets).delete(secret.metadata, { uid: secret.metadata.uid })
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
        return undefined
      },
    })
    known.subscribe(({ object, deleted }) => {
      const { metadata, type } = object
      if (!deleted && metadata.namespace === systemNamespace && type === bootstrapTokenType) queue.add(keyOf(object))
    })
  },
}
