/**
 * So many requests of one piece of work are under way at once: more would make it no faster, but every other request to
 * the same server would wait for them.
 */
export const concurrentRequestsMax = 32

/** Does the work on each, several at a time; answers how each went, in their order. */
export async function settleConcurrently<T>(
  all: readonly T[],
  work: (each: T) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = []
  let next = 0
  async function worker(): Promise<void> {
    for (let index = next++; index < all.length; index = next++) {
      try {
        // The index is within the array.
        results[index] = { status: 'fulfilled', value: await work(all[index] as T) }
      } catch (reason) {
        results[index] = { status: 'rejected', reason }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrentRequestsMax, all.length) }, worker))
  return results
}
