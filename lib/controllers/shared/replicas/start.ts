import { resources } from '../../../../api/gen/resources.ts'
import { type ControllerContext, keyOf } from '../../../controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../object/index.ts'
import { ownersOf } from '../ownersof.ts'
import { observe, type ReplicaOwner } from './observe.ts'
import { perform } from './perform.ts'
import { ageRatios, plan } from './plan.ts'

/** The differences between ReplicaSets and ReplicationControllers. */
interface ReplicaKind {
  readonly type: ResourceType
  readonly queue: string
  readonly workers: number
  /** Whether the status has a number of pods that are being deleted. */
  readonly reportsTerminating: boolean
  read(object: Frozen<ApiObject>): ReplicaOwner
}

export function startReplicas(
  context: ControllerContext,
  { type, queue: name, workers, reportsTerminating, read }: ReplicaKind,
): void {
  const owners = context.informer(type)
  const pods = context.informer(resources.core.v1.pods)
  const ages = context.metrics.histogram({
    name: 'replicaset_controller_sorting_deletion_age_ratio',
    help: 'Age of a surplus ready pod that is deleted, divided by that of the youngest ready pod.',
    buckets: [0.25, 0.5, 1, 2, 4, 8],
    stability: 'ALPHA',
  })
  const queue = context.reconcile({
    name,
    workers,
    async turn(key, { client }) {
      const seen = observe({ owners, pods }, key, read, reportsTerminating)
      if (!seen) return
      const planned = plan(seen, context.clock.now())
      for (const ratio of ageRatios(seen.active, planned.delete, context.clock.now())) ages.observe([], ratio)
      const dependencies = {
        client,
        owners: client.resource(type),
        events: context.events,
        now: () => context.clock.now(),
      }
      return { againAfterMs: await perform(seen, planned, dependencies) }
    },
  })
  owners.subscribe(({ object }) => queue.add(keyOf(object)))
  const those = {
    kind: type.kind,
    in: (namespace: string) => owners.in(namespace),
    selectorOf: (owner: Frozen<ApiObject>) => read(owner).selector,
  }
  pods.subscribe((change) => {
    for (const key of ownersOf(change, those)) queue.add(key)
  })
}
