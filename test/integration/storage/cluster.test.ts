import assert from 'node:assert/strict'
import type { Revision } from '../../../lib/object/index.ts'
import { prefixEnd, type Store, type WriteResult } from '../../../lib/storage/index.ts'
import { type EtcdCluster, startEtcdCluster } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'
import { recordWatch, type WatchRecord } from '../../support/watchrecord.ts'
import { hasEtcd, type Load, openEtcd, startLoad } from './kit.ts'

const prefix = '/cluster/'

/** Resolves when a hundred further writes are answered. */
async function moreWrites(load: Load): Promise<void> {
  const answered = (): number => [...load.answered.values()].flat().length
  const before = answered()
  await eventually(() => answered() > before + 100 || answered(), 'further writes')
}

/** Every answered write is in the watch at its revision, and the watch has no gap, repetition or disorder. */
async function verify(load: Load, record: WatchRecord): Promise<void> {
  assert.deepEqual(load.falseConflicts, [])
  const answered = [...load.answered.values()].flat()
  const newest = Math.max(...answered.map(({ revision }) => revision))
  await eventually(() => (record.events.at(-1)?.revision ?? 0) >= newest, 'the watch to catch up')
  const revisions = record.events.map(({ revision }) => revision)
  assert.deepEqual(
    revisions,
    [...new Set(revisions)].sort((a, b) => a - b),
  )
  const byRevision = new Map<number, string>(
    record.events.map((event) => [event.revision, Buffer.from(event.value).toString()]),
  )
  for (const { value, revision } of answered) assert.equal(byRevision.get(revision), value)
}

describe('etcd store on a cluster of three', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  let cluster: EtcdCluster
  let opened: Store | undefined
  beforeEach(async () => {
    cluster = await startEtcdCluster(3)
  })
  afterEach(async () => {
    await opened?.close()
    await cluster?.stop()
  })

  for (const fault of ['kill', 'pause'] as const)
    it(`loses no answered write and no event when the leader ${fault === 'kill' ? 'is killed' : 'hangs'}, twice`, async () => {
      const store = openEtcd(cluster.urls, { keepAliveMs: 1000, keepAliveTimeoutMs: 500 })
      const other = openEtcd(cluster.urls, { keepAliveMs: 1000, keepAliveTimeoutMs: 500 })
      const from = (await store.currentRevision()) + 1
      const records = [store, other].map((one) => recordWatch(one, prefix, prefixEnd(prefix), from))
      const load = startLoad(store, prefix, 16)
      for (let round = 0; round < 2; round++) {
        await moreWrites(load)
        const leader = await cluster.leader()
        if (fault === 'kill') await leader.kill()
        else leader.pause()
        await moreWrites(load)
        if (fault === 'kill') await leader.start()
        else leader.resume()
      }
      await moreWrites(load)
      await load.stop()
      for (const record of records) await verify(load, record)

      // All members agree with what the writers know.
      for (const url of cluster.urls) {
        const member = openEtcd([url])
        const shown = await member.members()
        assert.deepEqual(shown.map(({ endpoint }) => endpoint).sort(), cluster.urls.toSorted(), 'of one, all are shown')
        assert.ok(shown.every(({ bytes = 0 }) => bytes > 0))
        assert.equal(shown.filter(({ isLeader }) => isLeader).length, 1)
        for (const [key, writes] of load.answered) {
          const { value } = await member.get(key)
          assert.ok((value?.modRevision ?? 0) >= (writes.at(-1)?.revision ?? Number.POSITIVE_INFINITY), key)
        }
        await member.close()
      }
      await store.close()
      await other.close()
    })

  for (const end of ['halt', 'kill'] as const)
    it(`carries out every creation, update and deletion while its members are ${end === 'halt' ? 'restarted' : 'killed'} one by one`, async () => {
      const store = (opened = openEtcd(cluster.urls))
      const record = recordWatch(store, prefix, prefixEnd(prefix), (await store.currentRevision()) + 1)
      const failures: unknown[] = []
      const created: { key: string; revision: number }[] = []
      const deleted: { key: string; revision: number }[] = []
      let isStopping = false
      const create = async (lane: number): Promise<void> => {
        for (let count = 0; !isStopping; count++) {
          const key = `${prefix}new/${lane}-${count}`
          const options = count % 2 === 0 ? {} : { ttlSeconds: 600 }
          const write = async (writing: Promise<WriteResult>, done: typeof created): Promise<Revision> => {
            const { ok, revision } = await writing
            assert.ok(ok, 'no other writes this key')
            done.push({ key, revision })
            return revision
          }
          try {
            const revision = await write(store.create(key, Buffer.from(key), options), created)
            if (count % 4 < 2) await write(store.delete(key, revision), deleted)
          } catch (error) {
            failures.push(error)
          }
        }
      }
      const creating = Promise.all(Array.from({ length: 16 }, (_, lane) => create(lane)))
      const load = startLoad(store, `${prefix}own/`, 16)
      for (const member of cluster.members) {
        await moreWrites(load)
        await member[end]()
        await moreWrites(load)
        await member.start()
      }
      isStopping = true
      await creating
      await load.stop()
      assert.deepEqual([failures, [...load.errors]], [[], []])
      await verify(load, record)
      // Each was created and deleted once, at the revision that was answered.
      const ofNew = record.events.filter(({ key }) => key.startsWith(`${prefix}new/`))
      for (const [done, type] of [
        [created, 'put'],
        [deleted, 'delete'],
      ] as const) {
        const happened = ofNew.filter((event) => event.type === type).map(({ key, revision }) => `${revision} ${key}`)
        const answered = done
          .toSorted((a, b) => a.revision - b.revision)
          .map(({ key, revision }) => `${revision} ${key}`)
        assert.ok(answered.length > 50)
        assert.deepEqual(answered, happened)
      }
    })

  it('answers reads and writes while any one member is down', async () => {
    const store = openEtcd(cluster.urls)
    let last = (await store.create(`${prefix}one`, Buffer.from('0'))).revision
    for (const member of cluster.members) {
      await member.kill()
      const result = await store.update(`${prefix}one`, Buffer.from(member.url), last)
      assert.ok(result.ok)
      last = result.revision
      assert.equal((await store.get(`${prefix}one`)).value?.modRevision, last)
      await member.start()
    }
    await store.close()
  })

  it('rejects writes without a quorum, and serves again once there is one', async () => {
    const store = openEtcd(cluster.urls, { requestTimeoutMs: 1000 })
    const { revision } = await store.create(`${prefix}one`, Buffer.from('0'))
    const leader = await cluster.leader()
    const down = [leader, cluster.members.find((member) => member !== leader)]
    for (const member of down) await member?.kill()
    await assert.rejects(store.update(`${prefix}one`, Buffer.from('1'), revision), { code: 'unavailable' })
    await assert.rejects(store.currentRevision(), { code: 'unavailable' })
    for (const member of down) await member?.start()
    let current = 0
    await eventually(async () => {
      current = await store.currentRevision().catch(() => 0)
      return current > 0
    }, 'a quorum')
    assert.ok(current >= revision)
    await store.close()
  })
})
