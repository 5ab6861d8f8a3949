import { runSlices, type Slices } from './breather.ts'
import type { Clock } from './clock.ts'

/** Thrown where work turns out to be too long for the event loop: it is begun again in a thread. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere'
}

/** Runs work that may be given up at each `yield`. */
export interface WorkLimit {
  /** Throws TooLongHere. */
  run<T>(slices: Slices<T>): T
}

/** For threads, which have nothing else to do, and for work that can't be done elsewhere. */
export const unlimitedWork: WorkLimit = { run: runSlices }

/** CPU time that one request's work may take on the event loop. */
const limitMs = 10

/** For the event loop: of all work together, which has begun now. */
export function createWorkLimit(clock: Clock): WorkLimit {
  let spentMs = 0
  return {
    run(slices) {
      const first = slices.next()
      if (first.done) return first.value
      let lastMs = clock.threadCpuMs()
      for (;;) {
        const { done, value } = slices.next()
        if (done) return value
        const nowMs = clock.threadCpuMs()
        spentMs += nowMs - lastMs
        lastMs = nowMs
        if (spentMs > limitMs) throw new TooLongHere()
      }
    },
  }
}
