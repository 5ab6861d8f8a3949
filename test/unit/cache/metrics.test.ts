import { deepEqual, throws } from 'node:assert/strict'
import { type LabelValues, type Metrics, silentMetrics } from '../../../lib/base/index.ts'
import { allPods, any, createKit, exact, labelled, latest, podsIn } from '../../support/cachekit.ts'

/** Sums by name and label values, named as the metric names its labels. */
function createSums(): { metrics: Metrics; sums: Map<string, number> } {
  const sums = new Map<string, number>()
  const metrics: Metrics = {
    ...silentMetrics,
    counter: ({ name, labels = [] }) => {
      const add = (values: LabelValues, by = 1): void => {
        const key = `${name}{${labels.map((label, index) => `${label}=${values[index]}`).join()}}`
        sums.set(key, (sums.get(key) ?? 0) + by)
      }
      return { add, at: (values) => ({ add: (by) => add(values, by) }) }
    },
  }
  return { metrics, sums }
}

describe('metrics of the cache', () => {
  it('count loads, events, lists, consistent reads and slow watchers', async () => {
    const { metrics, sums } = createSums()
    const kit = createKit({ historyEventsMin: 4, historyEventsMax: 8 }, undefined, metrics)
    await kit.feed.start()
    const watching = await kit.watch()
    await kit.settle()
    for (let number = 0; number < 5; number++) kit.put(`pods/a/p${number}`, { app: number < 2 ? 'x' : 'y' })
    await kit.settle()
    await kit.pods.list({ ...allPods, at: any, predicate: labelled('app', 'x') })
    await kit.turned(kit.pods.list({ ...allPods, at: latest }))
    watching.takes = false
    for (let number = 0; number < 20; number++) {
      kit.put('pods/a/p0')
      await kit.settle()
    }
    await kit.pass(1_000)
    await kit.feed.close()
    const of = 'group=,resource=pods'
    deepEqual(Object.fromEntries(sums), {
      [`apiserver_watch_cache_initializations_total{${of}}`]: 1,
      [`apiserver_storage_events_received_total{${of}}`]: 25,
      [`apiserver_watch_cache_events_received_total{${of}}`]: 25,
      [`apiserver_watch_cache_events_dispatched_total{${of}}`]: 25,
      [`apiserver_cache_list_total{group=,index=,resource=pods}`]: 2,
      [`apiserver_cache_list_fetched_objects_total{group=,index=,resource=pods}`]: 10,
      [`apiserver_cache_list_returned_objects_total{${of}}`]: 7,
      [`apiserver_watch_cache_consistent_read_total{fallback=false,group=,resource=pods,success=true}`]: 1,
      [`apiserver_storage_list_total{${of}}`]: 1,
      [`apiserver_storage_list_fetched_objects_total{${of}}`]: 0,
      [`apiserver_storage_list_evaluated_objects_total{${of}}`]: 0,
      [`apiserver_storage_list_returned_objects_total{${of}}`]: 0,
      [`watch_cache_capacity_increase_total{${of}}`]: 1,
      [`apiserver_terminated_watchers_total{${of}}`]: 1,
    })
  })

  it('count lists from the store, initial states of watches, and unreadable values', async () => {
    const { metrics, sums } = createSums()
    const kit = createKit({ historyEventsMin: 2, historyEventsMax: 2, snapshotsMax: 1 }, undefined, metrics)
    const count = (name: string): number => sums.get(`apiserver_${name}{group=,resource=pods}`) ?? 0
    const lists = (): number[] =>
      ['total', 'fetched_objects_total', 'evaluated_objects_total', 'returned_objects_total'].map((name) =>
        count(`storage_list_${name}`),
      )
    await kit.feed.start()
    deepEqual(lists(), [1, 0, 0, 0])
    for (let number = 0; number < 3; number++) kit.put(`pods/a/p${number}`, { app: number < 2 ? 'x' : 'y' })
    const past = kit.put('pods/b/last')
    await kit.settle()
    await kit.watch({ ...podsIn('a'), initialEventsEnd: true })
    await kit.settle()
    deepEqual(count('init_events_total'), 3)
    // Later only the store knows the state of then.
    for (let number = 0; number < 8; number++) {
      kit.put('pods/b/later')
      await kit.pass(30_000)
    }
    const { entries } = await kit.pods.list({ ...allPods, at: exact(past), predicate: labelled('app', 'x') })
    deepEqual(entries.length, 2)
    deepEqual(lists(), [2, 4, 4, 2])
    kit.store.put('/registry/pods/b/broken', Buffer.from('?'))
    await kit.settle()
    throws(() => kit.pods.peek('/registry/pods/b/broken')?.object())
    deepEqual(count('storage_decode_errors_total'), 1)
    await kit.feed.close()
  })
})
