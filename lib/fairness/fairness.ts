import { assert, type Clock, type Closable, type Metrics } from '../base/index.ts'
import type { QueryParameters, RequestInfo, UserInfo } from '../request/index.ts'
import { allocateSeats, limitsOf } from './concurrency.ts'
import { compileFlowSchema, createFlowSchemaMatcher, type FlowSchema, type FlowSchemaObject } from './flowschema.ts'
import { createFairnessMetrics, type FairnessMetrics } from './metrics.ts'
import { PriorityLevel, type PriorityLevelObject } from './prioritylevel.ts'
import { QueuedRequest, type Refusal } from './queueset.ts'
import { smoothDemand } from './seatdemand.ts'
import { WatcherCounts } from './watchercounts.ts'
import { type ListWork, listWidth, mutatingWidth, oneSeat, type Stored, type Width } from './width.ts'

/** The part of a request that classification reads. */
export interface FairRequest {
  readonly user: UserInfo
  readonly info: RequestInfo
  readonly query: QueryParameters
}

/** A request with its flow schema, its priority level, and its place there. */
export interface ClassifiedRequest {
  readonly schema: FlowSchema
  readonly level: PriorityLevel
  readonly request: QueuedRequest
  /** Set when it was refused at once. Otherwise `request.state` says whether it waits. */
  readonly refusal: Refusal | undefined
}

interface FairnessDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  /** The stored objects of a resource; undefined when unknown. */
  stored(group: string, resource: string): Stored | undefined
  /** The field that divides a resource's watches, so that a write concerns one of them at most. */
  watchesDivideBy?(group: string, resource: string): string | undefined
}

interface FairnessOptions {
  /** Seats of the whole server. */
  readonly seats: number
  /** Lists take seats by the size of the objects that they read. Default: by their number. */
  readonly listsBySize?: boolean
}

export interface Fairness extends Closable {
  readonly levels: ReadonlyMap<string, PriorityLevel>
  readonly watchers: WatcherCounts
  /** Replaces the configuration. Both lists always contain the mandatory objects, stored or not. */
  configure(schemas: readonly FlowSchemaObject[], levels: readonly PriorityLevelObject[]): void
  /** Classifies the request and starts it in its level. `catch-all` matches what no other flow schema does. */
  start(request: FairRequest): ClassifiedRequest
  /** The handler was done at `nowMs`. */
  finish(request: ClassifiedRequest, nowMs: number): void
  /** The client went away, or the maximum wait is over. */
  giveUp(request: ClassifiedRequest, why: 'time-out' | 'cancelled'): void
}

/** How often seats are lent. */
const borrowingPeriodMs = 10_000

export function createFairness(
  { clock, metrics, stored, watchesDivideBy }: FairnessDependencies,
  { seats, listsBySize = false }: FairnessOptions,
): Fairness {
  const reported = createFairnessMetrics(metrics)
  const levels = new Map<string, PriorityLevel>()
  const watchers = new WatcherCounts(watchesDivideBy)
  let matcher = createFlowSchemaMatcher([])
  let catchAll: FlowSchema | undefined
  collectCurrent(reported, levels)

  function configure(schemas: readonly FlowSchemaObject[], objects: readonly PriorityLevelObject[]): void {
    for (const level of levels.values()) level.quiescing = true
    for (const object of objects) {
      const { name = '' } = object.metadata
      let level = levels.get(name)
      if (level === undefined) levels.set(name, (level = new PriorityLevel(name, clock, reported)))
      level.configure(object)
    }
    forgetIdle()
    shareOut()
    const compiled = schemas.map(compileFlowSchema).filter(({ level }) => levels.get(level)?.quiescing === false)
    matcher = createFlowSchemaMatcher(compiled)
    catchAll = compiled.find(({ name }) => name === 'catch-all')
  }

  /** A level without an object is removed when its last request is done. */
  function forgetIdle(): void {
    for (const [name, level] of levels) if (level.quiescing && level.set.isIdle) levels.delete(name)
  }

  function shareOut(): void {
    const all = limitsOf(
      [...levels.values()].map(({ shares }) => shares),
      seats,
    )
    for (const level of levels.values()) {
      const limits = all.get(level.name)
      assert(limits !== undefined, 'every level has limits')
      const isNew = level.limits.max === 0
      level.limits = limits
      const now = level.set.seats
      level.set.setSeats(isNew ? limits.initial : Math.min(limits.max, Math.max(limits.min, now)))
      reported.levels.nominal.set([level.name], limits.nominal)
      reported.levels.lower.set([level.name], limits.min)
      reported.levels.upper.set([level.name], limits.max)
    }
  }

  function lend(): void {
    forgetIdle()
    const nowMs = clock.monotonicMs()
    for (const level of levels.values()) level.observeRatios()
    const demands = [...levels.values()].map((level) => {
      const { name, exempt, limits } = level
      const summary = level.set.demand.summarize(nowMs)
      level.smoothedSeatDemand = smoothDemand(level.smoothedSeatDemand, summary)
      reported.levels.demandHigh.set([name], summary.max)
      reported.levels.demandAverage.set([name], summary.average)
      reported.levels.demandDeviation.set([name], summary.deviation)
      reported.levels.demandSmoothed.set([name], level.smoothedSeatDemand)
      return { name, exempt, ...limits, highSeatDemand: summary.max, smoothedSeatDemand: level.smoothedSeatDemand }
    })
    const { current, targets, fairFraction } = allocateSeats(demands)
    for (const level of levels.values()) level.set.setSeats(current.get(level.name) ?? level.set.seats)
    for (const [name, target] of targets) reported.levels.target.set([name], target)
    reported.fairFraction.set([], fairFraction)
  }

  function widthOf(level: PriorityLevel, { info, query }: FairRequest): Width {
    if (level.exempt || !info.isResource) return oneSeat
    const { nominal } = level.limits
    switch (info.verb) {
      case 'list':
      case 'watch': {
        const work = listWorkOf(info, query, stored)
        return work === undefined ? oneSeat : listWidth(work, nominal, level.handSize, listsBySize)
      }
      case 'create':
      case 'update':
      case 'patch':
      case 'delete': {
        if (info.subresource === 'token') return oneSeat
        const count = watchers.interestedIn(info)
        return mutatingWidth(count, nominal, level.handSize)
      }
      default:
        return oneSeat
    }
  }

  const timer = clock.every(borrowingPeriodMs, lend)
  return {
    levels,
    watchers,
    configure,
    start(asked) {
      const schema = matcher.match(asked.user, asked.info) ?? catchAll
      const level = schema && levels.get(schema.level)
      assert(schema !== undefined && level !== undefined, 'configure always hands in catch-all and its level')
      const flow = level.flowOf(schema, distinguisherOf(schema, asked))
      const request = new QueuedRequest(flow, widthOf(level, asked), clock.monotonicMs(), asked)
      level.seriesOf(schema.name).estimated(request.seatsMax)
      return { schema, level, request, refusal: level.set.start(request) }
    },
    finish: ({ level, request }, nowMs) => level.set.finish(request, nowMs),
    giveUp: ({ level, request }, why) => level.set.giveUp(request, why),
    close: () => timer.close(),
  }
}

function distinguisherOf({ distinguisher }: FlowSchema, { user, info }: FairRequest): string {
  if (distinguisher === undefined) return ''
  return distinguisher === 'ByUser' ? user.name : info.namespace
}

/** Undefined for a watch without initial events. */
function listWorkOf(
  info: RequestInfo,
  query: QueryParameters,
  stored: FairnessDependencies['stored'],
): ListWork | undefined {
  const resourceVersion = query.get('resourceVersion') ?? ''
  if (info.verb === 'watch') {
    const fromState = query.get('sendInitialEvents') === 'true' || resourceVersion === '' || resourceVersion === '0'
    if (!fromState) return undefined
  }
  const asked = Number(query.get('limit') ?? 0)
  const limit = info.verb === 'list' && Number.isSafeInteger(asked) && asked > 0 ? asked : 0
  const isPage = (query.get('continue') ?? '') !== '' || (limit > 0 && resourceVersion !== '0')
  return {
    stored: stored(info.group, info.resource),
    limit,
    named: info.name !== '',
    fromStore: info.verb === 'list' && (isPage || query.get('resourceVersionMatch') === 'Exact'),
    hasSelector: (query.get('labelSelector') ?? '') !== '' || (query.get('fieldSelector') ?? '') !== '',
  }
}

/** Values that change with every request are computed at scrape. */
function collectCurrent(
  { current, levels: gauges }: FairnessMetrics,
  levels: ReadonlyMap<string, PriorityLevel>,
): void {
  type Sample = { labels: readonly string[]; value: number }
  const perLevel = (read: (level: PriorityLevel) => number) => (): Sample[] =>
    [...levels.values()].map((level) => ({ labels: [level.name], value: read(level) }))
  gauges.current.collect(
    perLevel((level) => {
      level.observeRatios()
      return level.set.seats
    }),
  )
  gauges.currentR.collect(perLevel(({ set }) => set.currentR))

  const perFlow = (
    read: (level: PriorityLevel) => Iterable<QueuedRequest>,
    weigh: (request: QueuedRequest) => number,
  ) =>
    function* (): Generator<Sample> {
      for (const level of levels.values()) {
        const sums = new Map<string, number>()
        for (const schema of level.schemas()) sums.set(schema, 0)
        for (const request of read(level)) {
          const { schema } = request.flow
          sums.set(schema, (sums.get(schema) ?? 0) + weigh(request))
        }
        for (const [schema, value] of sums) yield { labels: [schema, level.name], value }
      }
    }
  const executing = (level: PriorityLevel): Iterable<QueuedRequest> => level.set.executing()
  const queued = (level: PriorityLevel): Iterable<QueuedRequest> => level.set.queued()
  current.executingRequests.collect(perFlow(executing, () => 1))
  current.executingSeats.collect(perFlow(executing, ({ seatsMax }) => seatsMax))
  current.queuedRequests.collect(perFlow(queued, () => 1))
  current.queuedSeats.collect(perFlow(queued, ({ seatsMax }) => seatsMax))
}
