import type { Finisher } from '../call.ts'
import type { Filter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerMetrics } from '../metrics.ts'

const accessLogLevel = 3

/** Counts the call when it is over, and logs it at --v=3: never its headers, query values stay as the client sent them. */
export function observe({ log }: ServerDependencies, metrics: ServerMetrics): Filter {
  const finisher: Finisher = {
    finish(call) {
      const tookMs = call.clock.monotonicMs() - call.startedMs
      metrics.finished(call, tookMs)
      if (!log.enabled(accessLogLevel)) return
      log.verbose(accessLogLevel, 'HTTP', {
        method: call.method,
        uri: call.url,
        latencyMs: tookMs,
        code: call.transport.status,
        bytes: call.transport.bytesSent,
        userAgent: call.headers['user-agent'] ?? '',
        auditId: call.auditId,
        source: call.remoteAddress,
      })
    },
  }
  return (call, next) => {
    metrics.started(call)
    call.onFinish(finisher)
    return next(call)
  }
}
