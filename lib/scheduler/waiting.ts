import { type ControllerContext, type Identified, type Informer } from '../controller/index.ts'

/** Waits for a state of objects that an informer shows. */
export type WaitFor = (isReached: () => boolean, timeoutMs: number) => Promise<void>

/**
 * The predicate is asked now and at each change; where it throws, the wait rejects with that, and after the time with
 * `context deadline exceeded`, as in stock messages.
 */
export function createWait<T extends Identified>(context: ControllerContext, informer: Informer<T>): WaitFor {
  const looks = new Set<() => void>()
  informer.subscribe(() => {
    for (const look of looks) look()
  })
  return (isReached, timeoutMs) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        looks.delete(look)
        void timer.close()
        context.signal.removeEventListener('abort', aborted)
      }
      const fail = (error: unknown): void => {
        stop()
        reject(error)
      }
      const look = (): void => {
        try {
          if (!isReached()) return
        } catch (error) {
          return fail(error)
        }
        stop()
        resolve()
      }
      const aborted = (): void => fail(new Error('the scheduler stops'))
      const timer = context.clock.after(timeoutMs, () => fail(new Error('context deadline exceeded')))
      context.signal.addEventListener('abort', aborted)
      looks.add(look)
      look()
    })
}
