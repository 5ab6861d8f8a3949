import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prefixEnd, type Store, StoreError, type StoreErrorCode } from '../../../lib/storage/index.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type Proxy, startProxy } from '../../support/proxy.ts'
import { recordWatch } from '../../support/watchrecord.ts'
import { hasEtcd, openEtcd, startLoad } from './kit.ts'

async function rejectsWith(code: StoreErrorCode, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error: unknown) => error instanceof StoreError && error.code === code)
}

/** A read gets through in its time. */
async function answers(store: Store, key: string): Promise<boolean> {
  return await store.get(key).then(
    () => true,
    () => false,
  )
}

describe('etcd store over a faulty network', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  let etcd: EtcdServer
  let proxy: Proxy
  let prefixes = 0
  let prefix: string
  before(async () => {
    etcd = await startEtcd()
  })
  after(async () => {
    await etcd?.stop()
  })
  beforeEach(async () => {
    prefix = `/faults/${prefixes++}/`
    proxy = await startProxy(etcd.url)
  })
  afterEach(async () => {
    await proxy?.close()
  })

  it('uses another endpoint when one is down', async () => {
    const dead = await startProxy(etcd.url)
    await dead.close()
    for (let i = 0; i < 4; i++) {
      const store = openEtcd([dead.url, proxy.url, dead.url])
      assert.ok((await store.create(`${prefix}${i}`, Buffer.from('x'))).ok)
      await store.close()
    }
  })

  it('reaches a server by a unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pilothouse-unix-'))
    const socket = await startProxy(etcd.url, { path: join(folder, 'localhost:1') })
    const store = openEtcd([socket.url])
    assert.ok((await store.create(`${prefix}a`, Buffer.from('x'))).ok)
    assert.equal(socket.accepted, 1)
    await store.close()
    await socket.close()
    rmSync(folder, { recursive: true })
  })

  it('rejects in time when no endpoint can be reached, and works again afterwards', async () => {
    proxy.refusing = true
    const store = openEtcd([proxy.url], { requestTimeoutMs: 800 })
    const started = performance.now()
    await rejectsWith('unavailable', store.get(`${prefix}a`))
    await rejectsWith('unavailable', store.create(`${prefix}a`, Buffer.from('x')))
    const tookMs = performance.now() - started
    assert.ok(tookMs > 1400 && tookMs < 20_000, `${tookMs} ms`)
    proxy.refusing = false
    await eventually(() => answers(store, `${prefix}a`), 'the server is back')
    assert.ok((await store.create(`${prefix}a`, Buffer.from('x'))).ok)
    await store.close()
  })

  it('rejects in time when the server is slow, without giving up the connection', async () => {
    const store = openEtcd([proxy.url], { requestTimeoutMs: 1000 })
    await store.get(`${prefix}a`)
    proxy.delayMs = 2000
    const started = performance.now()
    await rejectsWith('unavailable', store.get(`${prefix}a`))
    await rejectsWith('unavailable', store.ping({ timeoutMs: 300 }))
    assert.ok(performance.now() - started < 15_000)
    proxy.delayMs = 0
    await eventually(() => answers(store, `${prefix}a`), 'the server is fast again')
    assert.equal(proxy.accepted, 1)
    await store.close()
  })

  it('gives up a call at once when its signal aborts', async () => {
    const store = openEtcd([proxy.url])
    await store.get(`${prefix}a`)
    proxy.stalled = true
    const controller = new AbortController()
    const { signal } = controller
    const calls = [
      store.get(`${prefix}a`, { signal }),
      store.range({ start: prefix, end: prefixEnd(prefix), signal }),
      store.create(`${prefix}a`, Buffer.from('x'), { signal }),
      store.currentRevision({ signal }),
    ]
    const started = performance.now()
    await eventually(() => proxy.held > 0, 'the calls are at the proxy')
    controller.abort()
    for (const call of calls) await rejectsWith('aborted', call)
    assert.ok(performance.now() - started < 8000)
    proxy.stalled = false
    await store.close()
  })

  it('leaves a server that has gone silent for one that has not', async () => {
    const store = openEtcd([proxy.url, etcd.url], { keepAliveMs: 300, keepAliveTimeoutMs: 300 })
    proxy.stalled = true
    for (let i = 0; i < 3; i++) {
      const started = performance.now()
      await store.get(`${prefix}a`)
      assert.ok(performance.now() - started < 20_000)
    }
    await store.close()
  })

  it('keeps a watch whole while its connection breaks, under load', async () => {
    const store = openEtcd([proxy.url])
    const writer = openEtcd([etcd.url])
    const from = (await writer.currentRevision()) + 1
    const record = recordWatch(store, prefix, prefixEnd(prefix), from)
    const load = startLoad(writer, prefix, 8)
    for (let i = 0; i < 15; i++) {
      const before = record.events.length
      await eventually(() => proxy.accepted > i && record.events.length > before + 10, 'events of a connection')
      proxy.reset()
    }
    await load.stop()
    const written = [...load.answered.values()].flat().map(({ revision }) => revision)
    written.sort((a, b) => a - b)
    await eventually(() => record.events.length >= written.length, 'all events')
    assert.deepEqual(
      record.events.map(({ revision }) => revision),
      written,
    )
    assert.ok(proxy.accepted > 10)
    assert.equal(record.ended, undefined)
    await store.close()
    await writer.close()
  })

  it('reports the true outcome of writes whose connection breaks', async () => {
    const store = openEtcd([proxy.url])
    const load = startLoad(store, prefix, 16)
    const answeredSoFar = (): number => [...load.answered.values()].reduce((sum, { length }) => sum + length, 0)
    for (let i = 0; i < 15; i++) {
      const before = answeredSoFar()
      await eventually(() => answeredSoFar() > before + 10, 'writes')
      const { swallowed } = proxy
      proxy.swallowReplies = true
      await eventually(() => proxy.swallowed > swallowed, 'a reply is lost')
      proxy.reset()
      proxy.swallowReplies = false
    }
    await load.stop()
    assert.deepEqual(load.falseConflicts, [])
    // Each answered value was really there at its revision.
    const reader = openEtcd([etcd.url])
    const history = recordWatch(reader, prefix, prefixEnd(prefix), 1)
    const answered = [...load.answered.values()].flat()
    assert.ok(answered.length > 100)
    await eventually(
      () => (history.events.at(-1)?.revision ?? 0) >= Math.max(...answered.map((one) => one.revision)),
      'history',
    )
    const byRevision = new Map(history.events.map((event) => [event.revision, Buffer.from(event.value).toString()]))
    for (const { value, revision } of answered) assert.equal(byRevision.get(revision), value)
    // Nothing was written twice.
    assert.equal(new Set(byRevision.values()).size, byRevision.size)
    await store.close()
    await reader.close()
  })

  it('recognises a creation as its own when the answer was lost', async () => {
    const store = openEtcd([proxy.url])
    const other = openEtcd([etcd.url])
    let creating: ReturnType<typeof store.create>
    let isLost: boolean
    let swallowed: number
    do {
      // What etcd still had to say of something else may break the connection before the write is through: once more then.
      proxy.swallowReplies = false
      isLost = false
      await store.get(`${prefix}a`)
      swallowed = proxy.swallowed
      proxy.swallowReplies = true
      creating = store.create(`${prefix}a`, Buffer.from('mine'))
      creating.catch(() => (isLost = true))
      await eventually(async () => isLost || (await other.get(`${prefix}a`)).value !== undefined, 'the write')
    } while (isLost)
    await eventually(() => proxy.swallowed > swallowed, 'its answer is lost')
    proxy.swallowReplies = false
    const result = await creating
    await other.close()
    assert.ok(result.ok)
    const { value } = await store.get(`${prefix}a`)
    assert.equal(value?.createRevision, result.revision)
    await store.close()
  })

  it('ends a watch that was cut off while its history was compacted', async () => {
    const store = openEtcd([proxy.url])
    const other = openEtcd([etcd.url])
    const first = await other.create(`${prefix}a`, Buffer.from('1'))
    const record = recordWatch(store, prefix, prefixEnd(prefix), first.revision)
    await eventuallyEquals(() => record.events.length, 1, 'the first event')
    proxy.refusing = true
    proxy.reset()
    let { revision } = first
    for (let i = 0; i < 5; i++) revision = (await other.update(`${prefix}a`, Buffer.from(`${i}`), revision)).revision
    await other.compact(revision)
    proxy.refusing = false
    await eventually(() => record.ended !== undefined, 'the end')
    assert.equal(record.ended?.code, 'compacted')
    assert.equal(record.ended?.revision, revision)
    assert.equal(record.events.length, 1)
    await store.close()
    await other.close()
  })

  it('resumes an idle watch beyond a compaction that progress has passed', async () => {
    const store = openEtcd([proxy.url])
    const other = openEtcd([etcd.url])
    const from = (await other.currentRevision()) + 1
    const record = recordWatch(store, prefix, prefixEnd(prefix), from)
    let { revision } = await other.create(`/elsewhere${prefix}`, Buffer.from('1'))
    for (let i = 0; i < 3; i++) ({ revision } = await other.update(`/elsewhere${prefix}`, Buffer.from('x'), revision))
    await eventually(() => {
      record.watch.requestProgress()
      return (record.progress.at(-1) ?? 0) >= revision
    }, 'progress')
    proxy.refusing = true
    proxy.reset()
    await other.compact(revision)
    proxy.refusing = false
    await other.create(`${prefix}a`, Buffer.from('1'))
    await eventuallyEquals(() => record.events.length, 1, 'the event after the compaction')
    assert.equal(record.ended, undefined)
    await store.close()
    await other.close()
  })

  it('survives a restart of the server', async () => {
    const store = openEtcd([etcd.url])
    const from = (await store.currentRevision()) + 1
    const record = recordWatch(store, prefix, prefixEnd(prefix), from)
    await store.create(`${prefix}before`, Buffer.from('x'))
    await etcd.kill()
    const reading = store.get(`${prefix}before`)
    await etcd.start()
    assert.ok((await reading).value)
    await store.create(`${prefix}after`, Buffer.from('x'))
    await eventuallyEquals(() => record.events.length, 2, 'both events')
    assert.deepEqual(
      record.events.map(({ key }) => key.slice(prefix.length)),
      ['before', 'after'],
    )
    await store.close()
  })
})
