import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, isNotFound, joinKey, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { plan } from './plan.ts'

const leaseNamespace = 'kube-system'
const identityLabel = 'apiserver.kubernetes.io/identity'

/** Removes API servers without an identity lease from the storage versions that they reported. */
export const storageversiongc: ControllerDefinition = {
  name: 'storageversion-garbage-collector-controller',
  aliases: ['storage-version-gc'],
  account: 'storage-version-garbage-collector',
  gates: ['APIServerIdentity', 'StorageVersionAPI'],
  start(context) {
    const { storageversions } = resources.internal.v1alpha1
    const versions = context.informer(storageversions)
    const leases = context.informer(resources.coordination.v1.leases)
    const isIdentity = ({ metadata }: Frozen<Lease>): boolean =>
      metadata.namespace === leaseNamespace && metadata.labels?.[identityLabel] === 'kube-apiserver'
    const isAlive = (server: string): boolean => {
      const lease = leases.get(joinKey(leaseNamespace, server))
      return lease !== undefined && isIdentity(lease)
    }
    const queue = context.reconcile({
      name: 'storageversion_garbage_collector',
      workers: 1,
      async turn(name, { client }) {
        const version = versions.get(name)
        const planned = version && plan(version, isAlive)
        if (!planned) return
        const all = client.resource(storageversions)
        try {
          if (planned === 'delete') await all.delete({ name }, { resourceVersion: version.metadata.resourceVersion })
          else await all.updateStatus(planned)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
      },
    })
    versions.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    leases.subscribe(({ object, deleted }) => {
      if (deleted && isIdentity(object)) for (const version of versions.all()) queue.add(keyOf(version))
    })
  },
}
