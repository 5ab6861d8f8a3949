import { concurrentRequestsMax, settleConcurrently } from './settleconcurrently.ts'

/** The outcome of equal attempts. */
interface SlowStart {
  readonly succeeded: number
  readonly failed: number
  /** The first failure; the rest of its batch was still attempted, later batches were not. */
  readonly error: unknown
}

/**
 * Makes `count` attempts in batches of 1, 2, 4 and so on, up to the maximum of concurrent requests: where every
 * attempt fails, as with an exhausted quota, one is made and not a thousand.
 */
export async function slowStart(count: number, attempt: () => Promise<void>): Promise<SlowStart> {
  let succeeded = 0
  for (let batch = 1, left = count; left > 0; batch = Math.min(2 * batch, concurrentRequestsMax)) {
    const size = Math.min(batch, left)
    const results = await settleConcurrently(Array.from({ length: size }), attempt)
    const failure = results.find((result) => result.status === 'rejected')
    const failed = results.filter(({ status }) => status === 'rejected').length
    succeeded += size - failed
    if (failure) return { succeeded, failed, error: failure.reason }
    left -= size
  }
  return { succeeded, failed: 0, error: undefined }
}
