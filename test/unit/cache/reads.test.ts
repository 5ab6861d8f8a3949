import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { CacheListOptions, Predicate } from '../../../lib/cache/index.ts'
import { StoreError } from '../../../lib/storage/index.ts'
import {
  allPods,
  any,
  createKit,
  exact,
  type Kit,
  labelled,
  latest,
  nameOf,
  notOlderThan,
  podsIn,
  startKit,
} from '../../support/cachekit.ts'

describe('reads of the cache', () => {
  let kit: Kit
  afterEach(() => kit.feed.close())

  it('are refused with 429 until the cache is loaded, except a consistent get', async () => {
    kit = createKit()
    kit.put('pods/a/x')
    const initializing = { code: 429, message: 'storage is (re)initializing', details: { retryAfterSeconds: 1 } }
    await rejects(kit.pods.list({ ...allPods, at: any }), initializing)
    await rejects(kit.pods.list({ ...allPods, at: latest }), initializing)
    await rejects(kit.pods.get('/registry/pods/a/x', { at: any }), initializing)
    await rejects(kit.watch(), initializing)
    equal(nameOf((await kit.pods.get('/registry/pods/a/x', { at: latest })).entry), 'x')
    await kit.feed.start()
    equal(nameOf((await kit.pods.get('/registry/pods/a/x', { at: any })).entry), 'x')
  })

  it('load in pages at one revision, though writes go on', async () => {
    kit = createKit({ loadPageKeys: 10 })
    for (let number = 100; number < 155; number++) kit.put(`pods/a/p${number}`)
    let writes = 0
    kit.store.beforeRead = () => void kit.put(`pods/a/p${200 + writes++}`)
    const started = kit.feed.start()
    await started
    kit.store.beforeRead = undefined
    equal(kit.pods.size, 55 + writes)
    equal(kit.feed.revision, kit.store.revision)
  })

  it('find entries by an indexed field without examining the others, before and after changes', async () => {
    kit = createKit()
    for (let number = 100; number < 200; number++) kit.put(`pods/a/p${number}`, { node: `n${number % 10}` })
    kit.put('pods/b/p100', { node: 'n3' })
    await kit.feed.start()
    let looked = 0
    const on = (node: string): Predicate => {
      const predicate = labelled('node', node, 'field')
      return { ...predicate, matches: (entry) => (looked++, predicate.matches(entry)) }
    }
    const names = async (node: string, options: Partial<CacheListOptions> = {}): Promise<string[]> =>
      (await kit.pods.list({ ...allPods, at: any, predicate: on(node), ...options })).entries.map(nameOf)
    equal((await names('n3')).length, 11)
    equal((await names('n3', podsIn('b'))).length, 1)
    equal(looked, 12)
    kit.put('pods/a/p103', { node: 'n4' })
    kit.remove('pods/a/p113')
    kit.put('pods/c/new', { node: 'n3' })
    looked = 0
    deepEqual(await names('n3', { limit: 2 }), ['p123', 'p133'])
    equal((await names('n3')).length, 10)
    equal((await names('n4')).length, 11)
    ok(looked <= 24, `${looked}`)
    looked = 0
    const watched = await kit.watch({ predicate: on('n3') })
    await kit.settle()
    equal(watched.events.filter((text) => text.startsWith('+')).length, 10)
    equal(looked, 10)
  })

  it('know how many bytes are stored, whatever was added, changed and removed', async () => {
    kit = createKit()
    const expectSum = async (): Promise<void> => {
      const { entries } = await kit.pods.list({ ...allPods, at: any })
      equal(
        kit.pods.storedBytes,
        entries.reduce((sum, { stored }) => sum + stored.byteLength, 0),
      )
    }
    for (const name of ['x', 'y', 'z']) kit.put(`pods/a/${name}`)
    equal(kit.pods.storedBytes, 0)
    await kit.feed.start()
    await expectSum()
    kit.put('pods/a/new', { app: 'x' })
    kit.put('pods/a/x', { app: 'a longer one' })
    kit.remove('pods/a/y')
    await expectSum()
    ok(kit.pods.storedBytes > 0)
    for (const name of ['x', 'z', 'new']) kit.remove(`pods/a/${name}`)
    equal(kit.pods.storedBytes, 0)
  })

  it('list a range by keys, with an exact count of what remains', async () => {
    kit = await startKit()
    for (let number = 100; number < 200; number++) kit.put(`pods/${number % 2 ? 'odd' : 'even'}/p${number}`)
    const first = await kit.pods.list({ ...podsIn('odd'), at: any, limit: 20 })
    deepEqual([first.entries.length, first.more, first.remaining], [20, true, 30])
    const start = `${first.lastKey}\0`
    const rest = await kit.pods.list({ ...podsIn('odd'), start, at: exact(first.revision), limit: 30 })
    deepEqual([rest.entries.length, rest.more, rest.remaining, rest.revision], [30, false, 0, first.revision])
    const none = await kit.pods.list({ ...podsIn('zero'), at: any, limit: 20 })
    deepEqual([none.entries, none.more, none.remaining, none.lastKey], [[], false, 0, undefined])
  })

  it('list matches of a predicate, and report whether another one remains', async () => {
    kit = await startKit()
    for (let number = 10; number < 30; number++) kit.put(`pods/a/p${number}`, { app: number % 5 ? 'x' : 'y' })
    const list = (limit: number) => kit.pods.list({ ...allPods, at: any, limit, predicate: labelled('app', 'y') })
    const some = await list(3)
    deepEqual([some.entries.map(nameOf), some.more, some.remaining], [['p10', 'p15', 'p20'], true, undefined])
    const all = await list(4)
    deepEqual([all.entries.length, all.more], [4, false])
  })

  it('reads of the latest state see every answered write, though the feed lags', async () => {
    kit = await startKit()
    kit.store.held = true
    const revision = kit.put('pods/a/x')
    let answer: string | undefined
    const reading = kit.pods.get('/registry/pods/a/x', { at: latest }).then((result) => {
      answer = nameOf(result.entry)
      return result
    })
    await kit.settle()
    equal(answer, undefined)
    kit.store.deliver()
    const { revision: shown } = await reading
    deepEqual([answer, shown], ['x', revision])
  })

  it('reads of the latest state share a revision request, but never one that began before they did', async () => {
    kit = await startKit()
    const gates: (() => void)[] = []
    kit.store.beforeRead = () => new Promise((resolve) => void gates.push(resolve))
    const before = kit.store.counts.currentRevision
    const read = () => kit.pods.list({ ...allPods, at: latest })
    const first = read()
    await kit.settle()
    const revision = kit.put('pods/a/x')
    const later = Array.from({ length: 100 }, read)
    await kit.settle()
    equal(kit.store.counts.currentRevision - before, 1)
    gates.shift()?.()
    await first
    await kit.settle()
    gates.shift()?.()
    for (const result of await Promise.all(later)) equal(result.revision >= revision, true)
    equal(kit.store.counts.currentRevision - before, 2)
  })

  it('reads of the latest state that begin in one turn of the event loop share one revision request', async () => {
    kit = await startKit()
    const before = kit.store.counts.currentRevision
    const reads = Array.from({ length: 100 }, () => kit.pods.list({ ...allPods, at: latest }))
    equal(kit.store.counts.currentRevision - before, 0)
    const revision = kit.put('pods/a/x')
    for (const result of await kit.turned(Promise.all(reads))) equal(result.revision >= revision, true)
    equal(kit.store.counts.currentRevision - before, 1)
  })

  it('reads of the latest state request progress when the newest write is outside of the feed', async () => {
    kit = await startKit()
    const foreign = kit.store.put('/elsewhere/x', new Uint8Array())
    const reading = kit.pods.list({ ...allPods, at: latest })
    await kit.settle()
    await kit.pass(10)
    equal((await reading).revision, foreign)
    equal(kit.store.counts.requestProgress, 1)
  })

  it('reads of the latest state use the store when it cannot report progress', async () => {
    kit = await startKit()
    kit.put('pods/a/x')
    kit.store.progressSupported = false
    const foreign = kit.store.put('/elsewhere/x', new Uint8Array())
    const reading = kit.pods.list({ ...allPods, at: latest })
    await kit.settle()
    await kit.pass(10)
    await kit.pass(100)
    const result = await reading
    deepEqual([result.revision, result.entries.map(nameOf), result.remaining], [foreign, ['x'], 0])
  })

  it('pass on the error of a store that cannot answer its revision, and time out when it never does', async () => {
    kit = await startKit()
    kit.store.beforeRead = () => Promise.reject(new StoreError('unavailable', 'no'))
    await rejects(kit.turned(kit.pods.list({ ...allPods, at: latest })), { code: 'unavailable' })
    kit.store.beforeRead = () => new Promise(() => {})
    const message = 'Timeout: request did not complete within the allotted timeout'
    const stuck = rejects(kit.pods.list({ ...allPods, at: latest }), { code: 504, reason: 'Timeout', message })
    await kit.pass(4_000)
    await stuck
  })

  it('reads not older than a future revision wait, then answer 504', async () => {
    kit = await startKit()
    const next = kit.store.revision + 1
    const waiting = kit.pods.list({ ...allPods, at: notOlderThan(next) })
    await kit.pass(1_000)
    kit.put('pods/a/x')
    deepEqual((await waiting).entries.map(nameOf), ['x'])
    const refused = rejects(kit.pods.list({ ...allPods, at: notOlderThan(next + 1) }), {
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${next + 1}, current: ${next}`,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    })
    await kit.pass(4_000)
    await refused
  })

  it('end when their signal aborts', async () => {
    kit = await startKit()
    const abort = new AbortController()
    const waiting = kit.pods.list({ ...allPods, at: notOlderThan(1_000_000), signal: abort.signal })
    abort.abort(new Error('gone'))
    await rejects(waiting, { message: 'gone' })
    kit.store.beforeRead = () => Promise.reject(new StoreError('unavailable', 'no'))
    await rejects(kit.pods.list({ ...allPods, at: latest, signal: abort.signal }), { message: 'gone' })
    await kit.settle()
    await kit.pass(4_000)
  })

  it('reads at an exact revision show that state: from snapshots, then from the store, then 410', async () => {
    kit = await startKit({ snapshotEveryEvents: 10, snapshotEveryMs: 1_000_000 })
    const states = new Map<number, string[]>()
    const names: string[] = []
    for (let number = 100; number < 175; number++) {
      if (number % 3 === 2) kit.remove(`pods/a/${names.shift()}`)
      else {
        kit.put(`pods/a/p${number}`)
        names.push(`p${number}`)
      }
      states.set(kit.store.revision, [...names])
    }
    const check = async (): Promise<void> => {
      for (const [revision, expected] of states) {
        const { entries, revision: shown } = await kit.pods.list({ ...allPods, at: exact(revision) })
        deepEqual([entries.map(nameOf), shown], [expected, revision])
      }
    }
    const ranges = kit.store.counts.range
    await check()
    equal(kit.store.counts.range, ranges)
    await kit.pass(80_000)
    for (let number = 0; number < 200; number++) kit.put(`pods/b/p${number}`)
    await check()
    equal(kit.store.counts.range > ranges, true)
    await kit.store.compact(kit.store.revision)
    const [oldest = 0] = states.keys()
    await rejects(kit.pods.list({ ...allPods, at: exact(oldest) }), {
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    })
  })

  it('reads at a past revision come from the store after a while, though nothing of their kind has changed', async () => {
    kit = await startKit()
    const then = kit.put('pods/a/p')
    const read = async (revision: number): Promise<string[]> =>
      (await kit.pods.list({ ...allPods, at: exact(revision) })).entries.map(nameOf)
    const ranges = kit.store.counts.range
    await kit.pass(60_000)
    kit.put('nodes/n')
    await kit.pass(10_000)
    deepEqual(await read(then), ['p'])
    await kit.pass(40_000)
    deepEqual(await read(then), ['p'])
    equal(kit.store.counts.range, ranges)
    await kit.pass(30_000)
    deepEqual(await read(then), ['p'])
    equal(kit.store.counts.range, ranges + 1)
    await kit.store.compact(kit.store.revision)
    await rejects(read(then), { code: 410, reason: 'Expired' })
    deepEqual(await read(kit.store.revision), ['p'])
    equal(kit.store.counts.range, ranges + 2)
  })

  it('reads at an exact future revision answer 504', async () => {
    kit = await startKit()
    const refused = rejects(kit.pods.list({ ...allPods, at: exact(kit.store.revision + 1) }), { code: 504 })
    await kit.pass(4_000)
    await refused
  })

  it('directly from the store have the same pages as from the cache', async () => {
    kit = await startKit({ loadPageKeys: 7 })
    for (let number = 100; number < 150; number++) kit.put(`pods/a/p${number}`, { app: number % 5 ? 'x' : 'y' })
    const at = exact(kit.store.revision)
    const predicate = labelled('app', 'y')
    const cases = [
      { limit: 0 },
      { limit: 5 },
      { limit: 20 },
      { limit: 50 },
      { limit: 3, predicate },
      { limit: 10, predicate },
    ]
    const cached = await Promise.all(cases.map((options) => kit.pods.list({ ...allPods, at, ...options })))
    await kit.store.close()
    const ranges = kit.store.counts.range
    const direct = await Promise.all(cases.map((options) => kit.pods.list({ ...allPods, at, ...options })))
    equal(kit.store.counts.range - ranges >= cases.length, true)
    for (const [index, { entries, ...rest }] of direct.entries()) {
      const { entries: expected, ...expectedRest } = cached[index]!
      deepEqual([entries.map(nameOf), rest], [expected.map(nameOf), expectedRest])
    }
  })
})
