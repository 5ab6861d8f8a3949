import type { Clock, Metrics } from '../../base/index.ts'
import { deepEqual } from '../../object/index.ts'

/** The comparisons of one update: unchanged values are accepted with all their errors. */
export interface Ratcheting {
  equal(value: unknown, old: unknown): boolean
  /** The update is validated. */
  end(): void
}

/** Measures the time of the rules of objects. */
export interface RuleMeter {
  /** Measures compiling one rule. */
  compiling<T>(work: () => T): T
  /** Measures evaluating the rules of one value. */
  evaluating<T>(work: () => T): T
  ratcheting(): Ratcheting
}

export const silentMeter: RuleMeter = {
  compiling: (work) => work(),
  evaluating: (work) => work(),
  ratcheting: () => untimed,
}

const untimed: Ratcheting = { equal: deepEqual, end() {} }

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ratchetingBuckets = [0.00001, 0.00004, 0.00016, 0.00064, 0.00256, 0.01024, 0.04096, 0.16384, 0.65536, 2.62144]

export function createRuleMeter({ clock, metrics }: { clock: Clock; metrics: Metrics }): RuleMeter {
  const timed = (name: string, help: string): RuleMeter['compiling'] => {
    const series = metrics.histogram({ name, help, buckets, stability: 'BETA' }).at([])
    return (work) => {
      const startMs = clock.monotonicMs()
      const result = work()
      series.observe((clock.monotonicMs() - startMs) / 1000)
      return result
    }
  }
  const ratcheted = metrics
    .histogram({
      name: 'apiextensions_apiserver_validation_ratcheting_seconds',
      help: 'Time that the comparisons of one update took whose unchanged values pass with their faults.',
      buckets: ratchetingBuckets,
      stability: 'ALPHA',
    })
    .at([])
  return {
    ratcheting() {
      let tookMs = 0
      return {
        equal(value, old) {
          const startMs = clock.monotonicMs()
          const isEqual = deepEqual(value, old)
          tookMs += clock.monotonicMs() - startMs
          return isEqual
        },
        end: () => ratcheted.observe(tookMs / 1000),
      }
    },
    compiling: timed(
      'apiserver_cel_compilation_duration_seconds',
      'Time that the compilation of one rule of a custom resource took.',
    ),
    evaluating: timed(
      'apiserver_cel_evaluation_duration_seconds',
      'Time that the rules of one value in a custom object took, with their compilation when they are used first.',
    ),
  }
}
