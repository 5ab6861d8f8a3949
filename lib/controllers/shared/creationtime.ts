import { parseTime } from '../../object/index.ts'

interface Created {
  readonly metadata: { readonly creationTimestamp?: string | undefined; readonly name?: string | undefined }
}

/** Oldest first, by name within a second. Objects that are not created yet come first. */
export function byCreation(left: Created, right: Created): number {
  const difference = createdMs(left) - createdMs(right)
  if (difference !== 0) return difference
  const [one = '', other = ''] = [left.metadata.name, right.metadata.name]
  return one < other ? -1 : one > other ? 1 : 0
}

export function createdMs({ metadata: { creationTimestamp } }: Created): number {
  return creationTimestamp === undefined ? 0 : parseTime(creationTimestamp)
}
