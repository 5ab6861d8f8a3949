import type { Clock } from '../../base/index.ts'

/** Runs `work` with a signal that aborts after `timeoutMs`; `explain` gets whether it did. Leaves no timer behind. */
export async function withTimeout<Result>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
  explain: (error: unknown, isOver: boolean) => Error,
): Promise<Result> {
  const controller = new AbortController()
  const timer = clock.after(timeoutMs, () => controller.abort(new Error('the time is over')))
  try {
    return await work(controller.signal)
  } catch (error) {
    throw explain(error, controller.signal.aborted)
  } finally {
    await timer.close()
  }
}
