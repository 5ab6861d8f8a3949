import type { ClassifiedRequest, Fairness, Refusal } from '../../fairness/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { Next, ServerFilter } from '../chain.ts'
import { sendText } from '../failure.ts'
import type { ServerMetrics } from '../metrics.ts'

/** Longest wait in a queue, whatever the request's own timeout. */
const waitMsMax = 60_000
/** Fraction of its timeout that a request may wait in a queue. */
const waitShare = 1 / 4

/**
 * API Priority and Fairness: a request gets seats of its priority level at once, after a wait in a queue, or not at all
 * (429). A watch releases its seats once its initial events are sent; other long-running requests take none.
 */
export function priorityAndFairness(fairness: Fairness, metrics: ServerMetrics): ServerFilter {
  return (call, next) => {
    const isWatch = call.info.verb === 'watch'
    if (call.longRunning && !isWatch) return next(call)
    const uncount = isWatch && call.info.isResource ? fairness.watchers.add(call.info, call.query) : undefined
    if (uncount) call.onFinish({ finish: uncount })
    const classified = fairness.start(call)
    call.fairness = classified
    const { schema, level, request, refusal } = classified
    call.responseHeaders.push(
      'x-kubernetes-pf-flowschema-uid',
      schema.uid,
      'x-kubernetes-pf-prioritylevel-uid',
      level.uid,
    )
    if (refusal !== undefined) return refuse(call, classified, metrics)
    if (request.state === 'waiting') return wait(call, next, classified)
    return execute(call, next, classified, 0)
  }

  async function wait(call: ServerCall, next: Next, classified: ClassifiedRequest): Promise<void> {
    const { request, level, schema } = classified
    const timeoutMs = call.deadline?.timeoutMs ?? Infinity
    const decided = new Promise<Refusal | undefined>((resolve) => {
      request.onDecided = resolve
    })
    const timer = call.clock.after(Math.min(waitMsMax, timeoutMs * waitShare), () =>
      fairness.giveUp(classified, 'time-out'),
    )
    const leave = (): void => fairness.giveUp(classified, 'cancelled')
    call.signal.addEventListener('abort', leave, { once: true })
    if (call.signal.aborted) leave()
    const refusal = await decided
    void timer.close()
    call.signal.removeEventListener('abort', leave)
    const waitedSeconds = (call.clock.monotonicMs() - request.arrivedMs) / 1000
    if (refusal === undefined) return await execute(call, next, classified, waitedSeconds)
    level.seriesOf(schema.name).waited(false, waitedSeconds)
    return await refuse(call, classified, metrics)
  }

  function execute(
    call: ServerCall,
    next: Next,
    classified: ClassifiedRequest,
    waitedSeconds: number,
  ): void | Promise<void> {
    const { level, schema, request } = classified
    call.timings.seatedMs = request.startedMs
    if (!level.exempt) level.seriesOf(schema.name).waited(true, waitedSeconds)
    const seat = new Seat(fairness, classified)
    call.onFinish(seat)
    call.seat = seat
    return next(call)
  }
}

/** The seats of a request while it executes. */
class Seat implements Finisher {
  readonly #fairness: Fairness
  readonly #classified: ClassifiedRequest
  #held = true

  constructor(fairness: Fairness, classified: ClassifiedRequest) {
    this.#fairness = fairness
    this.#classified = classified
  }

  release(nowMs: number): void {
    if (!this.#held) return
    this.#held = false
    this.#fairness.finish(this.#classified, nowMs)
  }

  finish(call: ServerCall): void {
    const nowMs = call.clock.monotonicMs()
    this.release(nowMs)
    const { level, schema, request } = this.#classified
    level.seriesOf(schema.name).executed(call.longRunning, (nowMs - request.startedMs) / 1000)
  }
}

function refuse(call: ServerCall, { level }: ClassifiedRequest, metrics: ServerMetrics): void | Promise<void> {
  metrics.terminated(call, 429)
  call.responseHeaders.push('retry-after', String(level.retryAfter.refuse(call.clock.now())))
  return sendText(call, 429, 'Too many requests, please try again later.\n')
}
