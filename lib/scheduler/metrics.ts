import type { Clock, Metrics } from '../base/index.ts'
import type { NodeFilter } from './contract.ts'

type PlanPoint = 'PreFilter' | 'Filter' | 'Score'

/** Measures the steps of one decision. */
export interface PlanMeter {
  point<Result>(point: PlanPoint, work: () => Result): Result
  plugin<Result>(point: PlanPoint, plugin: string, work: () => Result): Result
  /** The filter, measured at each node. */
  nodeFilter(plugin: string, filter: NodeFilter): NodeFilter
}

export const silentMeter: PlanMeter = {
  point: (_, work) => work(),
  plugin: (_, __, work) => work(),
  nodeFilter: (_, filter) => filter,
}

type AttemptResult = 'scheduled' | 'unschedulable' | 'error'

/** Records the stock metrics of a scheduler. */
export interface SchedulerMetrics {
  /** The meter of one attempt: plugins are measured in one attempt of ten. */
  planMeter(profile: string): PlanMeter
  /** An attempt has ended; `seconds` with the binding. */
  attempted(profile: string, result: AttemptResult, seconds: number): void
  algorithm(seconds: number): void
  step(profile: string, point: string, isSuccess: boolean, seconds: number): void
  /** A pod is bound, so many seconds after it was queued first. */
  scheduled(attempts: number, seconds: number): void
  preemption(victims: number): void
  incoming(event: string, queue: 'active' | 'backoff' | 'unschedulable'): void
  /** Values that are read when metrics are. */
  collect(values: SchedulerGauges): void
}

export interface SchedulerGauges {
  pending(): Readonly<Record<string, number>>
  cache(): Readonly<Record<string, number>>
  /** Bindings that are under way. */
  bindings(): number
  /** Unschedulable pods by the plugins that refused them, and the profile. */
  unschedulable(): Iterable<{ readonly plugin: string; readonly profile: string; readonly count: number }>
}

const pluginSampleEvery = 10
const attemptsShown = 15

/** `count` upper bounds, each `factor` times the one before. */
function exponential(first: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first * factor ** index)
}

export function createSchedulerMetrics(metrics: Metrics, clock: Clock): SchedulerMetrics {
  const attempts = metrics.counter({
    name: 'scheduler_schedule_attempts_total',
    help: "Attempts to schedule pods; 'unschedulable' where no node takes the pod, 'error' for failures of the scheduler",
    labels: ['profile', 'result'],
    stability: 'STABLE',
  })
  const attemptSeconds = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'Duration of attempts to schedule pods, with the binding',
    labels: ['profile', 'result'],
    stability: 'STABLE',
    buckets: exponential(0.001, 2, 15),
  })
  const algorithmSeconds = metrics.histogram({
    name: 'scheduler_scheduling_algorithm_duration_seconds',
    help: 'Duration of the choice of a node',
    buckets: exponential(0.001, 2, 15),
  })
  const victims = metrics.histogram({
    name: 'scheduler_preemption_victims',
    help: 'Pods that end for another one, by preemption',
    stability: 'STABLE',
    buckets: exponential(1, 2, 7),
  })
  const preemptions = metrics.counter({
    name: 'scheduler_preemption_attempts_total',
    help: 'Attempts to make room for a pod by ending others',
    stability: 'STABLE',
  })
  const sli = metrics.histogram({
    name: 'scheduler_pod_scheduling_sli_duration_seconds',
    help: 'Time from the first entry of a pod into the queue to its binding, over all attempts',
    labels: ['attempts'],
    stability: 'BETA',
    buckets: exponential(0.01, 2, 20),
  })
  const podAttempts = metrics.histogram({
    name: 'scheduler_pod_scheduling_attempts',
    help: 'Attempts until a pod was bound',
    stability: 'STABLE',
    buckets: exponential(1, 2, 5),
  })
  const pointSeconds = metrics.histogram({
    name: 'scheduler_framework_extension_point_duration_seconds',
    help: 'Duration of all plugins of an extension point',
    labels: ['extension_point', 'profile', 'status'],
    stability: 'STABLE',
    buckets: exponential(0.0001, 2, 12),
  })
  const pluginSeconds = metrics.histogram({
    name: 'scheduler_plugin_execution_duration_seconds',
    help: 'Duration of a plugin at an extension point, in one attempt of ten',
    labels: ['extension_point', 'plugin', 'status'],
    buckets: exponential(0.00001, 1.5, 20),
  })
  const evaluations = metrics.counter({
    name: 'scheduler_plugin_evaluation_total',
    help: 'Attempts in which a plugin was asked, by extension point',
    labels: ['extension_point', 'plugin', 'profile'],
  })
  const incoming = metrics.counter({
    name: 'scheduler_queue_incoming_pods_total',
    help: 'Pods that were added to a queue, by the event',
    labels: ['event', 'queue'],
    stability: 'STABLE',
  })
  let decisions = 0

  const measure = <Result>(work: () => Result, record: (seconds: number) => void): Result => {
    const sinceMs = clock.monotonicMs()
    const result = work()
    record((clock.monotonicMs() - sinceMs) / 1000)
    return result
  }

  return {
    planMeter(profile) {
      const isSampled = decisions++ % pluginSampleEvery === 0
      return {
        point: (point, work) => measure(work, (seconds) => pointSeconds.observe([point, profile, 'Success'], seconds)),
        plugin(point, plugin, work) {
          if (point === 'PreFilter') evaluations.add([point, plugin, profile])
          if (!isSampled) return work()
          return measure(work, (seconds) => pluginSeconds.observe([point, plugin, 'Success'], seconds))
        },
        nodeFilter(plugin, filter) {
          evaluations.add(['Filter', plugin, profile])
          if (!isSampled) return filter
          return (node) => {
            const sinceMs = clock.monotonicMs()
            const refused = filter(node)
            const status = refused === undefined ? 'Success' : 'Unschedulable'
            pluginSeconds.observe(['Filter', plugin, status], (clock.monotonicMs() - sinceMs) / 1000)
            return refused
          }
        },
      }
    },
    attempted(profile, result, seconds) {
      attempts.add([profile, result])
      attemptSeconds.observe([profile, result], seconds)
    },
    algorithm: (seconds) => algorithmSeconds.observe([], seconds),
    step: (profile, point, isSuccess, seconds) =>
      pointSeconds.observe([point, profile, isSuccess ? 'Success' : 'Error'], seconds),
    scheduled(count, seconds) {
      podAttempts.observe([], count)
      sli.observe([count >= attemptsShown ? `${attemptsShown}+` : String(count)], seconds)
    },
    preemption(count) {
      preemptions.add([])
      if (count > 0) victims.observe([], count)
    },
    incoming: (event, queue) => incoming.add([event, queue]),
    collect: (values) => collectGauges(metrics, values),
  }
}

function collectGauges(metrics: Metrics, { pending, cache, bindings, unschedulable }: SchedulerGauges): void {
  const by = (read: () => Readonly<Record<string, number>>) => () =>
    Object.entries(read()).map(([label, value]) => ({ labels: [label], value }))
  metrics
    .gauge({
      name: 'scheduler_pending_pods',
      help: "Pods that wait, by queue; 'gated' pods have scheduling gates and were never tried",
      labels: ['queue'],
      stability: 'STABLE',
    })
    .collect(by(pending))
  metrics
    .gauge({ name: 'scheduler_cache_size', help: 'Nodes, pods and assumed pods that are known', labels: ['type'] })
    .collect(by(cache))
  metrics
    .gauge({ name: 'scheduler_goroutines', help: 'Work that is under way beside decisions', labels: ['operation'] })
    .collect(() => [{ labels: ['binding'], value: bindings() }])
  metrics
    .gauge({
      name: 'scheduler_unschedulable_pods',
      help: 'Unschedulable pods by the plugin that refused them: a pod counts for each of them',
      labels: ['plugin', 'profile'],
    })
    .collect(() =>
      Array.from(unschedulable(), ({ plugin, profile, count }) => ({ labels: [plugin, profile], value: count })),
    )
}
