import type { Clock, Histogram, Metrics } from '../base/index.ts'
import { StatusError } from '../object/index.ts'
import type { Admission, AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './plugin.ts'

export interface AdmissionDependencies {
  readonly metrics: Metrics
  readonly clock: Clock
}

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5]
const operations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']

type Phase = 'admit' | 'validate'
type Step = (attributes: AdmissionAttributes) => void | Promise<void>

interface Steps {
  readonly admit: readonly Step[]
  readonly validate: readonly Step[]
  readonly any: boolean
}

/**
 * Runs `plugins` in their order: first all that mutate, later, on the final object, all that validate. What handles an
 * operation is worked out once, so that an operation nobody handles costs nothing.
 */
export function createAdmission(plugins: readonly AdmissionPlugin[], dependencies: AdmissionDependencies): Admission {
  const { metrics, clock } = dependencies
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

  const byOperation = new Map<AdmissionOperation, Steps>(
    operations.map((operation) => {
      const handling = plugins.filter((plugin) => plugin.handles(operation))
      const stepsOf = (phase: Phase): Step[] =>
        handling.flatMap((plugin) => {
          const run = phase === 'admit' ? plugin.mutate?.bind(plugin) : plugin.validate?.bind(plugin)
          if (!run) return []
          const series = seriesOf(controllers, (rejected) => [plugin.name, operation, rejected, phase])
          return [timed(run, series, clock)]
        })
      const admit = whole(
        stepsOf('admit'),
        seriesOf(phases, (rejected) => [operation, rejected, 'admit']),
        clock,
      )
      const validate = whole(
        stepsOf('validate'),
        seriesOf(phases, (rejected) => [operation, rejected, 'validate']),
        clock,
      )
      return [operation, { admit, validate, any: admit.length + validate.length > 0 }]
    }),
  )
  const run = (phase: Phase, attributes: AdmissionAttributes): void | Promise<void> =>
    byOperation.get(attributes.operation)?.[phase][0]?.(attributes)

  return {
    handles: (operation) => byOperation.get(operation)?.any ?? false,
    mutate: (attributes) => run('admit', attributes),
    validate: (attributes) => run('validate', attributes),
  }
}

interface Series {
  readonly accepted: { observe(value: number): void }
  readonly rejected: { observe(value: number): void }
}

function seriesOf(histogram: Histogram, labels: (rejected: string) => readonly string[]): Series {
  return { accepted: histogram.at(labels('false')), rejected: histogram.at(labels('true')) }
}

/** One step for all of a phase; none when there is nothing to do. */
function whole(steps: readonly Step[], series: Series, clock: Clock): Step[] {
  return steps.length === 0 ? [] : [timed((attributes) => inTurn(steps, attributes, 0), series, clock)]
}

/** Goes on without a promise for as long as no plugin needs one. */
function inTurn(steps: readonly Step[], attributes: AdmissionAttributes, from: number): void | Promise<void> {
  for (let index = from; index < steps.length; index++) {
    const pending = steps[index]?.(attributes)
    if (pending) return pending.then(() => inTurn(steps, attributes, index + 1))
  }
  return undefined
}

function timed(run: Step, series: Series, clock: Clock): Step {
  return (attributes) => {
    const startMs = clock.monotonicMs()
    const done = (rejected: boolean): void =>
      (rejected ? series.rejected : series.accepted).observe((clock.monotonicMs() - startMs) / 1000)
    try {
      const pending = run(attributes)
      if (!pending) {
        done(false)
        return undefined
      }
      return pending.then(
        () => done(false),
        (error: unknown) => {
          done(error instanceof StatusError)
          throw error
        },
      )
    } catch (error) {
      done(error instanceof StatusError)
      throw error
    }
  }
}
