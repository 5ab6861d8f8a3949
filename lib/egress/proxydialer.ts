import type { Clock, Counter, Histogram, Metrics, Tracer } from '../base/index.ts'
import { addressOf, type Dialer, type DialThroughProxy } from './contract.ts'

/** Time until a connection is open, the proxy's own dial included: as the stock server's transports allow. */
const dialTimeoutMs = 30_000
/** Maximum number of connections that are being opened to one network at a time. */
const dialsMax = 1_000

export interface DialMetrics {
  readonly starts: Counter
  readonly failures: Counter
  readonly seconds: Histogram
}

export function createDialMetrics(metrics: Metrics): DialMetrics {
  const about = (name: string, help: string) => ({ name, help, stability: 'ALPHA' }) as const
  return {
    starts: metrics.counter({
      ...about('apiserver_egress_dialer_dial_start_total', 'Connections through a proxy that were begun.'),
      labels: ['protocol', 'transport'],
    }),
    failures: metrics.counter({
      ...about(
        'apiserver_egress_dialer_dial_failure_count',
        'Connections through a proxy that failed, at the proxy (connect) or behind it (proxy).',
      ),
      labels: ['protocol', 'transport', 'stage'],
    }),
    seconds: metrics.histogram({
      ...about('apiserver_egress_dialer_dial_duration_seconds', 'Time until a connection through a proxy was open.'),
      labels: ['protocol', 'transport'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 12.5],
    }),
  }
}

/** Dials within limits of time and number, and counts. */
export function createProxyDialer(
  { clock, tracer }: { readonly clock: Clock; readonly tracer?: Tracer | undefined },
  { starts, failures, seconds }: DialMetrics,
  {
    protocol,
    transport,
    dial,
  }: { readonly protocol: string; readonly transport: string; readonly dial: DialThroughProxy },
): Dialer {
  let dials = 0

  const measured: Dialer = async (target, signal) => {
    if (dials >= dialsMax) throw new Error(`more than ${dialsMax} connections through the proxy are being opened`)
    const sinceMs = clock.monotonicMs()
    const late = new AbortController()
    const timer = clock.after(dialTimeoutMs, () => late.abort(new Error(`dial tcp ${addressOf(target)}: i/o timeout`)))
    let stage = 'connect'
    dials++
    starts.add([protocol, transport])
    try {
      const socket = await dial(target, AbortSignal.any([signal, late.signal]), () => (stage = 'proxy'))
      seconds.observe([protocol, transport], (clock.monotonicMs() - sinceMs) / 1000)
      return socket
    } catch (error) {
      failures.add([protocol, transport, stage])
      throw error
    } finally {
      void timer.close()
      dials--
    }
  }
  if (!tracer) return measured
  const spanName = `Proxy via ${protocol} protocol over ${transport}`
  return (target, signal) => tracer.within(spanName, { address: addressOf(target) }, () => measured(target, signal))
}
