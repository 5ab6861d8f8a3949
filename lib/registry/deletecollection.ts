import { type ApiObject, StatusError } from '../object/index.ts'
import type { DeleteOptions } from '../request/index.ts'
import type { ResourceParts, WriteContext } from './context.ts'
import { deleteObject } from './delete.ts'

/**
 * Deletes all of `objects`, `workers` at a time. Objects that vanish meanwhile count as deleted; the first other
 * failure stops the rest.
 */
export async function deleteCollection(
  parts: ResourceParts,
  objects: readonly ApiObject[],
  options: DeleteOptions,
  context: WriteContext,
  workers: number,
): Promise<void> {
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    for (let object = objects[next++]; object && !failed; object = objects[next++]) {
      const { name = '', namespace = '' } = object.metadata
      try {
        await deleteObject(parts, { name, namespace, key: parts.key(namespace, name) }, options, {
          ...context,
          inCollection: true,
        })
      } catch (error) {
        if (error instanceof StatusError && error.reason === 'NotFound') continue
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, objects.length)) }, work))
}
