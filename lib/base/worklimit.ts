import type { Clock } from './clock.ts'

/** Thrown when work turns out to be too long for the event loop: it starts again in a thread. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere'
}

/** Limits the CPU time of synchronous work. */
export interface WorkLimit {
  /** Called at the start of work that calls `check` at intervals. */
  begin(): void
  /** Called about once a millisecond. Throws TooLongHere when the time is used up. */
  check(): void
}

/** For threads, which have no other work, and for work that can't be done elsewhere. */
export const unlimitedWork: WorkLimit = { begin() {}, check() {} }

/** Maximum CPU time of one request's work on the event loop. */
const limitMs = 10

/** For the event loop: the limit of all work of one request. */
export function createWorkLimit(clock: Clock): WorkLimit {
  let spentMs = 0
  /** Small objects are done before the first read of the clock. */
  let lastMs: number | undefined
  return {
    begin() {
      lastMs = undefined
    },
    check() {
      const nowMs = clock.threadCpuMs()
      if (lastMs !== undefined) spentMs += nowMs - lastMs
      lastMs = nowMs
      if (spentMs > limitMs) throw new TooLongHere()
    },
  }
}
