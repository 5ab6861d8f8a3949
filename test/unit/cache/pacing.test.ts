import { deepEqual, equal } from 'node:assert/strict'
import { type Clock, createFakeClock, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { type CacheWatchEvent, createFeed } from '../../../lib/cache/index.ts'
import { allPods, any, encodeObject, labelled, nameOf, resourceOptions } from '../../support/cachekit.ts'
import { createTinyStore } from '../../support/tinystore.ts'

/** A feed on a clock whose every look costs a millisecond, and a count of what ran in each tick. */
async function startSlow() {
  const fake = createFakeClock()
  let spentMs = 0
  const slices = { run: (work: () => void) => work() }
  const clock: Clock = {
    ...fake,
    monotonicMs: () => fake.monotonicMs() + spentMs++,
    soon: (run) => fake.soon(() => slices.run(run)),
    turn: (sinceMs, run) => fake.turn(sinceMs, () => slices.run(run)),
  }
  const store = createTinyStore()
  const feed = createFeed({ store, clock, log: silentLogger, metrics: silentMetrics }, { prefix: '/registry/' })
  const pods = feed.attach(resourceOptions())
  await feed.start()
  const tick = async (): Promise<void> => {
    await new Promise(setImmediate)
    fake.advance(20)
  }
  const spend = (ms: number): void => void (spentMs += ms)
  return { store, feed, pods, tick, slices, spend }
}

describe('the pace of the cache', () => {
  it('delivers a large fan-out in slices, in order though more happens meanwhile', async () => {
    const { store, feed, pods, tick, slices } = await startSlow()
    const seen: string[][] = []
    let now = 0
    for (let number = 0; number < 300; number++) {
      const events: string[] = []
      seen.push(events)
      const onEvents = (batch: readonly CacheWatchEvent[]): boolean => {
        now++
        events.push(...batch.map(({ entry }) => nameOf(entry)))
        return true
      }
      await pods.watch({ ...allPods, from: { kind: 'now', at: any } }, { onEvents, onEnd() {} })
    }
    await tick()
    const delivered: number[] = []
    slices.run = (work) => {
      now = 0
      work()
      delivered.push(now)
      const written = delivered.length / 2
      if (written === 1 || written === 2) store.put(`/registry/pods/a/p${written}`, encodeObject({}))
    }
    store.put('/registry/pods/a/p0', encodeObject({}))
    for (let round = 0; round < 40; round++) await tick()
    equal(Math.max(...delivered) < 100 && Math.max(...delivered) > 10, true, `slices of ${delivered}`)
    for (const events of seen) deepEqual(events, ['p0', 'p1', 'p2'])
    await feed.close()
  })

  it('examines a large resource in slices, at one state', async () => {
    const { store, feed, pods, tick } = await startSlow()
    for (let number = 10_000; number < 18_000; number++)
      store.put(`/registry/pods/a/p${number}`, encodeObject({ app: number % 1_000 === 999 ? 'x' : 'y' }))
    let done = false
    const listing = pods.list({ ...allPods, at: any, predicate: labelled('app', 'x') }).finally(() => {
      done = true
    })
    for (let turns = 0; turns < 10; turns++) await Promise.resolve()
    let ticks = 0
    for (; !done; ticks++) {
      store.put('/registry/pods/a/p17999', encodeObject({ app: 'y' }))
      await tick()
    }
    const { entries } = await listing
    equal(ticks > 1, true)
    deepEqual([entries.length, nameOf(entries.at(-1))], [8, 'p17999'])
    await feed.close()
  })

  it('examines few entries between pauses, where each must be decoded', async () => {
    const { store, feed, pods, tick, slices, spend } = await startSlow()
    for (let number = 1000; number < 1300; number++)
      store.put(`/registry/pods/a/p${number}`, encodeObject({ app: 'x' }))
    let [sincePause, most] = [0, 0]
    slices.run = (work) => {
      sincePause = 0
      work()
    }
    const matches = (): boolean => {
      spend(5)
      most = Math.max(most, ++sincePause)
      return true
    }
    let done = false
    const listing = pods.list({ ...allPods, at: any, predicate: { key: 'dear', matches } }).finally(() => {
      done = true
    })
    while (!done) await tick()
    equal((await listing).entries.length, 300)
    equal(most <= 8, true, `${most} in one go`)
    await feed.close()
  })
})
