import type { Authorizer } from '../../authz/index.ts'
import type { Clock, Counter, Histogram, Metrics } from '../../base/index.ts'
import { modeOfVerb } from './modes.ts'

/** 1 ms to 16 s. */
const buckets = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index)

export interface ImpersonationMetrics {
  /** `mode` is '' where none allowed it. */
  attempted(mode: string, allowed: boolean, tookMs: number): void
  /** Measures what the modes ask. */
  measured(authorizer: Authorizer): Authorizer
}

export function createImpersonationMetrics(metrics: Metrics, clock: Clock): ImpersonationMetrics {
  const labels = ['mode', 'decision']
  const pair = (name: string, what: string): { total: Counter; seconds: Histogram } => ({
    total: metrics.counter({
      name: `apiserver_impersonation_${name}_total`,
      help: `${what}, by mode and decision.`,
      labels,
      stability: 'ALPHA',
    }),
    seconds: metrics.histogram({
      name: `apiserver_impersonation_${name}_duration_seconds`,
      help: `Duration of ${what[0]?.toLowerCase()}${what.slice(1)} in seconds, by mode and decision.`,
      labels,
      stability: 'ALPHA',
      buckets,
    }),
  })
  const attempts = pair('attempts', 'Attempts to impersonate a user')
  const checks = pair('authorization_attempts', 'Authorization checks for impersonation')
  const count = ({ total, seconds }: typeof attempts, mode: string, allowed: boolean, tookMs: number): void => {
    const values = [mode, allowed ? 'allowed' : 'denied']
    total.add(values, 1)
    seconds.observe(values, tookMs / 1000)
  }
  return {
    attempted: (mode, allowed, tookMs) => count(attempts, mode, allowed, tookMs),
    measured: (authorizer) => ({
      name: authorizer.name,
      async authorize(attributes, context) {
        const startedMs = clock.monotonicMs()
        const result = await authorizer.authorize(attributes, context)
        const tookMs = clock.monotonicMs() - startedMs
        count(checks, modeOfVerb(attributes.verb), result.decision === 'allow', tookMs)
        return result
      },
    }),
  }
}
