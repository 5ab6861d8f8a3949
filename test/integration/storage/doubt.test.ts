import assert from 'node:assert/strict'
import { asRevision, noRevision, type Revision } from '../../../lib/object/index.ts'
import { EtcdClient } from '../../../lib/storage/etcd/client.ts'
import { Fences } from '../../../lib/storage/etcd/fences.ts'
import { Leases } from '../../../lib/storage/etcd/lease.ts'
import { createLookBack } from '../../../lib/storage/etcd/lookback.ts'
import { decodeWrite, encodeGuardedWrite, methods } from '../../../lib/storage/etcd/messages.ts'
import { createEtcdStore, prefixEnd, type Store, type WriteResult } from '../../../lib/storage/index.ts'
import { type EtcdServer, startEtcd, startEtcdCluster } from '../../support/etcd.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type Proxy, startProxy } from '../../support/proxy.ts'
import { standstill } from '../../support/standstill.ts'
import { recordWatch } from '../../support/watchrecord.ts'
import { dependencies, hasEtcd, openEtcd } from './kit.ts'

const { clock, random } = dependencies
const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('a write to etcd whose answer is lost', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  let etcd: EtcdServer
  let proxy: Proxy
  let store: Store
  /** Another replica, whose connection is well. */
  let other: Store
  let prefixes = 0
  let key: string
  before(async () => {
    etcd = await startEtcd()
    other = openEtcd([etcd.url])
  })
  after(async () => {
    await other?.close()
    await etcd?.stop()
  })
  beforeEach(async () => {
    key = `/registry/doubt/${prefixes++}`
    proxy = await startProxy(etcd.url)
    store = openEtcd([proxy.url])
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
  })

  /** Leases that etcd has granted, by its gateway for JSON. */
  async function leases(): Promise<number> {
    const answer = await fetch(`${etcd.url}/v3/lease/leases`, { method: 'POST', body: '{}' })
    const { leases: granted = [] } = (await answer.json()) as { leases?: object[] }
    return granted.length
  }

  /** Begins a write, waits until `isDone` of what etcd holds, lets `meanwhile` happen, and only then breaks the connection. */
  async function lose<T>(
    begin: () => Promise<T>,
    isDone: () => Promise<boolean>,
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<T> {
    await store.currentRevision()
    proxy.holdReplies = true
    const writing = begin()
    await eventually(isDone, 'etcd has carried it out')
    await meanwhile()
    proxy.reset()
    proxy.holdReplies = false
    return await writing
  }
  const holds = (text: string) => async (): Promise<boolean> =>
    Buffer.from((await other.get(key)).value?.value ?? '').toString() === text
  const isGone = async (): Promise<boolean> => (await other.get(key)).value === undefined

  it('is acknowledged: a creation', async () => {
    const result = await lose(() => store.create(key, bytes('mine')), holds('mine'))
    assert.deepEqual(result, { ok: true, revision: (await other.get(key)).value?.modRevision })
  })

  it('is acknowledged: a creation whose key another deleted meanwhile, and it is not created again', async () => {
    let revision = 0
    const result = await lose(
      () => store.create(key, bytes('mine')),
      holds('mine'),
      async () => {
        revision = (await other.get(key)).value?.modRevision ?? 0
        assert.ok((await other.delete(key, asRevision(revision))).ok)
      },
    )
    assert.deepEqual(result, { ok: true, revision })
    assert.ok(await isGone())
  })

  it('is acknowledged: a creation that another updated meanwhile', async () => {
    let revision = 0
    const result = await lose(
      () => store.create(key, bytes('mine')),
      holds('mine'),
      async () => {
        revision = (await other.get(key)).value?.modRevision ?? 0
        assert.ok((await other.update(key, bytes('theirs'), asRevision(revision))).ok)
      },
    )
    assert.deepEqual(result, { ok: true, revision })
  })

  it('is acknowledged: a creation with a time to live, whose lease grant was not answered', async () => {
    await store.currentRevision()
    const before = await leases()
    proxy.holdReplies = true
    const writing = store.create(key, bytes('mine'), { ttlSeconds: 600 })
    await eventuallyEquals(leases, before + 1, 'the lease')
    proxy.reset()
    proxy.holdReplies = false
    assert.deepEqual(await writing, { ok: true, revision: (await other.get(key)).value?.modRevision })
  })

  it('is acknowledged: an update, also one that another has updated since', async () => {
    const { revision } = await other.create(key, bytes('0'))
    const first = await lose(() => store.update(key, bytes('1'), revision), holds('1'))
    const { value } = await other.get(key)
    assert.deepEqual(first, { ok: true, revision: value?.modRevision })
    let mine = 0
    const second = await lose(
      () => store.update(key, bytes('2'), first.revision),
      holds('2'),
      async () => {
        mine = (await other.get(key)).value?.modRevision ?? 0
        assert.ok((await other.update(key, bytes('theirs'), asRevision(mine))).ok)
      },
    )
    assert.deepEqual(second, { ok: true, revision: mine })
    assert.ok(await holds('theirs')())
  })

  it('is acknowledged: a deletion, also of a key that exists again', async () => {
    const first = await other.create(key, bytes('0'))
    const from = asRevision(first.revision + 1)
    const history = recordWatch(other, key, `${key}\0`, from)
    const deletions = [await lose(() => store.delete(key, first.revision), isGone)]
    const second = await other.create(key, bytes('1'))
    deletions.push(
      await lose(
        () => store.delete(key, second.revision),
        isGone,
        () => other.create(key, bytes('2')),
      ),
    )
    await eventuallyEquals(() => history.events.length, 4, 'the history')
    const deleted = history.events.filter(({ type }) => type === 'delete')
    assert.deepEqual(
      deletions,
      deleted.map(({ revision }) => ({ ok: true, revision })),
    )
    history.close()
  })

  it('is acknowledged to one of them: deletions of one key whose answers are all lost', async () => {
    const { revision } = await other.create(key, bytes('0'))
    const both = (): Promise<WriteResult[]> => Promise.all([store.delete(key, revision), store.delete(key, revision)])
    const results = await lose(both, isGone)
    assert.equal(results.filter(({ ok }) => ok).length, 1)
    assert.ok(results.every((one) => one.ok || one.current === undefined))
  })

  it('stays unknown: a deletion, when the history that would show it is compacted or fences are off', async () => {
    const compact = async (): Promise<void> => {
      const { revision } = await other.create(`${key}/other`, bytes('0'))
      await other.compact((await other.update(`${key}/other`, bytes('1'), revision)).revision)
    }
    const compacted = await other.create(key, bytes('0'))
    await assert.rejects(
      lose(() => store.delete(key, compacted.revision), isGone, compact),
      { code: 'unavailable' },
    )
    await store.close()
    store = createEtcdStore(dependencies, { endpoints: [proxy.url] })
    const unmarked = await other.create(key, bytes('0'))
    await assert.rejects(
      lose(() => store.delete(key, unmarked.revision), isGone),
      { code: 'unavailable' },
    )
  })

  /** As `lose`, but the request never reaches etcd. */
  async function cutOff<T>(begin: () => Promise<T>, meanwhile: () => Promise<unknown> = async () => {}): Promise<T> {
    await store.currentRevision()
    proxy.stalled = true
    const writing = begin()
    await eventually(() => proxy.held > 0, 'the request is at the proxy')
    await meanwhile()
    proxy.reset()
    proxy.stalled = false
    return await writing
  }

  it('is carried out once when its request was lost', async () => {
    const from = (await other.currentRevision()) + 1
    const created = await cutOff(() => store.create(key, bytes('0')))
    const updated = await cutOff(() => store.update(key, bytes('1'), created.revision))
    const deleted = await cutOff(() => store.delete(key, updated.revision))
    const history = recordWatch(other, key, `${key}\0`, from)
    await eventuallyEquals(() => history.events.length, 3, 'the history')
    assert.deepEqual(
      history.events.map(({ type, revision }) => [type, revision]),
      [
        ['put', created.revision],
        ['put', updated.revision],
        ['delete', deleted.revision],
      ],
    )
    history.close()
  })

  it('writes no extra key where fences are off, and stays unknown then', async () => {
    await store.close()
    store = createEtcdStore(dependencies, { endpoints: [proxy.url] })
    const result = await lose(() => store.create(key, bytes('mine')), holds('mine'))
    assert.ok(result.ok)
    const before = await other.currentRevision()
    await assert.rejects(
      cutOff(() => store.create(`${key}/b`, bytes('mine'))),
      { code: 'unavailable' },
    )
    assert.equal(await other.currentRevision(), before)
  })

  it('stays unknown: a creation, when the history that would show it is compacted', async () => {
    const compact = async (): Promise<void> => {
      const { revision } = await other.create(`${key}/other`, bytes('0'))
      await other.compact((await other.update(`${key}/other`, bytes('1'), revision)).revision)
    }
    await assert.rejects(
      cutOff(() => store.create(key, bytes('mine')), compact),
      { code: 'unavailable' },
    )
    assert.ok(await isGone())
  })

  it('is refused when its request was lost and another was first', async () => {
    const standing = async (): Promise<Revision> => (await other.get(key)).value?.modRevision ?? noRevision
    const refused = async (writing: Promise<WriteResult>, current: string | undefined): Promise<void> => {
      const result = await writing
      assert.ok(!result.ok)
      assert.equal(result.current && Buffer.from(result.current.value).toString(), current)
    }
    const theirs = (): Promise<WriteResult> => other.create(key, bytes('theirs'))
    await refused(
      cutOff(() => store.create(key, bytes('mine')), theirs),
      'theirs',
    )
    const first = await standing()
    const theirsToo = (): Promise<WriteResult> => other.update(key, bytes('theirs too'), first)
    await refused(
      cutOff(() => store.update(key, bytes('mine'), first), theirsToo),
      'theirs too',
    )
    const second = await standing()
    await refused(
      cutOff(
        () => store.update(key, bytes('mine'), second),
        () => other.delete(key, second),
      ),
      undefined,
    )
    await refused(
      cutOff(() => store.update(key, bytes('mine'), first)),
      undefined,
    )
    const { revision } = await theirs()
    await refused(
      cutOff(
        () => store.delete(key, revision),
        () => other.delete(key, revision),
      ),
      undefined,
    )
  })

  it('is given up at once when the store is closed', async () => {
    await store.currentRevision()
    proxy.stalled = true
    const writing = store.create(key, bytes('mine'))
    await eventually(() => proxy.held > 0, 'the request is at the proxy')
    const { accepted } = proxy
    proxy.reset()
    await eventually(() => proxy.accepted > accepted, 'it looks back')
    const closedAtMs = clock.monotonicMs()
    await Promise.all([assert.rejects(writing, { name: 'StoreError' }), store.close()])
    assert.ok(clock.monotonicMs() - closedAtMs < 2000)
  })

  it('is given up at once when it is being found out and the store is closed', async () => {
    const client = new EtcdClient(dependencies, { endpoints: [proxy.url] })
    const lookBack = createLookBack(dependencies, client)
    const { revision } = await other.create(key, bytes('0'))
    proxy.holdReplies = true
    const looking = lookBack(key, { from: revision, upTo: revision, timeoutMs: 60_000 }, () => true)
    await eventually(() => proxy.held > 0, 'it looks back')
    const closedAtMs = clock.monotonicMs()
    client.close()
    assert.equal(await looking, undefined)
    assert.ok(clock.monotonicMs() - closedAtMs < 2000)
  })

  it('is carried out although another write of the same store has shut its fence', async () => {
    const lost = Array.from({ length: 20 }, (_, index) => `${key}/${index}`)
    const results = await cutOff(() => Promise.all(lost.map((one) => store.create(one, bytes(one)))))
    assert.ok(results.every(({ ok }) => ok))
    const { values } = await other.range({ start: `${key}/`, end: `${key}0` })
    assert.equal(values.length, lost.length)
  })
})

describe('a fence of creations', function () {
  this.timeout(60_000)
  if (!hasEtcd) return void it.skip('needs etcd')

  it('a shut fence lets no earlier request pass, even when the key is free again', async () => {
    const etcd = await startEtcd()
    const client = new EtcdClient(dependencies, { endpoints: [etcd.url] })
    const store = openEtcd([etcd.url])
    try {
      const leases = new Leases(dependencies, client, { reuseSeconds: 0 })
      const fences = new Fences(dependencies, client, leases, '/fences/')
      const fence = fences.current
      const late = encodeGuardedWrite({ key: '/late', expected: 0, value: bytes('late'), fence })
      const shutAt = await fences.shut(fence, 5000)
      assert.notEqual(fences.current, fence)
      assert.ok((await fences.shut(fence, 5000)) >= shutAt, 'shut twice')
      const call = { repeatable: false }
      assert.equal((await client.call(methods.txn, late, decodeWrite, call)).succeeded, false)
      const next = encodeGuardedWrite({ key: '/late', expected: 0, value: bytes('next'), fence: fences.current })
      const { succeeded, revision } = await client.call(methods.txn, next, decodeWrite, call)
      assert.ok(succeeded)
      await store.delete('/late', revision)
      assert.equal((await client.call(methods.txn, late, decodeWrite, call)).succeeded, false)
      assert.equal((await store.get('/late')).value, undefined)
    } finally {
      await store.close()
      client.close()
      await etcd.stop()
    }
  })
})

describe('creations under way when a member of etcd stops', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')

  it('are carried out by another, and not again when it continues and the keys are free', async () => {
    const cluster = await startEtcdCluster(3)
    const keys = Array.from({ length: 50 }, (_, index) => `/registry/stopped/${index}`)
    const [first, ...rest] = cluster.members
    assert.ok(first)
    const atFirst = { ...random, below: (below: number): number => (below === 3 ? 0 : random.below(below)) }
    const options = { keepAliveMs: 300, keepAliveTimeoutMs: 300 }
    const store = createEtcdStore(
      { ...dependencies, random: atFirst },
      {
        endpoints: cluster.urls,
        fencePrefix: '/registry/fences/',
        ...options,
      },
    )
    const other = openEtcd(rest.map(({ url }) => url))
    try {
      const from = (await store.currentRevision()) + 1
      first.pause()
      const results = await Promise.all(keys.map((key) => store.create(key, bytes(key))))
      assert.ok(results.every(({ ok }) => ok))
      for (const [index, key] of keys.entries()) {
        const { revision } = results[index] ?? assert.fail()
        assert.ok((await other.delete(key, revision)).ok)
      }
      first.resume()
      const member = openEtcd([first.url])
      await eventually(
        () =>
          member.currentRevision().then(
            () => true,
            () => false,
          ),
        'the member continues',
      )
      const history = recordWatch(other, '/registry/stopped/', prefixEnd('/registry/stopped/'), from)
      await eventually(() => history.events.length >= 2 * keys.length, 'the history')
      // What the member still had of the writes comes before these.
      await standstill(
        () => history.events.length,
        () => member.currentRevision(),
        100,
      )
      await member.close()
      assert.equal(history.events.length, 2 * keys.length)
      history.close()
    } finally {
      await store.close()
      await other.close()
      await cluster.stop()
    }
  })
})
