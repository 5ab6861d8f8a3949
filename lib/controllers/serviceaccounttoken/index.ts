import { resources } from '../../../api/gen/resources.ts'
import { readSigningKey } from '../../authn/index.ts'
import { type ControllerDefinition, joinKey, keyOf } from '../../controller/index.ts'
import { dropReference, fill, isListed } from './perform.ts'
import { accountOf } from './plan.ts'

const { secrets, serviceaccounts } = resources.core.v1
const retriesMax = 10

/** Writes tokens into the secrets that request them, and deletes these when their account is deleted. */
export const serviceaccounttoken: ControllerDefinition = {
  name: 'serviceaccount-token-controller',
  aliases: ['serviceaccount-token'],
  account: 'tokens-controller',
  asShared: true,
  disabled: ({ serviceAccountPrivateKey }) => serviceAccountPrivateKey === '',
  start(context) {
    const { settings } = context
    const key = readSigningKey(settings.serviceAccountPrivateKey)
    const known = context.informer(secrets)
    const accounts = context.informer(serviceaccounts)
    const workers = settings.concurrentServiceaccountTokenSyncs
    const parts = { context, key, known, accounts }
    const queue = context.reconcile({
      name: 'serviceaccount_tokens_secret',
      workers,
      retriesMax,
      turn: (name, { client }) => fill(parts, client, name),
    })
    const references = context.reconcile({
      name: 'serviceaccount_tokens_service',
      workers,
      retriesMax,
      turn: (name, { client }) => dropReference(client, name),
    })
    known.subscribe(({ object, deleted }) => {
      const account = accountOf(object)
      if (account === undefined) return
      if (!deleted) return queue.add(keyOf(object))
      const { namespace = '', name = '' } = object.metadata
      if (isListed(accounts.get(joinKey(namespace, account)), name)) references.add(`${namespace}/${account}/${name}`)
    })
    accounts.subscribe(({ object: { metadata } }) => {
      for (const secret of known.in(metadata.namespace ?? ''))
        if (accountOf(secret) === metadata.name) queue.add(keyOf(secret))
    })
  },
}
