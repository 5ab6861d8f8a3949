import { deepEqual } from 'node:assert/strict'
import { type LabelValues, type Metrics, silentMetrics } from '../../../lib/base/index.ts'
import { allPods, any, createKit, labelled, latest } from '../../support/cachekit.ts'

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
    await kit.pods.list({ ...allPods, at: latest })
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
      [`watch_cache_capacity_increase_total{${of}}`]: 1,
      [`apiserver_terminated_watchers_total{${of}}`]: 1,
    })
  })
})
