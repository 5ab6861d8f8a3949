import type { ReplicaSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControllerDefinition } from '../../controller/index.ts'
import { type ApiObject, type Frozen, labelSelectorFromObject } from '../../object/index.ts'
import type { ReplicaOwner } from '../shared/replicas/observe.ts'
import { startReplicas } from '../shared/replicas/start.ts'

/** Runs the desired number of pods of each ReplicaSet. */
export const replicaset: ControllerDefinition = {
  name: 'replicaset-controller',
  aliases: ['replicaset'],
  account: 'replicaset-controller',
  start: (context) =>
    startReplicas(context, {
      type: resources.apps.v1.replicasets,
      queue: 'replicaset',
      workers: context.settings.concurrentReplicasetSyncs,
      reportsTerminating: context.gate('DeploymentReplicaSetTerminatingReplicas'),
      read: readReplicaSet,
    }),
}

export function readReplicaSet(object: Frozen<ApiObject>): ReplicaOwner {
  const { spec, status } = object as Frozen<ReplicaSet>
  return {
    object,
    replicas: spec.replicas ?? 1,
    selector: labelSelectorFromObject(spec.selector),
    template: spec.template,
    minReadySeconds: spec.minReadySeconds ?? 0,
    status,
  }
}
