import type { LogFields } from '../../base/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'
import type { ServerMetrics } from '../metrics.ts'
import { slowTrace } from '../slowtrace.ts'

const accessLogLevel = 3
/** Slower requests are logged at any level, as the stock server's traces are; long-running ones aren't. */
const slowMs = 500

/**
 * Counts each call when it is over, and logs it at --v=3, or when it was slow. The log shows the headers accept and
 * user-agent only, and query values as the client sent them.
 */
export function instrument({ log, random }: ServerDependencies, metrics: ServerMetrics): ServerFilter {
  const finisher: Finisher = {
    finish(call) {
      const tookMs = call.clock.monotonicMs() - call.timings.startedMs
      metrics.finished(call, tookMs)
      if (tookMs > slowMs && !call.longRunning) log.lines(slowTrace(call, tookMs, random.below(2 ** 31)))
      if (log.enabled(accessLogLevel))
        log.verbose(accessLogLevel, 'HTTP', { ...fieldsOf(call, tookMs), ...fairnessOf(call) })
    },
  }
  return (call, next) => {
    metrics.started(call)
    call.onFinish(finisher)
    return next(call)
  }
}

function fieldsOf(call: ServerCall, tookMs: number): LogFields {
  return {
    method: call.method,
    uri: call.url,
    latencyMs: tookMs,
    code: call.responder.status,
    bytes: call.responder.bytesSent,
    userAgent: call.headers['user-agent'] ?? '',
    auditId: call.auditId,
    source: call.remoteAddress,
  }
}

/** Fields as the stock server's access log names them; durations in milliseconds. */
function fairnessOf({ fairness, clock }: ServerCall): LogFields {
  if (fairness === undefined) return {}
  const { schema, level, request } = fairness
  const { initialSeats, finalSeats, extraLatencyMs } = request.width
  return {
    apf_pl: level.name,
    apf_fs: schema.name,
    apf_iseats: initialSeats,
    apf_fseats: finalSeats,
    apf_additionalLatency: extraLatencyMs,
    ...(request.startedMs > 0 && { apf_execution_time: clock.monotonicMs() - request.startedMs }),
  }
}
