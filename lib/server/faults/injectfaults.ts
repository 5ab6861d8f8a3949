import type { Clock } from '../../base/index.ts'
import type { StatusError } from '../../object/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import { ServerStopping } from '../errors.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { delayAnswerStream } from './delayanswerstream.ts'
import { loseAnswer } from './loseanswer.ts'

/** A fault of one call that a test injects. */
export interface CallFault {
  /** Before anything else. */
  readonly delayMs?: number
  /** The answer; nothing is done. */
  readonly failure?: StatusError
  /** The call is done, and its connection breaks instead of the answer. */
  readonly losesAnswer?: boolean
  /** Each event of the watch arrives so much later. */
  readonly delayEventsMs?: number
  /** The watch ends so long after it has begun. */
  readonly endsAfterMs?: number
  /** It ends as a connection that breaks, not as one that the server closes. */
  readonly breaks?: boolean
}

interface FaultServices {
  readonly clock: Clock
  readonly lifecycle: Pick<Lifecycle, 'hold'>
}

/** Behind authentication and authorization, in front of the handlers: a refused request has no other fault. */
export function injectFaults(
  faultOf: (call: ServerCall) => CallFault | undefined,
  { clock, lifecycle }: FaultServices,
): ServerFilter {
  return (call, next) => {
    const fault = faultOf(call)
    return fault ? suffer(call, fault, next, { clock, lifecycle }) : next(call)
  }
}

async function suffer(
  call: ServerCall,
  { delayMs, failure, losesAnswer, delayEventsMs, endsAfterMs, breaks }: CallFault,
  next: (call: ServerCall) => void | Promise<void>,
  { clock, lifecycle }: FaultServices,
): Promise<void> {
  if (delayMs !== undefined) await wait(call, delayMs, { clock, lifecycle })
  if (failure) throw failure
  if (losesAnswer) loseAnswer(call.responder)
  if (delayEventsMs !== undefined) delayAnswerStream(call.responder, clock, delayEventsMs)
  if (endsAfterMs === undefined) return next(call)
  const timer = clock.after(endsAfterMs, () => {
    if (breaks) call.responder.fail()
    else call.abort(new ServerStopping())
  })
  call.onFinish({ finish: () => void timer.close() })
  return next(call)
}

async function wait(call: ServerCall, delayMs: number, { clock, lifecycle }: FaultServices): Promise<void> {
  const goOn = lifecycle.hold()
  try {
    await clock.sleep(delayMs, call.signal)
  } finally {
    goOn()
  }
}
