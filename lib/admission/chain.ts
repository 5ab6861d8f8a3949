import type { Clock, Histogram, Metrics } from '../base/index.ts'
import { StatusError } from '../object/index.ts'
import type { Admission, AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts'
import type { Reinvocation } from './reinvocation.ts'

interface AdmissionDependencies {
  readonly metrics: Metrics
  readonly clock: Clock
  /** Shared with the plugins that may request a second run of all mutating plugins. */
  readonly reinvocation?: Reinvocation
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5]
const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']

type Run = (attributes: AdmissionAttributes) => void | Promise<void>

/** One plugin in one phase. */
interface Step {
  readonly run: Run
  readonly series: Series
}

interface Phases {
  readonly admit: Phase
  readonly validate: Phase
}

/**
 * Runs `plugins` in their order: first all that mutate, later, on the final object, all that validate. The plugins of
 * an operation are determined once, so that an operation without plugins costs nothing.
 */
export function createAdmission(plugins: readonly AdmissionPlugin[], dependencies: AdmissionDependencies): Admission {
  const { metrics, clock, reinvocation } = dependencies
  const controllers = metrics.histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Time that one admission plugin took, by plugin, operation, phase and whether it refused.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets,
    stability: 'STABLE',
  })
  const phases = metrics.histogram({
    name: 'apiserver_admission_step_admission_duration_seconds',
    help: 'Time that all plugins of one phase took, by operation, phase and whether one refused.',
    labels: ['operation', 'rejected', 'type'],
    buckets,
    stability: 'STABLE',
  })

  function phaseOf(operation: AdmissionOperation, name: keyof Phases): Phase {
    const steps = plugins.flatMap((plugin): Step[] => {
      const run = name === 'admit' ? plugin.mutate?.bind(plugin) : plugin.validate?.bind(plugin)
      if (!run || !plugin.handles(operation)) return []
      return [{ run, series: seriesOf(controllers, (rejected) => [plugin.name, operation, rejected, name]) }]
    })
    const series = seriesOf(phases, (rejected) => [operation, rejected, name])
    return new Phase(steps, series, clock)
  }

  const byOperation = new Map<AdmissionOperation, Phases>(
    operations.map((operation) => [
      operation,
      { admit: phaseOf(operation, 'admit'), validate: phaseOf(operation, 'validate') },
    ]),
  )

  return {
    handles(operation) {
      const of = byOperation.get(operation)
      return of !== undefined && !(of.admit.isEmpty && of.validate.isEmpty)
    },
    mutate(attributes) {
      const phase = byOperation.get(attributes.operation)?.admit
      const again = (): void | Promise<void> => (reinvocation?.begin(attributes) ? phase?.run(attributes) : undefined)
      const pending = phase?.run(attributes)
      return pending ? pending.then(again) : again()
    },
    validate: (attributes) => byOperation.get(attributes.operation)?.validate.run(attributes),
  }
}

interface Series {
  readonly accepted: { observe(value: number): void }
  readonly rejected: { observe(value: number): void }
}

function seriesOf(histogram: Histogram, labels: (rejected: string) => readonly string[]): Series {
  return { accepted: histogram.at(labels('false')), rejected: histogram.at(labels('true')) }
}

/** All mutating, or all validating, steps of one operation. */
class Phase {
  readonly #steps: readonly Step[]
  readonly #series: Series
  readonly #clock: Clock

  constructor(steps: readonly Step[], series: Series, clock: Clock) {
    this.#steps = steps
    this.#series = series
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  run(attributes: AdmissionAttributes): void | Promise<void> {
    if (this.isEmpty) return undefined
    const startMs = this.#clock.monotonicMs()
    return this.#goOn(attributes, 0, startMs, startMs)
  }

  /** Returns no promise as long as no plugin needs one. A step begins when the one before it has ended. */
  #goOn(attributes: AdmissionAttributes, from: number, startMs: number, beganMs: number): void | Promise<void> {
    let stepMs = beganMs
    for (let index = from; ; index++) {
      const step = this.#steps[index]
      if (!step) break
      try {
        const pending = step.run(attributes)
        if (pending)
          return this.#await(pending, step, startMs, stepMs).then((ms) =>
            this.#goOn(attributes, index + 1, startMs, ms),
          )
      } catch (error) {
        throw this.#refused(error, step, startMs, stepMs)
      }
      stepMs = this.#accepted(step, stepMs)
    }
    this.#series.accepted.observe((stepMs - startMs) / 1000)
    return undefined
  }

  async #await(pending: Promise<void>, step: Step, startMs: number, stepMs: number): Promise<number> {
    try {
      await pending
    } catch (error) {
      throw this.#refused(error, step, startMs, stepMs)
    }
    return this.#accepted(step, stepMs)
  }

  #accepted({ series }: Step, beganMs: number): number {
    const nowMs = this.#clock.monotonicMs()
    series.accepted.observe((nowMs - beganMs) / 1000)
    return nowMs
  }

  /** Counts a step that threw, and its phase. */
  #refused(error: unknown, { series }: Step, startMs: number, beganMs: number): unknown {
    const nowMs = this.#clock.monotonicMs()
    const outcome = error instanceof StatusError ? 'rejected' : 'accepted'
    series[outcome].observe((nowMs - beganMs) / 1000)
    this.#series[outcome].observe((nowMs - startMs) / 1000)
    return error
  }
}
