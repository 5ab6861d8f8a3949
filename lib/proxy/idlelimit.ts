import type { Clock, Closable } from '../base/index.ts'

/** Ends a connection on which nothing has passed for long. */
export interface IdleLimit extends Closable {
  /** Something has passed. */
  touch(): void
}

/** How often it is looked at: a limit is kept to within this part of it. */
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
