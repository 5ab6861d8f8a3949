import type { PartialObject } from '../../client/index.ts'
import type { Frozen, OwnerReference } from '../../object/index.ts'
import { foregroundFinalizer, orphanFinalizer } from './graph.ts'

/** The state of an owner: it is gone, it waits for its dependents to go, or it holds them. */
export type OwnerState = 'dangling' | 'waiting' | 'solid'

/** The dependents of an object as the graph knows them. */
export interface Dependents {
  readonly count: number
  /** Uids of those that block the object's deletion and are not deleting dependents themselves. */
  readonly blocking: readonly string[]
  /** One blocks that is deleting dependents itself. */
  readonly blockedByDeleting: boolean
  /** One of all is deleting its dependents: the object may own one of its owners. */
  readonly deleting: boolean
}

export type Intention =
  | { readonly do: 'nothing' }
  /** Foreground deletion: these go first. */
  | { readonly do: 'checkDependents'; readonly uids: readonly string[] }
  | { readonly do: 'removeFinalizer'; readonly finalizer: string }
  | { readonly do: 'removeOwners'; readonly uids: readonly string[] }
  | {
      readonly do: 'delete'
      readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground'
      /** Else a circle of objects would wait for itself. */
      readonly unblockFirst?: boolean
    }

/** Plans the next step for one object that may have lost its owners, or that waits for its dependents. */
export function plan(
  { metadata }: Frozen<PartialObject>,
  dependents: Dependents,
  stateOf: (reference: Frozen<OwnerReference>) => OwnerState,
): Intention {
  const finalizers = metadata.finalizers ?? []
  const isWaiting = metadata.deletionTimestamp !== undefined
  if (isWaiting && finalizers.includes(foregroundFinalizer)) {
    if (dependents.blocking.length > 0) return { do: 'checkDependents', uids: dependents.blocking }
    if (dependents.blockedByDeleting) return { do: 'nothing' }
    return { do: 'removeFinalizer', finalizer: foregroundFinalizer }
  }
  if (isWaiting) return { do: 'nothing' }
  const references = metadata.ownerReferences ?? []
  if (references.length === 0) return { do: 'nothing' }
  const states = references.map((reference) => ({ uid: reference.uid, state: stateOf(reference) }))
  if (states.some(({ state }) => state === 'solid')) {
    const uids = states.filter(({ state }) => state !== 'solid').map(({ uid }) => uid)
    return uids.length === 0 ? { do: 'nothing' } : { do: 'removeOwners', uids }
  }
  if (states.some(({ state }) => state === 'waiting') && dependents.count > 0)
    return {
      do: 'delete',
      propagationPolicy: 'Foreground',
      ...(dependents.deleting ? { unblockFirst: true } : {}),
    }
  if (finalizers.includes(orphanFinalizer)) return { do: 'delete', propagationPolicy: 'Orphan' }
  if (finalizers.includes(foregroundFinalizer)) return { do: 'delete', propagationPolicy: 'Foreground' }
  return { do: 'delete', propagationPolicy: 'Background' }
}
