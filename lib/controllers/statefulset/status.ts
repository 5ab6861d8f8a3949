import type { StatefulSet } from '../../../api/gen/apps/v1.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { isAvailable, isReady } from '../shared/podstate.ts'
import { replicasOf, revisionLabel, type SomePod, type SomeSet } from './identity.ts'
import type { Revisions } from './plan.ts'

/** The status to write; undefined: it needs no change. */
export function statusAfter(
  set: SomeSet,
  pods: readonly SomePod[],
  { current, update }: { readonly [Of in keyof Revisions]: { readonly name: string } },
  collisions: number,
  nowMs: number,
): Frozen<StatefulSet['status']> | undefined {
  const made = pods.filter(({ status }) => (status.phase ?? '') !== '')
  const ready = pods.filter((pod) => pod.status.phase === 'Running' && isReady(pod))
  const staying = made.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const of = (revision: string): number =>
    staying.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length
  const updated = of(update.name)
  const isDone =
    set.spec.updateStrategy.type === 'RollingUpdate' &&
    updated === made.length &&
    ready.length === made.length &&
    made.length === replicasOf(set)
  const { conditions } = set.status
  const status = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: made.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)).length,
    currentReplicas: isDone ? updated : of(current.name),
    updatedReplicas: updated,
    currentRevision: isDone ? update.name : current.name,
    updateRevision: update.name,
    collisionCount: collisions,
    conditions,
  }
  return deepEqual({ ...blank, ...set.status }, status) ? undefined : status
}

const blank = { observedGeneration: 0, readyReplicas: 0, currentReplicas: 0, updatedReplicas: 0 }
