import type * as batch from '../../../../api/gen/batch/v1.ts'

/** Warns of a job at `path` whose status may exceed its size limit. */
export function jobSpecWarnings(path: string, spec: batch.JobSpec | undefined): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 100_000 || parallelism <= 10_000) return []
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ]
}
