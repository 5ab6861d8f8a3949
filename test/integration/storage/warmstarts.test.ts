import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findEtcd } from '../../../hack/programs.ts'
import { silentLogger, silentMetrics, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createFeed, type Feed } from '../../../lib/cache/index.ts'
import { createEtcdStore, type EtcdStore, type Mirror, prefixEnd } from '../../../lib/storage/index.ts'
import { encodeObject, resourceOptions } from '../../support/cachekit.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { mirrorFolder, openMirrorOf } from '../../support/mirrorkit.ts'

const pods = '/registry/pods/'
const resumeRevisions = 2

describe('Warm starts on a real etcd', () => {
  let etcd: EtcdServer
  let store: EtcdStore
  let folder: ReturnType<typeof mirrorFolder>

  before(async function () {
    if (!(await findEtcd())) this.skip()
    etcd = await startEtcd()
    store = connect()
    await Promise.all(Array.from({ length: 50 }, (_, at) => put(`p${at}`, 'first')))
  })

  after(async () => {
    await store?.close()
    await etcd?.stop()
  })

  beforeEach(() => {
    folder = mirrorFolder()
  })

  afterEach(() => folder.remove())

  function connect(): EtcdStore {
    const services = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: silentMetrics }
    return createEtcdStore(services, { endpoints: [etcd.url] })
  }

  async function put(name: string, text: string): Promise<void> {
    const key = `${pods}a/${name}`
    const { value } = await store.get(key)
    const result = value
      ? await store.update(key, encodeObject({}, text), value.modRevision)
      : await store.create(key, encodeObject({}, text))
    equal(result.ok, true)
  }

  interface Running {
    readonly feed: Feed
    readonly mirror: Mirror
    /** The revision of the file that the load began from. */
    readonly from: number | undefined
    save(): Promise<void>
    stop(): Promise<void>
  }

  /** A server's caches, which must show what etcd has. */
  async function started(): Promise<Running> {
    const own = connect()
    const mirror = await openMirrorOf({ store: own }, folder.path)
    let from: number | undefined
    const warmStart: Pick<Mirror, 'beginLoad' | 'table'> = {
      beginLoad: async (current) => (from = await mirror.beginLoad(current)),
      table: (prefix, options) => mirror.table(prefix, options),
    }
    const feed = createFeed(
      { store: mirror.store, clock: systemClock, log: silentLogger, metrics: silentMetrics, warmStart },
      { prefix: '/registry/', resumeRevisions },
    )
    const cache = feed.attach(resourceOptions())
    await feed.start()
    const { entries } = await cache.list({ start: pods, end: prefixEnd(pods), at: { kind: 'latest' } })
    const { values } = await store.range({ start: pods, end: prefixEnd(pods) })
    deepEqual(
      entries.map(({ key, revision, stored }) => [key, revision, Buffer.from(stored).toString()]),
      values.map(({ key, modRevision, value }) => [key, modRevision, Buffer.from(value).toString()]),
    )
    return {
      feed,
      mirror,
      from,
      async save() {
        const state = feed.pastState()
        if (state) await mirror.save(state)
      },
      async stop() {
        await feed.close()
        await mirror.close()
        await own.close()
      },
    }
  }

  /** The data of etcd as it is now. */
  async function backup(): Promise<() => Promise<void>> {
    const copy = join(folder.path, 'etcd-backup')
    await etcd.kill()
    cpSync(etcd.dataFolder, copy, { recursive: true })
    await etcd.start()
    return async () => {
      await etcd.kill()
      rmSync(etcd.dataFolder, { recursive: true })
      cpSync(copy, etcd.dataFolder, { recursive: true })
      await etcd.start()
    }
  }

  it('begin at the revision of the file, and by keys once that is compacted', async () => {
    const first = await started()
    equal(first.from, undefined)
    await put('p1', 'second')
    await first.save()
    await first.stop()
    await put('p2', 'third')
    const second = await started()
    notEqual(second.from, undefined)
    await second.stop()
    await store.compact(await store.currentRevision())
    const third = await started()
    equal(third.from, undefined)
    await third.save()
    await third.stop()
  })

  it('do not take values of an etcd that has gone on from a backup in another way', async () => {
    const restore = await backup()
    const first = await started()
    for (let at = 0; at < 10; at++) await put(`p${at}`, 'lost by the restore')
    await first.save()
    await first.stop()
    await restore()
    for (let at = 0; at < 30; at++) await put(`p${at % 10}`, 'after the restore')
    const second = await started()
    equal(second.from, undefined)
    await second.stop()
  })

  it('do not take values that a server kept while etcd was restored below it', async () => {
    const first = await started()
    const restore = await backup()
    await put('p40', 'before the backup is used')
    for (let at = 0; at < 10; at++) await put(`p${at}`, 'lost by the restore')
    const { values } = await store.range({ start: pods, end: prefixEnd(pods) })
    const newest = Math.max(...values.map(({ modRevision }) => modRevision))
    while (first.feed.revision < newest) await new Promise(setImmediate)
    await restore()
    // The same keys at the same revisions with other values: revisions alone show nothing.
    await put('p40', 'after the restore')
    for (let at = 0; at < 9; at++) await put(`p${at}`, 'after the restore')
    await first.save()
    equal(readFileSync(join(folder.path, 'main'), 'latin1').includes('lost by the restore'), false)
    await first.stop()
    const second = await started()
    notEqual(second.from, undefined)
    await second.stop()
  })
})
