import type { Clock } from './clock.ts'

/** Thrown where work turns out to be too long for the event loop: it is begun again in a thread. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere'
}

/** Bounds the CPU time of synchronous work. */
export interface WorkLimit {
  /** Work begins that calls `check` now and then. */
  begin(): void
  /** Called about once a millisecond. Throws TooLongHere when the time is used up. */
  check(): void
}

/** For threads, which have nothing else to do, and for work that can't be done elsewhere. */
export const unlimitedWork: WorkLimit = { begin() {}, check() {} }

/** CPU time that one request's work may take on the event loop. */
const limitMs = 10

/** For the event loop: the limit of all work that one request begins. */
export function createWorkLimit(clock: Clock): WorkLimit {
  let spentMs = 0
  /** Small objects are done before the clock would be read. */
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
