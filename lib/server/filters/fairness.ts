import type { FairAdmission, Fairness, Refusal } from '../../fairness/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { Filter, Next } from '../chain.ts'
import { sendText } from '../failure.ts'
import type { ServerMetrics } from '../metrics.ts'

/** The longest that a request waits, whatever its own time-out. */
const waitMsMax = 60_000
/** The part of a request's time that it may wait. */
const waitShare = 1 / 4

/**
 * Gives each request the seats of its priority level: at once, after a wait in its queue, or not at all (429). A watch
 * gives its seats back when it has sent what it begins with; other requests that run for long take none.
 */
export function shareFairly(fairness: Fairness, metrics: ServerMetrics): Filter {
  return (call, next) => {
    const isWatch = call.info.verb === 'watch'
    if (call.longRunning && !isWatch) return next(call)
    const uncount = isWatch && call.info.isResource ? fairness.watchers.add(call.info, call.query) : undefined
    if (uncount) call.onFinish({ finish: uncount })
    const admission = fairness.start(call)
    call.admission = admission
    const { schema, level, request, refusal } = admission
    call.responseHeaders.push(
      'x-kubernetes-pf-flowschema-uid',
      schema.uid,
      'x-kubernetes-pf-prioritylevel-uid',
      level.uid,
    )
    if (refusal !== undefined) return refuse(call, admission, metrics)
    if (request.state === 'waiting') return wait(call, next, admission)
    return execute(call, next, admission, 0)
  }

  async function wait(call: ServerCall, next: Next, admission: FairAdmission): Promise<void> {
    const { request, level, schema } = admission
    const settled = new Promise<Refusal | undefined>((settle) => {
      request.settle = settle
    })
    const timer = call.clock.after(Math.min(waitMsMax, call.timeoutMs * waitShare), () =>
      fairness.giveUp(admission, 'time-out'),
    )
    const leave = (): void => fairness.giveUp(admission, 'cancelled')
    call.signal.addEventListener('abort', leave, { once: true })
    if (call.signal.aborted) leave()
    const refusal = await settled
    void timer.close()
    call.signal.removeEventListener('abort', leave)
    const waitedSeconds = (call.clock.monotonicMs() - request.arrivedMs) / 1000
    if (refusal === undefined) return await execute(call, next, admission, waitedSeconds)
    level.seriesOf(schema.name).waited(false, waitedSeconds)
    return await refuse(call, admission, metrics)
  }

  function execute(
    call: ServerCall,
    next: Next,
    admission: FairAdmission,
    waitedSeconds: number,
  ): void | Promise<void> {
    const { level, schema, request } = admission
    call.seatedMs = request.startedMs
    if (!level.exempt) level.seriesOf(schema.name).waited(true, waitedSeconds)
    const seat = new Seat(fairness, admission)
    call.onFinish(seat)
    call.seat = seat
    return next(call)
  }
}

/** The seats of a request while it executes. */
class Seat implements Finisher {
  readonly #fairness: Fairness
  readonly #admission: FairAdmission
  #held = true

  constructor(fairness: Fairness, admission: FairAdmission) {
    this.#fairness = fairness
    this.#admission = admission
  }

  giveBack(nowMs: number): void {
    if (!this.#held) return
    this.#held = false
    this.#fairness.finish(this.#admission, nowMs)
  }

  finish(call: ServerCall): void {
    const nowMs = call.clock.monotonicMs()
    this.giveBack(nowMs)
    const { level, schema, request } = this.#admission
    level.seriesOf(schema.name).executed(call.longRunning, (nowMs - request.startedMs) / 1000)
  }
}

function refuse(call: ServerCall, { level }: FairAdmission, metrics: ServerMetrics): void | Promise<void> {
  metrics.terminated(call, 429)
  call.responseHeaders.push('retry-after', String(level.retryAfter.refuse(call.clock.now())))
  return sendText(call, 429, 'Too many requests, please try again later.\n')
}
