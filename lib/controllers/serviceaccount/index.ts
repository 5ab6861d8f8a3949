import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerDefinition,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'

const accountName = 'default'

/** Creates the default service account of each namespace. */
export const serviceaccount: ControllerDefinition = {
  name: 'serviceaccount-controller',
  aliases: ['serviceaccount'],
  account: 'service-account-controller',
  start(context) {
    const { namespaces, serviceaccounts } = resources.core.v1
    const known = context.informer(namespaces)
    const accounts = context.informer(serviceaccounts)
    const queue = context.reconcile({
      name: 'serviceaccount',
      workers: 1,
      async turn(namespace, { client }) {
        const isActive = known.get(namespace)?.status.phase === 'Active'
        if (!isActive || accounts.get(joinKey(namespace, accountName))) return
        const metadata = { namespace, name: accountName }
        try {
          await client.resource(serviceaccounts).create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
        } catch (error) {
          if (!isAlreadyExists(error) && !isNamespaceTerminating(error) && !isNotFound(error)) throw error
        }
      },
    })
    known.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    accounts.subscribe(({ object, deleted }) => {
      if (deleted && object.metadata.name === accountName) queue.add(namespaceOf(object))
    })
  },
}
