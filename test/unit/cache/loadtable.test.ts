import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  type Clock,
  createFakeClock,
  createSeededRandom,
  type Random,
  silentLogger,
  silentMetrics,
} from '../../../lib/base/index.ts'
import { createFeed, type Feed, type ResourceCache } from '../../../lib/cache/index.ts'
import type { StoredTable } from '../../../lib/storage/index.ts'
import { allPods, any, encodeObject, exact, labelled, nameOf, resourceOptions } from '../../support/cachekit.ts'
import { tableOf } from '../../support/tablekit.ts'
import { createTinyStore, type TinyStore } from '../../support/tinystore.ts'

type Change = NonNullable<Parameters<typeof tableOf>[1]>['change']

interface Caches {
  readonly store: TinyStore
  /** Loaded from the store. */
  readonly cold: ResourceCache
  /** Loaded from what the other one has saved. */
  readonly warm: ResourceCache
  readonly table: StoredTable
  readonly feeds: readonly Feed[]
  /** Values that were read from bytes in the warm cache: of an indexed field, and labels. */
  readonly reads: { fields: number; labels: number }
  readonly clock: ReturnType<typeof createFakeClock>
  settle(): Promise<void>
}

const names = 120

function put(store: TinyStore, random: Random): void {
  const labels = { node: `n${random.below(6)}`, app: `a${random.below(9)}` }
  store.put(`/registry/pods/a/p${random.below(names)}`, encodeObject(labels, 'x'.repeat(random.below(30))))
}

/** `resumeRevisions`: those that come as events after the load. */
async function load(
  random: Random,
  {
    change,
    clock = createFakeClock(),
    resumeRevisions = 0,
  }: { change?: Change | undefined; clock?: Clock; resumeRevisions?: number },
): Promise<Caches> {
  const store = createTinyStore()
  for (let count = 0; count < 150; count++) put(store, random)
  const fake = createFakeClock()
  const options = { prefix: '/registry/', indexedShareMax: 1, snapshotEveryEvents: 7, resumeRevisions }
  const services = { store, log: silentLogger, metrics: silentMetrics }
  const first = createFeed({ ...services, clock: fake }, options)
  const cold = first.attach(resourceOptions())
  await first.start()
  const { revision, resources } = first.pastState()!
  const table = tableOf(resources[0]!, change && { change })
  const state = { table, removed: [], changed: [] }
  const warmStart = { beginLoad: () => Promise.resolve(revision), table: () => Promise.resolve(state) }
  const second = createFeed({ ...services, clock, warmStart }, options)
  const reads = { fields: 0, labels: 0 }
  const { storedLabels, indexes = [], ...others } = resourceOptions()
  const warm = second.attach({
    ...others,
    storedLabels: (stored) => (reads.labels++, storedLabels?.(stored)),
    indexes: indexes.map(({ field, valueOf }) => ({ field, valueOf: (stored) => (reads.fields++, valueOf(stored)) })),
  })
  await second.start()
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await new Promise(setImmediate)
      for (const one of [fake, clock]) if ('advance' in one) (one as typeof fake).advance(0)
    }
  }
  return { store, cold, warm, table, feeds: [first, second], reads, clock: fake, settle }
}

async function lists(cache: ResourceCache, random: Random): Promise<unknown> {
  const seed = random.below(1e6)
  const own = createSeededRandom(seed)
  const node = `n${own.below(7)}`
  const app = `a${own.below(9)}`
  const start = `/registry/pods/a/p${own.below(names)}`
  const limit = own.below(20)
  const past = Math.max(2, cache.revision - own.below(12))
  const found = await Promise.all([
    cache.list({ ...allPods, at: any }),
    cache.list({ ...allPods, at: any, predicate: labelled('node', node, 'field') }),
    cache.list({ ...allPods, at: any, predicate: labelled('app', app, 'label') }),
    cache.list({ ...allPods, start, limit, at: any }),
    cache.list({ ...allPods, at: exact(past) }).catch(({ message }: Error) => ({ message, entries: [] })),
  ])
  const entry = cache.peek(start)
  return [
    entry && [entry.revision, entry.createRevision, entry.labels()],
    found.map(({ entries, ...rest }) => [
      { ...rest },
      entries.map((entry) => [entry.key, entry.revision, Buffer.from(entry.stored).toString(), entry.fields()]),
    ]),
  ]
}

/** What both caches answer to the same questions. */
async function requireSame({ cold, warm }: Caches, seed: number): Promise<void> {
  const answers = await Promise.all([cold, warm].map((cache) => lists(cache, createSeededRandom(seed))))
  deepEqual(JSON.stringify(answers[1]), JSON.stringify(answers[0]))
}

/** The caches answer alike after whatever changes. */
async function simulate(seed: number, change?: Change): Promise<void> {
  const random = createSeededRandom(seed)
  const caches = await load(random, { change, resumeRevisions: 5 })
  const { store, feeds, settle, clock } = caches
  const events: string[][] = [[], []]
  for (const [index, cache] of [caches.cold, caches.warm].entries())
    await cache.watch(
      { ...allPods, from: { kind: 'state', at: any } },
      {
        onEvents: (batch) => (
          events[index]?.push(...batch.map(({ type, revision, entry }) => `${type} ${revision} ${nameOf(entry)}`)), true
        ),
        onEnd() {},
      },
    )
  for (let step = 0; step < 40; step++) {
    for (let count = random.below(4); count > 0; count--)
      if (random.below(3) > 0) put(store, random)
      else {
        const name = `/registry/pods/a/p${random.below(names)}`
        if (caches.cold.peek(name)) store.remove(name)
        await settle()
      }
    if (random.below(5) === 0) clock.advance(1000)
    await settle()
    await requireSame(caches, random.below(1e6))
  }
  deepEqual(events[1], events[0])
  for (const feed of feeds) await feed.close()
}

describe('A cache that is loaded from a table', () => {
  it('answers as one that has read the store, after any changes', async () => {
    for (let seed = 1; seed <= 12; seed++) await simulate(seed)
  })

  it('reads labels and fields that were not saved', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createSeededRandom(seed * 100)
      const share = random.below(4)
      await simulate(seed, (value) => ({
        ...value,
        texts: value.texts.map((text) => (random.below(4) < share ? undefined : text)),
      }))
    }
  })

  it('is found to be wrong when values of an index are those of others', async () => {
    const wrong: Change = (value) => ({ ...value, texts: value.texts.map((text) => text?.replace('n1', 'n2')) })
    await simulate(1, wrong).then(
      () => ok(false, 'nobody has noticed'),
      (error: Error) => equal(error.name, 'AssertionError'),
    )
  })

  it('reads no value until an entry is looked at, and then those near it', async () => {
    const { warm, table, reads, feeds, settle } = await load(createSeededRandom(1), {})
    const made: number[] = []
    const { valueAt } = table
    table.valueAt = (index) => (made.push(index), valueAt.call(table, index))
    await settle()
    deepEqual([warm.size, reads, made.length], [table.size, { fields: 0, labels: 0 }, 0])
    equal(warm.storedBytes, table.valueBytes)
    const key = table.keyAt(40)
    deepEqual(warm.peek(key)?.labels(), JSON.parse(Buffer.from(warm.peek(key)!.stored).toString()).labels)
    deepEqual([reads, made.length], [{ fields: 0, labels: 0 }, 32])
    for (const feed of feeds) await feed.close()
    equal(made.length, 32, 'the end makes none')
  })

  it('makes entries for a list in slices, and leaves the blocks to them', async () => {
    let spentMs = 0
    const fake = createFakeClock()
    const clock = { ...fake, monotonicMs: () => fake.monotonicMs() + spentMs++ }
    const { warm, table, feeds, settle, store } = await load(createSeededRandom(2), { clock })
    let isDone = false
    const before = warm.size
    const listing = warm.list({ ...allPods, at: any }).finally(() => (isDone = true))
    for (let turns = 0; turns < 10; turns++) await Promise.resolve()
    equal(isDone, false)
    store.put('/registry/pods/a/later', encodeObject({}))
    await settle()
    for (let ticks = 0; !isDone && ticks < 100; ticks++) {
      await new Promise(setImmediate)
      fake.advance(20)
    }
    const { entries } = await listing
    deepEqual([entries.length, warm.size], [before, before + 1])
    let isReleased = false
    try {
      table.valueAt(0)
    } catch {
      isReleased = true
    }
    equal(isReleased, true)
    for (const feed of feeds) await feed.close()
  })
})
