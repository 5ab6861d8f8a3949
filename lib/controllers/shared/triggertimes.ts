import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type Frozen, formatTime, parseTime } from '../../object/index.ts'
import { readyCondition } from './podstate.ts'

export const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** The times of the changes that caused a service's endpoints. */
interface TriggerTimes {
  /** The earliest change since the last call for that service; undefined where there is none. */
  next(key: string, service: Frozen<Service>, pods: Iterable<Frozen<Pod>>): string | undefined
  forget(key: string): void
}

/** Remembers one time per service and per pod of it. */
export function createTriggerTimes(): TriggerTimes {
  const known = new Map<string, ReadonlyMap<string, number>>()
  return {
    next(key, { metadata }, pods) {
      const before = known.get(key)
      const times = new Map<string, number>()
      const note = (uid: string, time: string | undefined): void => {
        const ms = time === undefined ? undefined : parseTime(time)
        if (ms !== undefined) times.set(uid, ms)
      }
      note(metadata.uid ?? '', metadata.creationTimestamp ?? undefined)
      for (const pod of pods) note(pod.metadata.uid ?? '', readyCondition(pod)?.lastTransitionTime)
      known.set(key, times)
      let earliest: number | undefined
      for (const [uid, ms] of times)
        if (ms > (before?.get(uid) ?? 0) && (earliest === undefined || ms < earliest)) earliest = ms
      return earliest === undefined ? undefined : formatTime(earliest)
    },
    forget: (key) => void known.delete(key),
  }
}
