import type { Clock } from '../../base/index.ts'
import { createFairness, dumpPriorityLevels, dumpQueues, dumpRequests, type Fairness } from '../../fairness/index.ts'
import type { QueryParameters } from '../../request/index.ts'
import { defaultServerOptions, type NonResourceRoute, sendText } from '../../server/index.ts'
import type { ApiserverConfig } from '../config.ts'
import type { ServerServices } from '../serverservices.ts'
import type { Storage } from '../storage/storage.ts'

/** Priority and fairness over the seats that the in-flight limits add up to. Undefined: those limits apply instead. */
export function openFairness(
  config: ApiserverConfig,
  { clock, metrics }: ServerServices,
  { registry }: Storage,
  opened: AsyncDisposableStack,
): Fairness | undefined {
  if (!config.priorityAndFairness) return undefined
  const { maxRequestsInFlight, maxMutatingRequestsInFlight } = { ...defaultServerOptions, ...config.server }
  const stored = (group: string, resource: string): { objects: number; bytes: number } | undefined => {
    const cache = registry.resource({ group, resource })?.cache
    return cache?.ready ? { objects: cache.size, bytes: cache.storedBytes } : undefined
  }
  const watchesDivideBy = (group: string, resource: string): string | undefined =>
    registry.resource({ group, resource })?.kind.watchesDivideBy
  const fairness = createFairness(
    { clock, metrics, stored, watchesDivideBy },
    {
      seats: maxRequestsInFlight + maxMutatingRequestsInFlight,
      listsBySize: config.gates.gate('SizeBasedListCostEstimate'),
    },
  )
  opened.defer(() => fairness.close())
  return fairness
}

/** The debug pages of priority and fairness. */
export function fairnessRoutes(fairness: Fairness, clock: Clock): NonResourceRoute[] {
  const page = (name: string, text: (query: QueryParameters) => string): NonResourceRoute => ({
    pattern: `/debug/api_priority_and_fairness/${name}`,
    handle: (call) => sendText(call, 200, text(call.query)),
  })
  return [
    page('dump_priority_levels', () => dumpPriorityLevels(fairness)),
    page('dump_queues', () => dumpQueues(fairness)),
    page('dump_requests', (query) =>
      dumpRequests(fairness, clock, /^(1|t|true)$/i.test(query.get('includeRequestDetails') ?? '')),
    ),
  ]
}
