import type { Clock } from '../base/index.ts'
import type { Transport } from './contract.ts'

interface RateLimit {
  /** Sustained requests a second. */
  readonly qps: number
  /** Requests at once after a quiet time. */
  readonly burst: number
}

/** Spreads requests over time; watches count as one request each. */
export function withRateLimit(transport: Transport, { clock }: { readonly clock: Clock }, limit: RateLimit): Transport {
  const { qps, burst } = limit
  if (!(qps > 0) || !(burst >= 1)) throw new RangeError('a rate limit needs a positive qps and a burst of at least 1')
  let tokens = burst
  let atMs = clock.monotonicMs()

  /** Takes a token; returns the milliseconds until it is available. */
  function take(): number {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(burst, tokens + ((nowMs - atMs) / 1000) * qps)
    atMs = nowMs
    tokens--
    return tokens >= 0 ? 0 : (-tokens / qps) * 1000
  }

  return {
    isLocal: transport.isLocal ?? false,
    async send(request) {
      const waitMs = take()
      if (waitMs > 0) await clock.sleep(waitMs, request.signal ?? undefined)
      return await transport.send(request)
    },
    watch(request, sink) {
      take()
      return transport.watch(request, sink)
    },
    close: () => transport.close(),
  }
}
