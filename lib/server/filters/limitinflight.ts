import { mastersGroup } from '../../request/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import { sendText } from '../failure.ts'
import type { ServerMetrics } from '../metrics.ts'
import type { ServerOptions } from '../options.ts'

const readVerbs = new Set(['get', 'list', 'watch'])

/** A count with a limit; 0 is no limit. */
class Limiter implements Finisher {
  readonly limit: number
  readonly report: (count: number) => void
  count = 0
  constructor(limit: number, report: (count: number) => void) {
    this.limit = limit
    this.report = report
  }
  take(call: ServerCall): boolean {
    if (this.limit > 0 && this.count >= this.limit && !call.user.groups.includes(mastersGroup)) return false
    this.count++
    this.report(this.count)
    call.onFinish(this)
    return true
  }
  finish(): void {
    this.count--
  }
}

/** Limits concurrent reads and concurrent writes. Long-running requests and the masters group are exempt. */
export function limitInFlight(
  options: Pick<ServerOptions, 'maxRequestsInFlight' | 'maxMutatingRequestsInFlight'>,
  metrics: ServerMetrics,
): ServerFilter {
  const reads = new Limiter(options.maxRequestsInFlight, metrics.readsInFlight)
  const writes = new Limiter(options.maxMutatingRequestsInFlight, metrics.writesInFlight)
  return (call, next) => {
    if (call.longRunning) return next(call)
    const limiter = readVerbs.has(call.info.verb) ? reads : writes
    if (limiter.take(call)) return next(call)
    metrics.terminated(call, 429)
    call.responseHeaders.push('retry-after', '1')
    return sendText(call, 429, 'Too many requests, please try again later.\n')
  }
}
