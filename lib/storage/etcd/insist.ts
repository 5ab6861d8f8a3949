import type { Clock } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { isUnknown } from './failure.ts'

/**
 * Time for one attempt of a write. A member that hasn't noticed the loss of its leader forwards writes to that leader,
 * and fails them after seven seconds: another attempt is answered long before.
 */
export const tryMs = 2500

/** Repeats an idempotent call until it is answered. Rejects with the last attempt's StoreError. */
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
