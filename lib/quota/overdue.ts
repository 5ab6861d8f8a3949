import type { Clock } from '../base/index.ts'
import { type ApiObject, type Frozen, secondsToMs } from '../object/index.ts'

type Metadata = Frozen<ApiObject['metadata']>

/** Whether an object is being deleted and has had the time to end twice: a pod that is overdue counts no more. */
export type IsOverdue = (metadata: Metadata) => boolean

/** By the clock of those who delete. */
export function overdueByTimestamp(clock: Clock): IsOverdue {
  return ({ deletionTimestamp, deletionGracePeriodSeconds }) => {
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
    return clock.now() > Date.parse(deletionTimestamp) + secondsToMs(deletionGracePeriodSeconds)
  }
}

export interface OverdueWatch {
  readonly isOverdue: IsOverdue
  /** The object is gone. */
  forget(uid: string): void
}

/** By the time since the deletion was first looked at: clocks of other machines, and the time of day, don't count. */
export function createOverdueWatch(clock: Pick<Clock, 'monotonicMs'>): OverdueWatch {
  const seen = new Map<string, { readonly deletionTimestamp: string; readonly atMs: number }>()
  return {
    isOverdue({ uid = '', deletionTimestamp, deletionGracePeriodSeconds }) {
      if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
      const nowMs = clock.monotonicMs()
      let first = seen.get(uid)
      // Another deletion may give it less time.
      if (first?.deletionTimestamp !== deletionTimestamp) seen.set(uid, (first = { deletionTimestamp, atMs: nowMs }))
      return nowMs - first.atMs > 2 * secondsToMs(deletionGracePeriodSeconds)
    },
    forget: (uid) => void seen.delete(uid),
  }
}
