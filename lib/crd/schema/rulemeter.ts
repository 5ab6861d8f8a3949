import type { Clock, Metrics } from '../../base/index.ts'

/** Times the rules of objects. */
export interface RuleMeter {
  /** One rule is compiled. */
  compiling<T>(work: () => T): T
  /** The rules of one value are evaluated. */
  evaluating<T>(work: () => T): T
}

export const silentMeter: RuleMeter = { compiling: (work) => work(), evaluating: (work) => work() }

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

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
  return {
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
