import type { Job } from '../../../api/gen/batch/v1.ts'
import { type Frozen, parseTime } from '../../object/index.ts'

/** When a job is to be deleted; undefined: never in its present state. */
export function expiryMs({ metadata, spec, status }: Frozen<Job>): number | undefined {
  const { ttlSecondsAfterFinished } = spec
  if (metadata.deletionTimestamp !== undefined || ttlSecondsAfterFinished === undefined) return undefined
  const finished = status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  )
  if (finished?.lastTransitionTime === undefined) return undefined
  return parseTime(finished.lastTransitionTime) + ttlSecondsAfterFinished * 1000
}
