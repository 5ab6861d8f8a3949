import { parseDurationMs, statusErrors } from '../../object/index.ts'
import type { Finisher } from '../call.ts'
import type { Filter } from '../chain.ts'
import type { ServerOptions } from '../options.ts'
import type { TimerWheel } from '../timerwheel.ts'

/**
 * Bounds what is not long-running by --request-timeout, or by less where the `timeout` query asks for less. A watch may
 * last, but it has to begin in that time: its `timeout` query speaks of nothing here.
 */
export function expireInTime(timers: TimerWheel, { requestTimeoutMs }: ServerOptions): Filter {
  const release: Finisher = { finish: (call) => timers.remove(call) }
  return (call, next) => {
    if (call.longRunning && call.info.verb !== 'watch') return next(call)
    const timeoutMs = call.longRunning
      ? requestTimeoutMs
      : timeoutOf(call.url, () => call.query.get('timeout'), requestTimeoutMs)
    call.timeoutMs = timeoutMs
    timers.add(call, timeoutMs)
    call.onFinish(release)
    return next(call)
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
