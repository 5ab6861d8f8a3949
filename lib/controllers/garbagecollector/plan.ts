import type { PartialObject } from '../../client/index.ts'
import type { Frozen, OwnerReference } from '../../object/index.ts'
import { foregroundFinalizer, orphanFinalizer } from './graph.ts'

/** The state of an owner: it does not exist, it waits for its dependents' deletion, or it keeps them. */
export type OwnerState = 'dangling' | 'waiting' | 'solid'

/** The dependents of an object in the graph. */
export interface Dependents {
  readonly count: number
  /** Uids of the dependents that block the object's deletion and don't wait for dependents themselves. */
  readonly blocking: readonly string[]
  /** A blocking dependent waits for its own dependents. */
  readonly blockedByDeleting: boolean
  /** A dependent waits for its own dependents: the object may be one of them. */
  readonly deleting: boolean
}

export type Intention =
  | { readonly do: 'nothing' }
  /** Foreground deletion: these are deleted first. */
  | { readonly do: 'checkDependents'; readonly uids: readonly string[] }
  | { readonly do: 'removeFinalizer'; readonly finalizer: string }
  | { readonly do: 'removeOwners'; readonly uids: readonly string[] }
  | {
      readonly do: 'delete'
      readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground'
      /** Resolves a cycle of objects that wait for each other. */
      readonly unblockFirst?: boolean
    }

/** Plans the next step for one object that may have lost its owners or waits for its dependents. */
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
      unblockFirst: dependents.deleting || undefined,
    }
  if (finalizers.includes(orphanFinalizer)) return { do: 'delete', propagationPolicy: 'Orphan' }
  if (finalizers.includes(foregroundFinalizer)) return { do: 'delete', propagationPolicy: 'Foreground' }
  return { do: 'delete', propagationPolicy: 'Background' }
}
