import type { Metrics } from '../base/index.ts'

/** Records the stock metrics of one work queue. */
export interface QueueRecorder {
  added(): void
  /** A turn has failed, at that time since the epoch. */
  retried(nowMs: number): void
  depth(length: number): void
  /** Seconds since it was added. */
  taken(seconds: number): void
  done(seconds: number): void
  /** Work on a key held the event loop for too long. */
  long(): void
  /** `read` returns the duration so far of each unfinished turn, in seconds; it is called when metrics are read. */
  unfinished(read: () => readonly number[]): void
  close(): void
}

export type QueueMetrics = (name: string) => QueueRecorder

const silent: QueueRecorder = {
  added() {},
  retried() {},
  depth() {},
  taken() {},
  done() {},
  long() {},
  unfinished() {},
  close() {},
}
export const silentQueueMetrics: QueueMetrics = () => silent

const seconds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10]

export function createQueueMetrics(metrics: Metrics): QueueMetrics {
  const labels = ['name']
  const stability = 'BETA'
  const depth = metrics.gauge({ name: 'workqueue_depth', help: 'Keys that wait in a work queue', labels, stability })
  const adds = metrics.counter({ name: 'workqueue_adds_total', help: 'Keys added to a work queue', labels, stability })
  const retries = metrics.counter({
    name: 'workqueue_retries_total',
    help: 'Keys added again after a failure',
    labels,
    stability,
  })
  const lastRetry = metrics.gauge({
    name: 'pilothouse_workqueue_last_retry_timestamp_seconds',
    help: 'When a key was last added again after a failure, in seconds since the epoch',
    labels,
    across: 'max',
    stability: 'ALPHA',
  })
  const waits = metrics.histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'Time that keys waited in a work queue',
    labels,
    stability,
    buckets: seconds,
  })
  const works = metrics.histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'Duration of a turn of a key',
    labels,
    stability,
    buckets: seconds,
  })
  const long = metrics.counter({
    name: 'workqueue_long_turns_total',
    help: 'Turns that held the event loop for more than 50 ms at a time; their keys are delayed afterwards',
    labels,
    stability: 'ALPHA',
  })
  const unfinished = metrics.gauge({
    name: 'workqueue_unfinished_work_seconds',
    help: 'Sum of the durations so far of unfinished turns',
    labels,
    stability,
  })
  const longest = metrics.gauge({
    name: 'workqueue_longest_running_processor_seconds',
    help: 'Longest duration so far of an unfinished turn',
    labels,
    stability,
  })

  return (name) => {
    const at = [name]
    const [added, retried, waited, worked] = [adds.at(at), retries.at(at), waits.at(at), works.at(at)]
    const longTurns = long.at(at)
    let open = true
    return {
      added: () => added.add(1),
      retried(nowMs) {
        retried.add(1)
        lastRetry.set(at, nowMs / 1000)
      },
      depth: (length) => depth.set(at, length),
      taken: (value) => waited.observe(value),
      done: (value) => worked.observe(value),
      long: () => longTurns.add(1),
      unfinished(read) {
        const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)
        unfinished.collect(() => (open ? [{ labels: at, value: sum(read()) }] : []))
        longest.collect(() => (open ? [{ labels: at, value: Math.max(0, ...read()) }] : []))
      },
      close() {
        open = false
        depth.set(at, 0)
      },
    }
  }
}
