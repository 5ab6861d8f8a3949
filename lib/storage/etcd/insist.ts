import type { Clock } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { isUnknown } from './failure.ts'

/**
 * Time for one try of a write. A member that doesn't know yet that its leader is gone hands writes to that, and says so
 * after seven seconds: another try is answered long before.
 */
export const tryMs = 2500

/** Repeats what may be carried out twice until it is answered. Rejects with the last try's StoreError. */
export async function insist<T>(clock: Clock, timeoutMs: number, call: (timeoutMs: number) => Promise<T>): Promise<T> {
  const deadlineMs = clock.monotonicMs() + timeoutMs
  for (let remainingMs = timeoutMs; ; ) {
    try {
      return await call(Math.min(remainingMs, tryMs))
    } catch (error) {
      remainingMs = deadlineMs - clock.monotonicMs()
      if (!(error instanceof StoreError) || !isUnknown(error) || remainingMs <= 0) throw error
    }
  }
}
