/**
 * Maximum number of concurrent requests of one task: more would not make it faster, but delay every other request to
 * the same server.
 */
export const concurrentRequestsMax = 32

/** Runs the work on each item, several at a time; resolves with the results in the order of the items. */
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
