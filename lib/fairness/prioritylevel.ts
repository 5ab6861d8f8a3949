import { LRUCache } from 'lru-cache'
import type * as flowcontrol from '../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import type { Clock } from '../base/index.ts'
import type { LevelLimits, LevelShares } from './concurrency.ts'
import { dealHand, hashFlow } from './flow.ts'
import type { FlowSchema } from './flowschema.ts'
import type { FairnessMetrics, FlowSeries, LevelRatios } from './metrics.ts'
import { type Flow, type QueuedRequest, QueueSet, type QueueSettings } from './queueset.ts'
import { RetryAfter } from './retryafter.ts'

/** The part of a PriorityLevelConfiguration object that fairness needs. */
export interface PriorityLevelObject {
  readonly metadata: { readonly name?: string; readonly uid?: string }
  readonly spec?: flowcontrol.PriorityLevelConfigurationSpec
}

/** Maximum number of flows whose hands are cached. */
const flowsMax = 4096

/** Counts of a level for its debug page. */
interface LevelCounts {
  dispatched: number
  rejected: number
  timedOut: number
  cancelled: number
}

/** A priority level. It outlives its object until its last request is done. */
export class PriorityLevel {
  readonly name: string
  readonly set: QueueSet
  readonly retryAfter = new RetryAfter()
  readonly counts: LevelCounts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 }
  uid = ''
  exempt = false
  /** Its object has been deleted. */
  quiescing = false
  smoothedSeatDemand = 0
  shares: LevelShares
  readonly #metrics: FairnessMetrics
  readonly #clock: Clock
  readonly #ratios: LevelRatios
  #limits: LevelLimits = { nominal: 0, min: 0, max: 0, initial: 0 }
  /** With `max`, each level would allocate memory for all of them at once. */
  readonly #flows = new LRUCache<string, Flow>({ maxSize: flowsMax, sizeCalculation: () => 1 })
  /** Flows of schemas without a distinguisher, by schema. */
  readonly #single = new Map<string, Flow>()
  readonly #series = new Map<string, FlowSeries>()
  #settings: QueueSettings = { queues: 0, handSize: 0, queueLengthLimit: 0 }

  constructor(name: string, clock: Clock, metrics: FairnessMetrics) {
    this.name = name
    this.#metrics = metrics
    this.#clock = clock
    this.#ratios = metrics.ratios(name, clock.monotonicMs())
    this.shares = sharesOf(name, undefined)
    this.set = new QueueSet(clock, {
      enqueued: (request, length) => this.#seriesOf(request).enqueued(length),
      dispatched: (request) => {
        this.counts.dispatched++
        this.#seriesOf(request).dispatched()
      },
      refused: (request, why) => {
        if (why === 'time-out') this.counts.timedOut++
        else if (why === 'cancelled') this.counts.cancelled++
        else this.counts.rejected++
        // The stock server counts clients that went away as time-outs.
        this.#seriesOf(request).refused(why === 'cancelled' ? 'time-out' : why)
      },
      sampled: (nowMs) => this.#sample(nowMs),
      noAccommodation: (request) => this.#seriesOf(request).noAccommodation(),
    })
  }

  get limits(): LevelLimits {
    return this.#limits
  }

  set limits(limits: LevelLimits) {
    this.#limits = limits
    this.#limitRatios()
  }

  /** Records the ratios up to now; otherwise they are only recorded when they change. */
  observeRatios(): void {
    const nowMs = this.#clock.monotonicMs()
    const { demand, seats, executing, waiting } = this.#ratios
    for (const ratio of [demand, seats, executing, waiting]) ratio.observe(nowMs)
  }

  #sample(nowMs: number): void {
    const { set } = this
    this.#ratios.demand.set(set.seatsInUse + set.seatsWaiting, nowMs)
    this.#ratios.seats.set(set.seatsInUse, nowMs)
    this.#ratios.executing.set(set.executingCount, nowMs)
    this.#ratios.waiting.set(set.waiting, nowMs)
  }

  #limitRatios(): void {
    const nowMs = this.#clock.monotonicMs()
    const { demand, seats, executing, waiting } = this.#ratios
    for (const ratio of [demand, seats, executing]) ratio.setLimit(this.#limits.nominal, nowMs)
    waiting.setLimit(this.#settings.queues * this.#settings.queueLengthLimit, nowMs)
  }

  /** Undefined for a level without queues. */
  get handSize(): number | undefined {
    return this.#settings.queues > 0 ? this.#settings.handSize : undefined
  }

  configure({ metadata, spec }: PriorityLevelObject): void {
    this.uid = metadata.uid ?? ''
    this.quiescing = false
    this.exempt = spec?.type === 'Exempt'
    this.shares = sharesOf(this.name, spec)
    const queuing = spec?.limited?.limitResponse.queuing
    const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing ?? {}
    this.#settings = { queues, handSize, queueLengthLimit }
    this.#flows.clear()
    this.#single.clear()
    this.set.configure(this.#settings, this.exempt)
    this.#limitRatios()
  }

  /** The schemas that have sent requests here. */
  schemas(): Iterable<string> {
    return this.#series.keys()
  }

  get queues(): number {
    return this.#settings.queues
  }

  flowOf(schema: FlowSchema, distinguisher: string): Flow {
    if (schema.distinguisher === undefined) {
      let flow = this.#single.get(schema.name)
      if (flow === undefined) this.#single.set(schema.name, (flow = this.#newFlow(schema, '')))
      return flow
    }
    const key = `${schema.name}\0${distinguisher}`
    let flow = this.#flows.get(key)
    if (flow === undefined) this.#flows.set(key, (flow = this.#newFlow(schema, distinguisher)))
    return flow
  }

  #newFlow({ name }: FlowSchema, distinguisher: string): Flow {
    const { queues, handSize } = this.#settings
    // With one queue there is nothing to hash.
    const hand = queues > 1 ? dealHand(hashFlow(name, distinguisher), queues, handSize) : [0].slice(0, queues)
    return { schema: name, distinguisher, hand }
  }

  seriesOf(schema: string): FlowSeries {
    let series = this.#series.get(schema)
    if (series === undefined) this.#series.set(schema, (series = this.#metrics.series(schema, this.name)))
    return series
  }

  #seriesOf(request: QueuedRequest): FlowSeries {
    return this.seriesOf(request.flow.schema)
  }
}

function sharesOf(name: string, spec: flowcontrol.PriorityLevelConfigurationSpec | undefined): LevelShares {
  const exempt = spec?.type === 'Exempt'
  const from = exempt ? spec?.exempt : spec?.limited
  return {
    name,
    exempt,
    nominalConcurrencyShares: from?.nominalConcurrencyShares ?? (exempt ? 0 : 30),
    lendablePercent: from?.lendablePercent ?? 0,
    borrowingLimitPercent: exempt ? undefined : spec?.limited?.borrowingLimitPercent,
  }
}
