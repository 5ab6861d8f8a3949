import type { Combination, Counter, Gauge, Histogram, Metrics } from '../base/index.ts'
import { TimedRatio } from './timedratio.ts'

/** The series of a flow schema in its level, resolved once. */
export interface FlowSeries {
  dispatched(): void
  estimated(seats: number): void
  waited(executed: boolean, seconds: number): void
  executed(isWatch: boolean, seconds: number): void
  enqueued(length: number): void
  refused(why: string): void
  noAccommodation(): void
  watchers(count: number): void
}

/** Ratios of use to a level's limits, over time. */
export interface LevelRatios {
  /** Seats in use and waited for. */
  readonly demand: TimedRatio
  readonly seats: TimedRatio
  readonly executing: TimedRatio
  readonly waiting: TimedRatio
}

export interface FairnessMetrics {
  series(schema: string, level: string): FlowSeries
  ratios(level: string, nowMs: number): LevelRatios
  readonly current: Readonly<Record<CurrentName, Gauge>>
  readonly levels: Readonly<Record<LevelGaugeName, Gauge>>
  readonly fairFraction: Gauge
}

type CurrentName = 'executingRequests' | 'executingSeats' | 'queuedRequests' | 'queuedSeats'
type LevelGaugeName =
  | 'nominal'
  | 'lower'
  | 'upper'
  | 'current'
  | 'target'
  | 'demandHigh'
  | 'demandAverage'
  | 'demandDeviation'
  | 'demandSmoothed'
  | 'currentR'

const prefix = 'apiserver_flowcontrol_'
const flowLabels = ['flow_schema', 'priority_level']
const waitBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]

export function createFairnessMetrics(metrics: Metrics): FairnessMetrics {
  const counter = (name: string, help: string, stability: 'ALPHA' | 'BETA', labels = flowLabels): Counter =>
    metrics.counter({ name: prefix + name, help, labels, stability })
  /** Processes of one server share its seats: theirs are added up. */
  const gauge = (
    name: string,
    help: string,
    labels: readonly string[],
    stability: 'ALPHA' | 'BETA',
    across: Combination = 'sum',
  ): Gauge => metrics.gauge({ name: prefix + name, help, labels, stability, across })
  const histogram = (name: string, help: string, buckets: readonly number[], labels = flowLabels): Histogram =>
    metrics.histogram({
      name: prefix + name,
      help,
      labels,
      buckets,
      stability: name === 'request_wait_duration_seconds' ? 'BETA' : 'ALPHA',
    })
  const level = (name: string, help: string, stability: 'ALPHA' | 'BETA' = 'ALPHA', across?: Combination): Gauge =>
    gauge(name, help, ['priority_level'], stability, across)

  const dispatched = counter('dispatched_requests_total', 'Requests that got their seats.', 'BETA')
  const rejected = counter('rejected_requests_total', 'Requests that were refused, by the reason.', 'BETA', [
    ...flowLabels,
    'reason',
  ])
  const noAccommodation = counter(
    'request_dispatch_no_accommodation_total',
    'Times that the request next in line found too few free seats.',
    'ALPHA',
  )
  const waits = histogram('request_wait_duration_seconds', 'Time that requests waited for seats.', waitBuckets, [
    'execute',
    ...flowLabels,
  ])
  const executions = histogram('request_execution_seconds', 'Time that handlers took.', waitBuckets, [
    ...flowLabels,
    'type',
  ])
  const lengths = histogram(
    'request_queue_length_after_enqueue',
    'Length of a queue with the request that was just added.',
    [0, 10, 25, 50, 100, 250, 500, 1000],
  )
  const seats = histogram('work_estimated_seats', 'Maximum seats of a request.', [1, 2, 4, 8, 16, 32, 64, 100])
  const watchers = histogram('watch_count_samples', 'Watches that see a write.', [0, 1, 10, 100, 1000, 10_000])

  const byLevel = ['priority_level']
  const demand = histogram(
    'demand_seats',
    'Seats that a level could use, as a part of its nominal ones, for each nanosecond.',
    [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    byLevel,
  )
  const seatShares = histogram(
    'priority_level_seat_utilization',
    'Seats in use, as a part of the nominal ones, for each nanosecond.',
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    ['phase', ...byLevel],
  )
  const requestShares = histogram(
    'priority_level_request_utilization',
    'Requests that wait, as a part of those that may, and that execute, as a part of the nominal seats, for each nanosecond.',
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    ['phase', ...byLevel],
  )

  return {
    ratios: (name, nowMs) => ({
      demand: new TimedRatio(demand.at([name]), nowMs),
      seats: new TimedRatio(seatShares.at(['executing', name]), nowMs),
      executing: new TimedRatio(requestShares.at(['executing', name]), nowMs),
      waiting: new TimedRatio(requestShares.at(['waiting', name]), nowMs),
    }),
    series(schema, name) {
      const labels = [schema, name]
      const [count, width] = [dispatched.at(labels), seats.at(labels)]
      const waited = [waits.at(['false', ...labels]), waits.at(['true', ...labels])] as const
      const executed = [executions.at([...labels, 'regular']), executions.at([...labels, 'watch'])] as const
      return {
        dispatched: () => count.add(1),
        estimated: (most) => width.observe(most),
        waited: (didExecute, seconds) => waited[didExecute ? 1 : 0].observe(seconds),
        executed: (isWatch, seconds) => executed[isWatch ? 1 : 0].observe(seconds),
        enqueued: (length) => lengths.observe(labels, length),
        refused: (why) => rejected.add([...labels, why]),
        noAccommodation: () => noAccommodation.add(labels),
        watchers: (number) => watchers.observe(labels, number),
      }
    },
    current: {
      executingRequests: gauge('current_executing_requests', 'Requests that have seats.', flowLabels, 'BETA'),
      executingSeats: gauge('current_executing_seats', 'Seats that requests have.', flowLabels, 'BETA'),
      queuedRequests: gauge('current_inqueue_requests', 'Requests that wait.', flowLabels, 'BETA'),
      queuedSeats: gauge('current_inqueue_seats', 'Seats that requests wait for.', flowLabels, 'ALPHA'),
    },
    levels: {
      nominal: level('nominal_limit_seats', 'Seats of a level by its shares.', 'BETA'),
      lower: level('lower_limit_seats', 'Seats that a level never lends.'),
      upper: level('upper_limit_seats', 'Most seats that a level may have.'),
      current: level('current_limit_seats', 'Seats of a level now.'),
      target: level('target_seats', 'Seats that the last allocation aimed at.'),
      demandHigh: level('demand_seats_high_watermark', 'Maximum seats requested at one time of the last period.'),
      demandAverage: level('demand_seats_average', 'Requested seats in the last period, on average over time.'),
      demandDeviation: level(
        'demand_seats_stdev',
        'Standard deviation of the requested seats in the last period.',
        'ALPHA',
        'max',
      ),
      demandSmoothed: level('demand_seats_smoothed', 'Requested seats, with peaks that decay slowly.'),
      currentR: level('current_r', 'Virtual time of a level, in seat-seconds.', 'ALPHA', 'max'),
    },
    fairFraction: gauge('seat_fair_frac', 'Part of their targets that all levels got.', [], 'ALPHA', 'min'),
  }
}
