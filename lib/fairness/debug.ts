import { formatMicroTime } from '../object/index.ts'
import type { RequestInfo } from '../request/index.ts'
import type { Fairness, FairRequest } from './fairness.ts'
import type { PriorityLevel } from './prioritylevel.ts'
import type { QueuedRequest } from './queueset.ts'

/** Maximum number of queues of a level that a page lists; a level may have millions. */
const queuesListedMax = 1024

/** The page of priority levels: their counts and their current state. */
export function dumpPriorityLevels(fairness: Fairness): string {
  const rows = levelsOf(fairness).map(({ name, set, quiescing, counts }) => [
    name,
    set.activeQueues,
    set.isIdle,
    quiescing,
    set.waiting,
    executingOf(set.executing()).length,
    counts.dispatched,
    counts.rejected,
    counts.timedOut,
    counts.cancelled,
  ])
  return table(
    [
      'PriorityLevelName',
      'ActiveQueues',
      'IsIdle',
      'IsQuiescing',
      'WaitingRequests',
      'ExecutingRequests',
      'DispatchedRequests',
      'RejectedRequests',
      'TimedoutRequests',
      'CancelledRequests',
    ],
    rows,
  )
}

/** The page of all queues. */
export function dumpQueues(fairness: Fairness): string {
  const rows = levelsOf(fairness).flatMap(({ name, set, queues }) =>
    Array.from({ length: Math.min(queues, queuesListedMax) }, (_, index) => {
      const queue = set.queue(index)
      const waiting = queue?.waiting ?? []
      const sum = (of: (request: QueuedRequest) => number): number => waiting.reduce((all, each) => all + of(each), 0)
      return [
        name,
        index,
        waiting.length,
        queue?.executing ?? 0,
        queue?.seatsInUse ?? 0,
        formatSeatSeconds(queue?.nextDispatchR ?? set.currentR),
        sum(({ width }) => width.initialSeats),
        sum(({ seatsMax }) => seatsMax),
        formatSeatSeconds(queue?.waitingWork ?? 0),
      ]
    }),
  )
  return table(
    [
      'PriorityLevelName',
      'Index',
      'PendingRequests',
      'ExecutingRequests',
      'SeatsInUse',
      'NextDispatchR',
      'InitialSeatsSum',
      'MaxSeatsSum',
      'TotalWorkSum',
    ],
    rows,
  )
}

/** The page of requests that wait or execute. `details` adds the user and the request. */
export function dumpRequests(fairness: Fairness, clock: { now(): number; monotonicMs(): number }, details: boolean) {
  const offsetMs = clock.now() - clock.monotonicMs()
  const timeOf = (monotonicMs: number): string => formatMicroTime(monotonicMs + offsetMs)
  const rows = levelsOf(fairness).flatMap((level) => requestsOf(level, timeOf, details))
  return table(
    [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher',
      'ArriveTime',
      'InitialSeats',
      'FinalSeats',
      'AdditionalLatency',
      'StartTime',
      ...(details ? detailColumns : []),
    ],
    rows,
  )
}

const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource']

type Cell = string | number | boolean

function requestsOf({ name, set }: PriorityLevel, timeOf: (ms: number) => string, details: boolean): Cell[][] {
  const row = (request: QueuedRequest, queue: number, index: number): Cell[] => {
    const { flow, width, state } = request
    const cells = [name, flow.schema, queue, index, flow.distinguisher, timeOf(request.arrivedMs)]
    const seats = [width.initialSeats, width.finalSeats, `${width.extraLatencyMs}ms`]
    const started = state === 'waiting' ? '' : timeOf(request.startedMs)
    return [...cells, ...seats, started, ...(details ? detailsOf(request.subject as FairRequest) : [])]
  }
  const positions = new Map<number, number>()
  const waiting = [...set.queued()].map((request) => {
    const index = positions.get(request.queue) ?? 0
    positions.set(request.queue, index + 1)
    return row(request, request.queue, index)
  })
  return [...waiting, ...executingOf(set.executing()).map((request) => row(request, request.queue, -1))]
}

function detailsOf({ user, info }: FairRequest): string[] {
  const { verb, path, namespace, name, resource, subresource } = info
  return [user.name, verb, path, namespace, name, apiVersionOf(info), resource, subresource]
}

function apiVersionOf({ group, version }: RequestInfo): string {
  return group === '' ? version : `${group}/${version}`
}

function executingOf(requests: Iterable<QueuedRequest>): QueuedRequest[] {
  return [...requests].filter(({ state }) => state === 'executing')
}

function levelsOf({ levels }: Fairness): PriorityLevel[] {
  return [...levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function formatSeatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`
}

/**
 * Aligned columns, as on the stock server's pages: each cell is followed by a comma and at least eight characters wide.
 */
function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows.map((row) => row.map(String))]
  const widths = columns.map((_, at) => {
    let width = 8
    for (const line of lines) width = Math.max(width, (line[at] ?? '').length + 2)
    return width
  })
  const format = (line: readonly string[]): string =>
    line.map((cell, at) => (at === line.length - 1 ? cell : `${cell},`.padEnd(widths[at] ?? 0))).join('')
  return lines.map((line) => `${format(line)}\n`).join('')
}
