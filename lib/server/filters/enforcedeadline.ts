import { parseDurationMs, statusErrors } from '../../object/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { ChainParts } from '../contract.ts'
import type { Expiring, TimerWheel } from '../timerwheel.ts'

/**
 * Limits requests to --request-timeout, or to less where the `timeout` query parameter asks for less. A watch only has to
 * begin in that time, and its `timeout` parameter has another meaning. Other long-running requests have no deadline.
 */
export function enforceDeadline(parts: Pick<ChainParts, 'timers' | 'options' | 'errors' | 'metrics'>): ServerFilter {
  const { timers, errors, metrics } = parts
  const { requestTimeoutMs } = parts.options

  /** Answers the client now, even if the handler is still waiting. */
  function expire(call: ServerCall): void {
    const timeout = statusErrors.outOfTime()
    if (call.responder.started) {
      // A watch that has begun has no deadline.
      if (call.longRunning || call.responder.complete) return
      metrics.broken(call)
      call.responder.fail()
    } else {
      metrics.terminated(call, timeout.code)
      errors.answer(call, timeout)
    }
    call.outcome.timedOut = true
    call.abort(timeout)
  }

  return (call, next) => {
    if (call.longRunning && call.info.verb !== 'watch') return next(call)
    const timeoutMs = call.longRunning
      ? requestTimeoutMs
      : timeoutOf(call.url, () => call.query.get('timeout'), requestTimeoutMs)
    const deadline = new Deadline(call, timeoutMs, timers, expire)
    timers.add(deadline, timeoutMs)
    call.deadline = deadline
    call.onFinish(deadline)
    return next(call)
  }
}

class Deadline implements Expiring, Finisher {
  readonly timeoutMs: number
  readonly #call: ServerCall
  readonly #timers: TimerWheel
  readonly #expire: (call: ServerCall) => void
  // Set by the timer wheel.
  dueMs = 0
  slot: Expiring['slot'] = undefined
  place = -1

  constructor(call: ServerCall, timeoutMs: number, timers: TimerWheel, expire: (call: ServerCall) => void) {
    this.#call = call
    this.timeoutMs = timeoutMs
    this.#timers = timers
    this.#expire = expire
  }

  expire(): void {
    this.#expire(this.#call)
  }
  cancel(): void {
    this.#timers.remove(this)
  }
  finish(): void {
    this.cancel()
  }
}

function timeoutOf(url: string, parameter: () => string | null, timeoutMaxMs: number): number {
  if (!url.includes('timeout=')) return timeoutMaxMs
  const text = parameter()
  if (text === null || text === '') return timeoutMaxMs
  const askedMs = durationOf(text)
  return askedMs <= 0 ? timeoutMaxMs : Math.min(askedMs, timeoutMaxMs)
}

function durationOf(text: string): number {
  try {
    return parseDurationMs(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw statusErrors.badRequest(`invalid timeout specified in the request URL - ${why}`, error)
  }
}
