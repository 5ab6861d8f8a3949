import type { Clock, Closable, Random } from '../base/index.ts'

interface LoopOptions {
  /** From the end of a run that succeeded to the next. */
  readonly periodMs: number
  /** After a failure: doubled each time, up to the period. */
  readonly retryMsMin: number
}

/** Work that is done again and again, never twice at the same time. */
export interface Loop extends Closable {
  /** Runs soon; during a run, once more behind it. */
  again(): void
  close(): void
}

/** `work` answers whether it succeeded; it must not reject. */
export function createLoop(
  { clock, random }: { clock: Clock; random: Random },
  { periodMs, retryMsMin }: LoopOptions,
  work: (signal: AbortSignal) => Promise<boolean>,
): Loop {
  const closing = new AbortController()
  let timer: Closable | undefined
  let isRunning = false
  let isWanted = false
  let failures = 0

  function plan(delayMs: number): void {
    void timer?.close()
    timer = closing.signal.aborted ? undefined : clock.after(delayMs, () => void run())
  }

  async function run(): Promise<void> {
    if (isRunning || closing.signal.aborted) return
    isRunning = true
    isWanted = false
    const succeeded = await work(closing.signal)
    isRunning = false
    failures = succeeded ? 0 : failures + 1
    const delayMs = succeeded ? periodMs : Math.min(periodMs, retryMsMin * 2 ** (failures - 1))
    plan(isWanted ? 0 : delayMs * (0.9 + random.fraction() / 10))
  }

  return {
    again() {
      isWanted = true
      failures = 0
      if (!isRunning) plan(0)
    },
    close() {
      closing.abort(new Error('the server stops'))
      void timer?.close()
    },
  }
}
