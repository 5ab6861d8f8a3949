import type { Metrics } from '../base/index.ts'
import type { GroupResource, Revision } from '../object/index.ts'

/** Counts the work of one resource's cache under the metric names that dashboards use. */
export interface CacheMetrics {
  /** A list was answered: how many entries were examined and returned. */
  listed(fetched: number, returned: number): void
  /**
   * The store was listed, for the cache or for a direct read: how many objects it sent, were examined, and returned.
   */
  listedFromStore(fetched: number, evaluated: number, returned: number): void
  /** Counts the objects of a watch's initial state. */
  begun(events: number): void
  /** A stored value can't be decoded. */
  undecodable(): void
  consistentRead(success: boolean, fallback: boolean): void
  waited(seconds: number): void
  received(): void
  dispatched(changes: number): void
  terminated(): void
  initialized(): void
  capacity(capacity: number, direction?: 'increase' | 'decrease'): void
}

export function createCacheMetrics(metrics: Metrics, { group, resource }: GroupResource): CacheMetrics {
  const labels = ['group', 'resource']
  const values = [group, resource]
  const counter = (name: string, help: string, more: string[] = []) =>
    metrics.counter({ name, help, labels: [...labels, ...more].sort(), stability: 'ALPHA' })
  const total = counter('apiserver_cache_list_total', 'Lists answered from the cache', ['index'])
  const fetched = counter('apiserver_cache_list_fetched_objects_total', 'Objects read by lists', ['index'])
  const returned = counter('apiserver_cache_list_returned_objects_total', 'Objects returned by lists')
  const storeTotal = counter('apiserver_storage_list_total', 'Lists answered from the store')
  const storeFetched = counter('apiserver_storage_list_fetched_objects_total', 'Objects read from the store by lists')
  const storeEvaluated = counter(
    'apiserver_storage_list_evaluated_objects_total',
    'Objects read by lists from the store',
  )
  const storeReturned = counter(
    'apiserver_storage_list_returned_objects_total',
    'Objects returned by lists from the store',
  )
  const begun = counter('apiserver_init_events_total', 'Events of the states that watches began with')
  const undecodable = counter('apiserver_storage_decode_errors_total', 'Stored objects that could not be read')
  const consistent = counter('apiserver_watch_cache_consistent_read_total', 'Consistent reads', ['fallback', 'success'])
  const terminated = counter('apiserver_terminated_watchers_total', 'Watchers closed for being too slow')
  const dispatched = counter('apiserver_watch_cache_events_dispatched_total', 'Events dispatched to watchers')
  const received = counter('apiserver_watch_cache_events_received_total', 'Events that came into the cache')
  const stored = metrics.counter({
    name: 'apiserver_storage_events_received_total',
    help: 'Events received from the store',
    labels,
    stability: 'BETA',
  })
  const initialized = counter('apiserver_watch_cache_initializations_total', 'Times that the cache was loaded')
  const increased = counter('watch_cache_capacity_increase_total', 'Times that the event history grew')
  const decreased = counter('watch_cache_capacity_decrease_total', 'Times that the event history shrank')
  const capacity = metrics.gauge({
    name: 'watch_cache_capacity',
    help: 'Room of the event history',
    labels,
    stability: 'ALPHA',
  })
  const waited = metrics
    .histogram({
      name: 'apiserver_watch_cache_read_wait_seconds',
      help: 'Time that reads waited for the cache to become fresh',
      labels,
      stability: 'ALPHA',
      buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    })
    .at(values)
  // Lists use no index: the cache itself is ordered by key.
  const indexed = [group, '', resource]
  return {
    listed(looked, answered) {
      total.add(indexed)
      fetched.add(indexed, looked)
      returned.add(values, answered)
    },
    listedFromStore(read, looked, answered) {
      storeTotal.add(values)
      storeFetched.add(values, read)
      storeEvaluated.add(values, looked)
      storeReturned.add(values, answered)
    },
    begun: (events) => begun.add(values, events),
    undecodable: () => undecodable.add(values),
    consistentRead: (success, fallback) => consistent.add([String(fallback), group, resource, String(success)]),
    waited: (seconds) => waited.observe(seconds),
    received() {
      stored.add(values)
      received.add(values)
    },
    dispatched: (changes) => dispatched.add(values, changes),
    terminated: () => terminated.add(values),
    initialized: () => initialized.add(values),
    capacity(value, direction) {
      capacity.set(values, value)
      if (direction) (direction === 'increase' ? increased : decreased).add(values)
    },
  }
}

/** The revision that each cache shows, read at scrape. */
export function exposeRevisions(
  metrics: Metrics,
  caches: () => Iterable<{ readonly resource: GroupResource; readonly revision: Revision }>,
): void {
  metrics
    .gauge({
      name: 'apiserver_watch_cache_resource_version',
      help: 'Revision that the cache shows',
      labels: ['group', 'resource'],
      across: 'min',
      stability: 'ALPHA',
    })
    .collect(() =>
      Array.from(caches(), ({ resource, revision }) => ({
        labels: [resource.group, resource.resource],
        value: revision,
      })),
    )
}
