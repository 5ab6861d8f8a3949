import type { Clock } from '../base/index.ts'
import { type ApiObject, type Frozen, secondsToMs } from '../object/index.ts'

type Metadata = Frozen<ApiObject['metadata']>

/** Whether an object is being deleted and has had twice the time for it: an overdue pod is not counted. */
export type IsOverdue = (metadata: Metadata) => boolean

/** By the clock of the deleting server. */
export function overdueByTimestamp(clock: Clock): IsOverdue {
  return ({ deletionTimestamp, deletionGracePeriodSeconds }) => {
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
    return clock.now() > Date.parse(deletionTimestamp) + secondsToMs(deletionGracePeriodSeconds)
  }
}

export interface OverdueWatch {
  readonly isOverdue: IsOverdue
  /** The object is deleted. */
  forget(uid: string): void
}

/**
 * By the time since this process first saw the deletion: clocks of other machines, and the time of day, don't matter.
 */
export function createOverdueWatch(clock: Pick<Clock, 'monotonicMs'>): OverdueWatch {
  const seen = new Map<string, { readonly deletionTimestamp: string; readonly atMs: number }>()
  return {
    isOverdue({ uid = '', deletionTimestamp, deletionGracePeriodSeconds }) {
      if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
      const nowMs = clock.monotonicMs()
      let first = seen.get(uid)
      // Another deletion may have a shorter grace period.
      if (first?.deletionTimestamp !== deletionTimestamp) seen.set(uid, (first = { deletionTimestamp, atMs: nowMs }))
      return nowMs - first.atMs > 2 * secondsToMs(deletionGracePeriodSeconds)
    },
    forget: (uid) => void seen.delete(uid),
  }
}
