import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../lib/base/index.ts'
import type { Mapping } from './mapping.ts'

/** Metadata that every server sets itself. */
const ownMetadata = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink'])
/** Differing fields that are named. */
const namedMax = 5

/** The fields in which two bodies differ, at most five; the recorded one is mapped to the other server. */
export function differingFields(recorded: unknown, actual: unknown, mapping: Mapping): string[] {
  const found: string[] = []
  compare(mapping.body(recorded), actual, '', found)
  return found
}

function compare(left: unknown, right: unknown, path: string, found: string[]): void {
  if (found.length >= namedMax || isDeepStrictEqual(left, right)) return
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    for (const [index, item] of left.entries()) compare(item, right[index], `${path}[${index}]`, found)
    return
  }
  if (!isRecord(left) || !isRecord(right) || Array.isArray(left)) {
    // Times differ whenever the same thing is done again.
    if (!(isTime(left) && isTime(right))) found.push(path === '' ? '.' : path)
    return
  }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
    if (!(path.endsWith('metadata') && ownMetadata.has(name)))
      compare(left[name], right[name], path === '' ? name : `${path}.${name}`, found)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)
}
