import type { Predicate } from '../cache/index.ts'
import { type ApiObject, StatusError } from '../object/index.ts'
import type { DeleteOptions } from '../request/index.ts'
import type { ResourceParts, WriteContext } from './context.ts'
import { deleteObject } from './delete.ts'

export interface CollectionScope {
  /** First key, inclusive, and first key beyond. */
  readonly start: string
  readonly end: string
  readonly predicate?: Predicate
}

/**
 * Deletes every object of a scope, `workers` at a time, and answers them as they were. What vanishes meanwhile counts as
 * deleted; the first other failure stops the rest.
 */
export async function deleteCollection(
  parts: ResourceParts,
  scope: CollectionScope,
  options: DeleteOptions,
  context: WriteContext,
  workers: number,
): Promise<readonly ApiObject[]> {
  const { entries } = await parts.cache.list({
    ...scope,
    at: { kind: 'latest' },
    ...(context.signal ? { signal: context.signal } : {}),
  })
  const objects = entries.map((entry) => entry.object())
  const failure = new AbortController()
  let next = 0
  const work = async (): Promise<void> => {
    for (let object = objects[next++]; object && !failure.signal.aborted; object = objects[next++]) {
      const { name = '', namespace = '' } = object.metadata
      try {
        await deleteObject(parts, { name, namespace, key: parts.key(namespace, name) }, options, context)
      } catch (error) {
        if (error instanceof StatusError && error.reason === 'NotFound') continue
        failure.abort(error)
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, objects.length)) }, work))
  return objects
}
