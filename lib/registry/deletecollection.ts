import { nextTurn } from '../base/index.ts'
import { StatusError } from '../object/index.ts'
import type { DeleteRequestOptions } from '../request/index.ts'
import type { ResourceParts, WriteContext, WriteTarget } from './context.ts'
import { deleteObject } from './delete.ts'

/** How long deletions without waits, such as dry runs, may hold the event loop. */
const sliceMs = 5

/**
 * Deletes all of `targets`, `workers` at a time. Objects that are deleted meanwhile count as deleted; the first other
 * failure stops the rest.
 */
export async function deleteCollection(
  parts: ResourceParts,
  targets: readonly WriteTarget[],
  options: DeleteRequestOptions,
  context: WriteContext,
  workers: number,
): Promise<void> {
  const { clock } = parts
  let next = 0
  let failed = false
  let untilMs = clock.monotonicMs() + sliceMs
  let pause: Promise<void> | undefined
  const newSlice = async (): Promise<void> => {
    await nextTurn(clock)
    untilMs = clock.monotonicMs() + sliceMs
    pause = undefined
  }
  const work = async (): Promise<void> => {
    for (let target = targets[next++]; target && !failed; target = targets[next++]) {
      // All workers share the slices: a worker whose pause ends late waits for the next slice.
      while (clock.monotonicMs() > untilMs) await (pause ??= newSlice())
      try {
        await deleteObject(parts, target, options, { ...context, inCollection: true })
      } catch (error) {
        if (error instanceof StatusError && error.reason === 'NotFound') continue
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, targets.length)) }, work))
}
