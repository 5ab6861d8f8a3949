// The cost of the cache: memory of entries, reads, and fan-out to watchers. Run: node --expose-gc test/bench/cache.ts
import { setImmediate as tick } from 'node:timers/promises'
import { silentLogger, silentMetrics, systemClock } from '../../lib/base/index.ts'
import {
  type CacheWatchEvent,
  type CacheWatchOptions,
  createFeed,
  type Feed,
  type ResourceCache,
} from '../../lib/cache/index.ts'
import { prefixEnd } from '../../lib/storage/index.ts'
import {
  allPods,
  any,
  encodeObject,
  jsonEncoding,
  jsonFrame,
  labelled,
  latest,
  resourceOptions,
} from '../support/cachekit.ts'
import { createTinyStore, type TinyStore } from '../support/tinystore.ts'

interface Bench {
  store: TinyStore
  feed: Feed
  pods: ResourceCache
}

const fill = 'x'.repeat(1_300)

function pathOf(number: number): string {
  return `/registry/pods/ns${number % 50}/pod-${String(number).padStart(6, '0')}`
}

function put(store: TinyStore, number: number): void {
  store.put(pathOf(number), encodeObject({ app: `app-${number % 10}`, node: `n${number % 100}` }, fill))
}

async function start(objects: number): Promise<Bench> {
  const store = createTinyStore()
  for (let number = 0; number < objects; number++) put(store, number)
  const feed = createFeed(
    { store, clock: systemClock, log: silentLogger, metrics: silentMetrics },
    { prefix: '/registry/', loadPageKeys: 100_000 },
  )
  const pods = feed.attach(resourceOptions())
  await feed.start()
  return { store, feed, pods }
}

function usedMebibytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

function report(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(62)} ${value.toFixed(value < 10 ? 2 : 1).padStart(9)} ${unit}`)
}

/** Microseconds of one call, the best of some rounds. */
async function measure(times: number, run: (index: number) => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const startMs = performance.now()
    for (let index = 0; index < times; index++) await run(index)
    best = Math.min(best, ((performance.now() - startMs) * 1000) / times)
  }
  return best
}

async function memory(objects: number): Promise<void> {
  const store = createTinyStore()
  for (let number = 0; number < objects; number++) put(store, number)
  const before = usedMebibytes()
  const feed = createFeed(
    { store, clock: systemClock, log: silentLogger, metrics: silentMetrics },
    { prefix: '/registry/', loadPageKeys: 100_000 },
  )
  const pods = feed.attach(resourceOptions())
  await feed.start()
  const stored = (objects * 1_400) / 1024 / 1024
  const loaded = usedMebibytes()
  report(`memory of ${objects} entries, besides ${stored.toFixed(0)} MiB of stored bytes`, loaded - before, 'MiB')
  const { entries } = await pods.list({ ...allPods, at: any })
  for (const entry of entries) entry.bytes(jsonEncoding)
  report(`memory of ${objects} entries, with encoded bytes and some objects`, usedMebibytes() - before, 'MiB')
  await feed.close()
}

async function reads(): Promise<void> {
  const { feed, pods } = await start(10_000)
  report('get any', await measure(20_000, (index) => pods.get(pathOf(index % 10_000), { at: any })), 'µs')
  report('get latest', await measure(5_000, (index) => pods.get(pathOf(index % 10_000), { at: latest })), 'µs')
  const listAll = async (): Promise<void> => {
    const { entries } = await pods.list({ ...allPods, at: any })
    for (const entry of entries) entry.bytes(jsonEncoding)
  }
  report('list 10,000 with their bytes', await measure(20, listAll), 'µs')
  report('list a page of 500', await measure(200, () => pods.list({ ...allPods, at: any, limit: 500 })), 'µs')
  const namespace = { start: '/registry/pods/ns7/', end: prefixEnd('/registry/pods/ns7/') }
  report('list a namespace of 200', await measure(500, () => pods.list({ ...namespace, at: any })), 'µs')
  const predicate = labelled('app', 'app-3')
  report('list by label, 1,000 of 10,000', await measure(20, () => pods.list({ ...allPods, at: any, predicate })), 'µs')
  await feed.close()
}

async function writes(): Promise<void> {
  const { store, feed, pods } = await start(10_000)
  store.held = true
  for (let number = 0; number < 10_000; number++) put(store, (number * 7919) % 10_000)
  const startMs = performance.now()
  while (pods.revision < store.revision) {
    store.deliver(100)
    await tick()
  }
  report('apply an event, no watchers', ((performance.now() - startMs) * 1000) / 10_000, 'µs')
  await feed.close()
}

/** Longest stretch during which nothing else could run, from here until `stop`. */
function watchLoop(): { stop(): number } {
  let longest = 0
  let last = performance.now()
  let over = false
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop() {
      over = true
      return longest
    },
  }
}

interface FanOut {
  readonly watchers: number
  readonly events: number
  readonly atOnce: number
  /** Options of a watch besides everything from now on. */
  readonly watch?: (number: number) => Partial<CacheWatchOptions>
  /** Deliveries of one event. */
  readonly reach?: number
}

async function fanOut(title: string, { watchers, events, atOnce, watch, reach = watchers }: FanOut): Promise<void> {
  const { store, feed, pods } = await start(1_000)
  let delivered = 0
  let bytes = 0
  const sink = {
    onEvents(batch: readonly CacheWatchEvent[]) {
      for (const event of batch) for (const part of event.frame(jsonFrame)) bytes += part.byteLength
      delivered += batch.length
      return true
    },
    onEnd() {},
  }
  for (let number = 0; number < watchers; number++)
    await pods.watch({ ...allPods, from: { kind: 'now', at: any }, bookmarks: true, ...watch?.(number) }, sink)
  await tick()
  await tick()
  const loop = watchLoop()
  const cpu = process.cpuUsage()
  let lastMs = 0
  for (let sent = 0; sent < events; ) {
    for (let number = 0; number < atOnce; number++) put(store, sent++ % 1_000)
    const sentMs = performance.now()
    while (delivered < sent * reach) await tick()
    lastMs = Math.max(lastMs, performance.now() - sentMs)
  }
  const { user, system } = process.cpuUsage(cpu)
  report(`${title}: CPU a delivery`, (user + system) / delivered, 'µs')
  report(`  CPU an event`, (user + system) / events, 'µs')
  report(`  until the last watcher has it, at worst`, lastMs, 'ms')
  report(`  loop held, at worst`, loop.stop(), 'ms')
  if (bytes === 0) throw new Error('nothing was delivered')
  await feed.close()
}

/** Many watches begin at once, each with the whole state. */
async function initialStates(watchers: number, objects: number): Promise<void> {
  const { feed, pods } = await start(objects)
  let delivered = 0
  const sink = {
    onEvents(batch: readonly CacheWatchEvent[]) {
      for (const event of batch) event.frame(jsonFrame)
      delivered += batch.length
      return true
    },
    onEnd() {},
  }
  const loop = watchLoop()
  const cpu = process.cpuUsage()
  for (let number = 0; number < watchers; number++)
    await pods.watch({ ...allPods, from: { kind: 'state', at: any } }, sink)
  while (delivered < watchers * objects) await tick()
  const { user, system } = process.cpuUsage(cpu)
  report(`${watchers} watches begin with ${objects} objects: CPU an event`, (user + system) / delivered, 'µs')
  report(`  loop held, at worst`, loop.stop(), 'ms')
  await feed.close()
}

await memory(10_000)
await memory(60_000)
await reads()
await writes()
await fanOut('1,000 watchers, single events', { watchers: 1_000, events: 20, atOnce: 1 })
await fanOut('1,000 watchers, 10 events at once', { watchers: 1_000, events: 2_000, atOnce: 10 })
await fanOut('5,000 watchers, 10 events at once', { watchers: 5_000, events: 200, atOnce: 10 })
await fanOut('5,000 watchers, single events', { watchers: 5_000, events: 20, atOnce: 1 })
const byNode = (number: number) => ({ predicate: labelled('node', `n${number % 100}`, 'field') })
await fanOut('5,000 watchers by indexed field, 50 see an event', {
  watchers: 5_000,
  events: 2_000,
  atOnce: 10,
  watch: byNode,
  reach: 50,
})
const bySelector = (number: number) => ({
  predicate: { ...labelled('app', `app-${number % 10}`), key: `app=app-${number % 10},${number}` },
})
await fanOut('5,000 different selectors, 500 see an event', {
  watchers: 5_000,
  events: 500,
  atOnce: 100,
  watch: bySelector,
  reach: 500,
})
await initialStates(200, 1_000)
