import type { ReplicationController } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControllerDefinition } from '../../controller/index.ts'
import { type ApiObject, type Frozen, nothingSelector, selectorFromLabels } from '../../object/index.ts'
import type { ReplicaOwner } from '../shared/replicas/observe.ts'
import { startReplicas } from '../shared/replicas/start.ts'

/** Runs the desired number of pods of each ReplicationController, as for ReplicaSets. */
export const replicationcontroller: ControllerDefinition = {
  name: 'replicationcontroller-controller',
  aliases: ['replicationcontroller'],
  account: 'replication-controller',
  start: (context) =>
    startReplicas(context, {
      type: resources.core.v1.replicationcontrollers,
      queue: 'replicationmanager',
      workers: context.settings.concurrentRcSyncs,
      reportsTerminating: false,
      read: readReplicationController,
    }),
}

function readReplicationController(object: Frozen<ApiObject>): ReplicaOwner {
  const { spec, status } = object as Frozen<ReplicationController>
  const { selector = {} } = spec
  return {
    object,
    replicas: spec.replicas ?? 1,
    selector: Object.keys(selector).length === 0 ? nothingSelector : selectorFromLabels(selector),
    template: spec.template ?? { metadata: {}, spec: {} },
    minReadySeconds: spec.minReadySeconds ?? 0,
    status,
  }
}
