import type { Subject } from './subject.ts'

/** Maximum number of objects and bytes of one call; a single object may have more. */
const objectsMax = 200
const bytesMax = 1024 * 1024

/** Divides subjects, in their order, into batches for one call each. */
export function batchesOf(subjects: readonly Subject[]): Subject[][] {
  const batches: Subject[][] = []
  let batch: Subject[] = []
  let bytes = 0
  for (const subject of subjects) {
    if (batch.length === objectsMax || (batch.length > 0 && bytes + subject.bytes > bytesMax)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(subject)
    bytes += subject.bytes
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
