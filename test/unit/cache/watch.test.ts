import { deepEqual, equal, rejects } from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import type { CacheWatchEvent, WatchEnd } from '../../../lib/cache/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { StoreError } from '../../../lib/storage/index.ts'
import {
  after,
  allPods,
  any,
  createKit,
  encodeObject,
  jsonFrame,
  type Kit,
  labelled,
  latest,
  notOlderThan,
  podsIn,
  resourceOptions,
  startKit,
} from '../../support/cachekit.ts'

describe('watches of the cache', () => {
  let kit: Kit
  afterEach(() => kit.feed.close())

  it('begin with the state in order of keys, followed by changes', async () => {
    kit = await startKit()
    kit.put('pods/b/y')
    kit.put('pods/a/z')
    const watching = await kit.watch()
    deepEqual(watching.events, [])
    await kit.settle()
    kit.put('pods/a/z')
    kit.remove('pods/b/y')
    kit.put('pods/b/y')
    await kit.settle()
    deepEqual(watching.events, ['+z@3', '+y@2', '~z@4', '-y@5', '+y@6'])
    deepEqual(watching.batches, [2, 3])
  })

  it('may begin now without the state, or after a revision', async () => {
    kit = await startKit()
    for (let number = 2; number < 6; number++) kit.put(`pods/a/p${number}`)
    const now = await kit.turned(kit.watch({ from: { kind: 'now', at: latest } }))
    const past = await kit.watch({ from: after(3) })
    await kit.settle()
    kit.put('pods/a/p6')
    await kit.settle()
    deepEqual(now.events, ['+p6@6'])
    deepEqual(past.events, ['+p4@4', '+p5@5', '+p6@6'])
  })

  it('watches after a future revision wait until it has passed', async () => {
    kit = await startKit()
    const watching = await kit.watch({ from: after(4), bookmarks: true, timeoutMs: 10_000 })
    for (let number = 2; number < 7; number++) {
      kit.put(`pods/a/p${number}`)
      await kit.settle()
    }
    deepEqual(watching.events, ['+p5@5', '+p6@6'])
  })

  it('watches of the latest state wait for it; watches of a future state answer 504', async () => {
    kit = await startKit()
    kit.store.held = true
    kit.put('pods/a/x')
    const starting = kit.watch({ from: { kind: 'state', at: latest } })
    await kit.settle()
    kit.store.deliver()
    const watching = await starting
    await kit.settle()
    deepEqual(watching.events, ['+x@2'])
    const refused = rejects(kit.watch({ from: { kind: 'state', at: notOlderThan(9) } }), { code: 504 })
    await kit.pass(4_000)
    await refused
    kit.store.held = true
    kit.put('pods/a/y')
    const stuck = rejects(kit.watch({ from: { kind: 'now', at: latest } }), {
      message: 'Timeout: Too large resource version: 3, current: 2',
    })
    await kit.settle()
    for (let round = 0; round < 40; round++) await kit.pass(100)
    await stuck
  })

  it('that are too old get 410 after they began, and end', async () => {
    kit = await startKit({ historyEventsMin: 4, historyEventsMax: 8 })
    for (let number = 0; number < 20; number++) kit.put('pods/a/x')
    const watching = await kit.watch({ from: after(3) })
    deepEqual(watching.events, [])
    await kit.settle()
    deepEqual(watching.events, ['!410 too old resource version: 3 (13)'])
    equal(watching.raw[0]?.error?.reason, 'Expired')
    equal(watching.ended, 'error')
    const resumable = await kit.watch({ from: after(13) })
    await kit.settle()
    equal(resumable.events.length, 8)
  })

  it('resume after the last event of a server before this one, as far back as the first load', async () => {
    kit = createKit({ resumeRevisions: 5 })
    for (let number = 1; number <= 8; number++) kit.put(`pods/a/p${number}`)
    const last = kit.store.put('/registry/pods/a/p1', encodeObject({}))
    await kit.feed.start()
    deepEqual(kit.feed.revision, last)
    const resumed = await kit.watch({ from: after(last - 3) })
    const tooOld = await kit.watch({ from: after(last - 6) })
    const { entries } = await kit.turned(kit.pods.list({ ...allPods, at: latest }))
    await kit.settle()
    deepEqual(resumed.events, [`+p7@${last - 2}`, `+p8@${last - 1}`, `~p1@${last}`])
    deepEqual(tooOld.events, [`!410 too old resource version: ${last - 6} (${last - 5})`])
    equal(entries.length, 8)
  })

  it("do not resume before the store's compacted revision", async () => {
    kit = createKit({ resumeRevisions: 5 })
    for (let number = 1; number <= 8; number++) kit.put(`pods/a/p${number}`)
    const last = kit.put('pods/a/p9')
    await kit.store.compact(asRevision(last - 1))
    await kit.feed.start()
    const tooOld = await kit.watch({ from: after(last - 1) })
    await kit.settle()
    deepEqual(tooOld.events, [`!410 too old resource version: ${last - 1} (${last})`])
    equal((await kit.turned(kit.pods.list({ ...allPods, at: latest }))).entries.length, 9)
  })

  it('do not bring changes that the store has compacted meanwhile, and resume where none was missed', async () => {
    kit = await startKit()
    const one = kit.put('pods/a/one')
    const two = kit.put('pods/a/two')
    await kit.settle()
    const before = await kit.watch({ from: after(1) })
    const other = kit.put('nodes/n')
    await kit.store.compact(two)
    await kit.pass(1000)
    const missed = await Promise.all([1, 1, 1].map((revision) => kit.watch({ from: after(revision) })))
    const whole = await kit.watch({ from: after(one) })
    await kit.store.compact(other)
    await kit.pass(1000)
    const quiet = await kit.watch({ from: after(two) })
    const last = kit.put('pods/a/last')
    await kit.settle()
    deepEqual(before.events, [`+one@${one}`, `+two@${two}`, `+last@${last}`])
    for (const { events } of missed) deepEqual(events, [`!410 too old resource version: 1 (${one})`])
    deepEqual(whole.events, [`+two@${two}`, `+last@${last}`])
    deepEqual(quiet.events, [`+last@${last}`])
  })

  it('watches that resume at many revisions at once cost the store a few reads', async () => {
    kit = await startKit({ historyEventsMin: 512 })
    const revisions = Array.from({ length: 256 }, (_, number) => kit.put(`pods/a/p${number}`))
    await kit.settle()
    await kit.store.compact(asRevision(revisions[99] ?? 0))
    const reads = kit.store.counts.get
    const watches = await Promise.all(revisions.map((revision) => kit.watch({ from: after(revision - 1) })))
    await kit.settle()
    equal(watches.filter(({ events }) => events[0]?.startsWith('!410')).length, 99)
    equal(watches.filter(({ events }) => events[0]?.startsWith('+p')).length, 157)
    equal(kit.store.counts.get - reads <= 20, true)
  })

  it('resume while the store does not answer', async () => {
    kit = await startKit()
    const one = kit.put('pods/a/one')
    await kit.settle()
    kit.store.beforeRead = () => {
      throw new StoreError('unavailable', 'unavailable')
    }
    const resumed = await kit.watch({ from: after(1) })
    await kit.settle()
    deepEqual(resumed.events, [`+one@${one}`])
  })

  it('mark the end of the initial events when asked to', async () => {
    kit = await startKit()
    kit.put('pods/a/x')
    const marked = await kit.watch({ bookmarks: true, initialEventsEnd: true })
    const unmarked = await kit.watch({ initialEventsEnd: true })
    const none = await kit.watch({ ...podsIn('b'), bookmarks: true, initialEventsEnd: true })
    await kit.settle()
    deepEqual(marked.events, ['+x@2', '==2'])
    deepEqual(unmarked.events, ['+x@2'])
    deepEqual(none.events, ['==2'])
  })

  it('see an object added and deleted as it begins and ceases to match', async () => {
    for (const indexed of [undefined, 'field', 'label'] as const) {
      kit = await startKit()
      const predicate = labelled('node', 'n1', indexed)
      const watching = await kit.watch({ predicate })
      const other = await kit.watch({ predicate: labelled('node', 'n2', indexed) })
      await kit.settle()
      kit.put('pods/a/x', { node: '' })
      kit.put('pods/a/x', { node: 'n1' })
      kit.put('pods/a/x', { node: 'n1', more: '' })
      kit.put('pods/a/x', { node: 'n2' })
      kit.put('pods/a/x', { node: 'n1' })
      kit.remove('pods/a/x')
      kit.put('pods/a/y', { node: 'n3' })
      kit.remove('pods/a/y')
      await kit.settle()
      deepEqual(watching.events, ['+x@3', '~x@4', '-x@5', '+x@6', '-x@7'])
      deepEqual(other.events, ['+x@5', '-x@6'])
      const left = watching.raw[2]?.entry
      deepEqual([left?.labels(), left?.object().metadata.resourceVersion], [{ node: 'n1', more: '' }, '5'])
      const deleted = watching.raw[4]?.entry
      deepEqual([deleted?.labels(), deleted?.object().metadata.resourceVersion], [{ node: 'n1' }, '7'])
      await kit.feed.close()
    }
  })

  it('see only their keys', async () => {
    kit = await startKit()
    const one = await kit.watch({ start: '/registry/pods/a/x', end: '/registry/pods/a/x\0' })
    const namespace = await kit.watch(podsIn('a'))
    const range = await kit.watch({ start: '/registry/pods/a/x', end: '/registry/pods/b/' })
    await kit.settle()
    for (const path of ['a/w', 'a/x', 'a/xx', 'ab/x', 'b/x']) kit.put(`pods/${path}`)
    await kit.settle()
    deepEqual(one.events, ['+x@3'])
    deepEqual(namespace.events, ['+w@2', '+x@3', '+xx@4'])
    deepEqual(range.events, ['+x@3', '+xx@4', '+x@5'])
  })

  it('watches of other namespaces are not visited by an event', async () => {
    kit = await startKit()
    let asked = 0
    const predicate = { key: 'counting', matches: () => ++asked > 0 }
    for (let number = 0; number < 1_000; number++)
      await kit.watch({ ...podsIn(`ns${number}`), from: { kind: 'now', at: any }, predicate })
    await kit.settle()
    kit.put('pods/ns7/x')
    await kit.settle()
    equal(asked, 1)
  })

  it('share one evaluation of equal predicates, and one frame', async () => {
    kit = await startKit()
    let asked = 0
    const watchers = []
    for (let number = 0; number < 10; number++)
      watchers.push(await kit.watch({ predicate: { key: 'same', matches: () => ++asked > 0 } }))
    await kit.settle()
    kit.put('pods/a/x')
    await kit.settle()
    equal(asked, 1)
    const frames = new Set(watchers.map(({ raw }) => raw[0]?.frame(jsonFrame)[0]))
    equal(frames.size, 1)
  })

  it('get bookmarks about every minute and shortly before their end', async () => {
    kit = await startKit()
    const watching = await kit.watch({ bookmarks: true, timeoutMs: 150_000 })
    const without = await kit.watch()
    await kit.pass(30_000)
    deepEqual(watching.events, [])
    const foreign = kit.store.put('/registry/other/x', new Uint8Array())
    await kit.pass(31_000)
    deepEqual(watching.events, [`=${foreign}`])
    await kit.pass(60_000)
    equal(watching.events.length, 2)
    await kit.pass(25_000)
    equal(watching.events.length, 2)
    await kit.pass(4_000)
    equal(watching.events.length, 3)
    deepEqual(without.events, [])
  })

  it('watches whose sink refuses events pause, and continue from history without a gap', async () => {
    kit = await startKit({ batchEventsMax: 4 })
    const watching = await kit.watch()
    await kit.settle()
    watching.takes = false
    for (let number = 2; number < 23; number++) kit.put(`pods/a/p${number}`)
    await kit.settle()
    equal(watching.events.length, 4)
    watching.watch.resume()
    await kit.settle()
    equal(watching.events.length, 8)
    watching.takes = true
    watching.watch.resume()
    await kit.settle()
    kit.put('pods/a/p23')
    await kit.settle()
    deepEqual(
      watching.raw.map(({ revision }) => Number(revision)),
      Array.from({ length: 22 }, (_, index) => index + 2),
    )
  })

  it('read a large initial state at their own pace, with the changes of that time after it', async () => {
    kit = await startKit({ batchEventsMax: 10 })
    for (let number = 100; number < 200; number++) kit.put(`pods/a/p${number}`)
    const watching = await kit.watch({ bookmarks: true, initialEventsEnd: true })
    watching.takes = false
    await kit.settle()
    deepEqual(watching.batches, [10])
    kit.put('pods/a/p100')
    kit.remove('pods/a/p199')
    for (let turn = 0; turn < 30; turn++) {
      watching.watch.resume()
      await kit.settle()
    }
    equal(watching.events[99], '+p199@101')
    deepEqual(watching.events.slice(100), ['==101', '~p100@102', '-p199@103'])
  })

  it('get no more bytes at once than one slow client may hold: live, behind and at the start', async () => {
    kit = await startKit({ batchBytesMax: 1 })
    const live = await kit.watch()
    const stuck = await kit.watch()
    await kit.settle()
    stuck.takes = false
    for (const name of ['x', 'y', 'z']) kit.put(`pods/a/${name}`)
    await kit.settle()
    deepEqual([live.batches, stuck.batches], [[1, 1, 1], [1]])
    stuck.takes = true
    stuck.watch.resume()
    const late = await kit.watch()
    await kit.settle()
    deepEqual(
      [stuck.batches, late.batches],
      [
        [1, 1, 1],
        [1, 1, 1],
      ],
    )
    deepEqual(stuck.events, live.events)
  })

  it('watches that fall behind the history, or accept nothing for long, are closed', async () => {
    kit = await startKit({ historyEventsMin: 4, historyEventsMax: 8, stallMsMax: 30_000 })
    const behind = await kit.watch()
    const stuck = await kit.watch(podsIn('b'))
    await kit.settle()
    behind.takes = false
    stuck.takes = false
    kit.put('pods/b/x')
    await kit.settle()
    for (let number = 0; number < 20; number++) kit.put('pods/a/x')
    await kit.settle()
    behind.watch.resume()
    await kit.settle()
    deepEqual([behind.ended, behind.events], ['slow', ['+x@2']])
    equal(stuck.ended, undefined)
    await kit.pass(1_000)
    equal(stuck.ended, 'slow')
    const idle = await kit.watch()
    idle.takes = false
    await kit.pass(28_000)
    equal(idle.ended, undefined)
    await kit.pass(4_000)
    equal(idle.ended, 'slow')
  })

  it('all end slow when changes come faster than any can be delivered', async () => {
    kit = await startKit({ historyEventsMin: 4, historyEventsMax: 8 })
    const watching = await kit.watch()
    await kit.settle()
    for (let number = 0; number < 20; number++) kit.put('pods/a/x')
    await kit.settle()
    deepEqual([watching.ended, watching.events], ['slow', []])
    const next = await kit.watch()
    await kit.settle()
    deepEqual(next.events, ['+x@21'])
  })

  it('end on close, on abort and at the limit of watchers', async () => {
    kit = await startKit({ watchersMax: 2 })
    const abort = new AbortController()
    const closed = await kit.watch()
    const aborted = await kit.watch({ signal: abort.signal })
    await rejects(kit.watch(), { code: 429 })
    closed.watch.close()
    closed.watch.close()
    abort.abort()
    deepEqual([closed.ended, aborted.ended], ['closed', 'closed'])
    kit.put('pods/a/x')
    await kit.settle()
    deepEqual([closed.events, aborted.events], [[], []])
    const last = await kit.watch()
    await kit.feed.close()
    equal(last.ended, 'closed')
  })

  it('leave no listeners with the signal that could have ended them', async () => {
    kit = await startKit()
    const { signal } = new AbortController()
    const closed = await kit.watch({ signal })
    closed.watch.close()
    const broken = await kit.watch({ signal })
    await kit.store.compact(kit.put('pods/a/x'))
    kit.store.breakWatches(new StoreError('compacted', 'compacted'))
    await kit.settle()
    deepEqual([closed.ended, broken.ended], ['closed', 'error'])
    deepEqual(getEventListeners(signal, 'abort'), [])
  })

  it('alone fail with 500 when an object cannot be read through their predicate', async () => {
    kit = await startKit()
    const plain = await kit.watch()
    const reading = await kit.watch({ predicate: labelled('app', 'x') })
    const indexed = await kit.watch({ predicate: labelled('node', 'n1', 'field') })
    await kit.settle()
    kit.put('pods/a/w', { app: 'x' })
    kit.store.put('/registry/pods/a/x', new TextEncoder().encode('no json'))
    kit.put('pods/a/y', { app: 'x' })
    await kit.settle()
    deepEqual(plain.events, ['+w@2', '+x@3', '+y@4'])
    deepEqual([reading.events[0], reading.events[1]?.slice(0, 4), reading.ended], ['+w@2', '!500', 'error'])
    deepEqual([indexed.events[0]?.slice(0, 4), indexed.ended], ['!500', 'error'])
    const later = await kit.watch({ predicate: labelled('app', 'x'), from: after(3) })
    await kit.settle()
    kit.put('pods/a/z', { app: 'x' })
    await kit.settle()
    deepEqual(later.events, ['+y@4', '+z@5'])
  })

  it('end with 500 when their sink throws, and no other does', async () => {
    kit = await startKit()
    const plain = await kit.watch()
    const told: string[] = []
    const sink = {
      onEvents([event]: readonly CacheWatchEvent[]) {
        told.push(event?.type ?? '')
        if (event?.type !== 'ERROR') throw new Error('no')
        return true
      },
      onEnd: (end: WatchEnd) => void told.push(end),
    }
    await kit.pods.watch({ ...allPods, from: { kind: 'state', at: any } }, sink)
    await kit.settle()
    kit.put('pods/a/x')
    await kit.settle()
    deepEqual([plain.events, told], [['+x@2'], ['ADDED', 'ERROR', 'error']])
  })

  it('watches that join while others fail are not affected', async () => {
    kit = await startKit()
    const predicate = labelled('app', 'x')
    const failing = await kit.watch({ predicate })
    await kit.settle()
    kit.store.put('/registry/pods/a/x', new TextEncoder().encode('no json'))
    const joining = await kit.watch({ predicate, from: { kind: 'now', at: any } })
    await kit.settle()
    equal(failing.ended, 'error')
    kit.put('pods/a/y', { app: 'x' })
    await kit.settle()
    deepEqual([joining.events, joining.ended], [['+y@3'], undefined])
  })

  it('get the changes of one transaction together', async () => {
    kit = await startKit({ batchEventsMax: 3 })
    const watching = await kit.watch()
    await kit.settle()
    kit.put('pods/a/w')
    kit.put('pods/a/x')
    kit.store.createAll(
      ['1', '2', '3', '4'].map((name) => `/registry/pods/b/${name}`),
      encodeObject({}),
    )
    await kit.settle()
    deepEqual(watching.batches, [6])
    deepEqual(watching.events.slice(2), ['+1@4', '+2@4', '+3@4', '+4@4'])
  })

  it('end with 410 when the store lost the history that the feed needs, and the cache loads again', async () => {
    kit = await startKit()
    kit.put('pods/a/x')
    const watching = await kit.watch()
    await kit.settle()
    kit.store.held = true
    kit.put('pods/a/y')
    kit.remove('pods/a/x')
    await kit.store.compact(kit.store.revision)
    kit.store.breakWatches(new StoreError('compacted', 'compacted'))
    equal(kit.feed.ready, false)
    kit.store.held = false
    deepEqual(watching.events, ['+x@2', '!410 The resourceVersion for the provided watch is too old.'])
    equal(watching.ended, 'error')
    await kit.settle()
    equal(kit.feed.ready, true)
    const again = await kit.watch()
    const resumed = await kit.watch({ from: after(2) })
    kit.put('pods/a/z')
    await kit.settle()
    deepEqual(again.events, ['+y@3', '+z@5'])
    deepEqual(resumed.events, ['!410 too old resource version: 2 (4)'])
  })
})

describe('resources attached late', () => {
  it('join the stream without gap or repeat, and leave it', async () => {
    const kit = await startKit({ loadPageKeys: 3, loadPageKeysMax: 3 })
    for (let number = 0; number < 10; number++) kit.put(`widgets/a/w${number}`)
    let reads = 0
    kit.store.beforeRead = () => {
      reads++
      kit.put('widgets/a/w3')
      if (reads === 2) kit.remove('widgets/a/w5')
      kit.put(`widgets/b/n${reads}`)
    }
    const widgets = kit.feed.attach(resourceOptions('widgets'))
    equal(widgets.ready, false)
    await widgets.whenReady()
    kit.store.beforeRead = undefined
    kit.put('widgets/b/last')
    const names = async () => {
      const { entries } = await kit.turned(
        widgets.list({ start: '/registry/widgets/', end: '/registry/widgets0', at: latest }),
      )
      return entries.map(({ key, revision }) => `${key}@${revision}`)
    }
    const expected = await kit.store.range({ start: '/registry/widgets/', end: '/registry/widgets0' })
    deepEqual(
      await names(),
      expected.values.map(({ key, modRevision }) => `${key}@${modRevision}`),
    )
    equal(reads > 3, true)
    kit.feed.detach(widgets)
    await rejects(names(), { code: 503 })
    const again = kit.feed.attach(resourceOptions('widgets'))
    await again.whenReady()
    equal(again.size, expected.values.length)
    await kit.feed.close()
  })

  it('begin again when more events are queued meanwhile than allowed', async () => {
    const kit = await startKit({ lateLoadEventsMax: 5, retryMs: 100 })
    let reads = 0
    kit.store.beforeRead = () => {
      if (++reads === 1) for (let number = 0; number < 6; number++) kit.put(`widgets/a/w${number}`)
    }
    const widgets = kit.feed.attach(resourceOptions('widgets'))
    await kit.settle()
    deepEqual([reads, widgets.ready], [1, false])
    await kit.pass(100)
    deepEqual([reads, widgets.ready, widgets.size], [2, true, 6])
    await kit.feed.close()
  })

  it('wait for the load of a store that does not answer yet', async () => {
    const kit = createKit()
    kit.put('pods/a/x')
    let failures = 3
    kit.store.beforeRead = () => {
      if (failures-- > 0) throw new StoreError('unavailable', 'not yet')
    }
    const started = kit.feed.start()
    for (let pause = 0; pause < 10; pause++) await kit.pass(100)
    await started
    deepEqual([kit.feed.ready, kit.pods.size], [true, 1])
    await kit.pods.whenReady()
    const closing = kit.feed.attach(resourceOptions('late')).whenReady()
    await kit.feed.close()
    await rejects(closing, { code: 503 })
  })
})
