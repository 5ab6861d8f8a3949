import type { Clock, Closable } from '../base/index.ts'

/** Ends a connection after a time without data. */
export interface IdleLimit extends Closable {
  /** Data has passed. */
  touch(): void
}

/** Number of checks during the limit, which is the precision of the limit. */
const looks = 8

export function createIdleLimit(clock: Clock, idleMs: number, end: () => void): IdleLimit {
  let isTouched = true
  let idleLooks = 0
  const timer = clock.every(idleMs / looks, () => {
    idleLooks = isTouched ? 0 : idleLooks + 1
    isTouched = false
    if (idleLooks >= looks) end()
  })
  return {
    touch() {
      isTouched = true
    },
    close: () => timer.close(),
  }
}
