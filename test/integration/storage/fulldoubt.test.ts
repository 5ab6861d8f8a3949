import assert from 'node:assert/strict'
import { noRevision } from '../../../lib/object/index.ts'
import { EtcdClient } from '../../../lib/storage/etcd/client.ts'
import { createLookBack } from '../../../lib/storage/etcd/lookback.ts'
import { DeletionMarks } from '../../../lib/storage/etcd/marks.ts'
import { methods } from '../../../lib/storage/etcd/messages.ts'
import { EtcdWriter } from '../../../lib/storage/etcd/write.ts'
import { type Store, StoreError } from '../../../lib/storage/index.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { dependencies, hasEtcd, openEtcd } from './kit.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

/** Reports once that etcd has no space left: before a write gets there, or behind it as etcd does at its quota. */
class FullClient extends EtcdClient {
  full: 'before' | 'behind' | undefined
  /** What another client does between the write and its answer. */
  meanwhile: () => Promise<unknown> = async () => {}

  override call: EtcdClient['call'] = async (method, ...rest) => {
    const { full } = this
    if (method !== methods.txn || full === undefined) return await super.call(method, ...rest)
    this.full = undefined
    if (full === 'behind') await super.call(method, ...rest)
    await this.meanwhile()
    throw new StoreError('no-space', 'etcd: etcdserver: mvcc: database space exceeded')
  }
}

describe('a write that etcd refuses for lack of space', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  const limits = { signal: undefined, timeoutMs: 60_000 }
  let etcd: EtcdServer
  let other: Store
  let client: FullClient
  let writer: EtcdWriter
  let keys = 0
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
    key = `/full/${keys++}`
    client = new FullClient(dependencies, { endpoints: [etcd.url] })
    const before = await other.currentRevision()
    writer = new EtcdWriter({
      clock: dependencies.clock,
      client,
      marks: new DeletionMarks(dependencies.random, client, '/marks/'),
      lookBack: createLookBack(dependencies, client),
      revisionSeen: () => before,
    })
  })
  afterEach(() => client.close())

  const create = (text: string) => writer.carryOut({ key, expected: noRevision, value: bytes(text) }, limits)
  const current = async () => (await other.get(key)).value
  const text = async () => Buffer.from((await current())?.value ?? '').toString()

  it('and yet carries out is acknowledged: a creation, also one that another updated meanwhile', async () => {
    client.full = 'behind'
    const created = await create('mine')
    assert.deepEqual(created, { ok: true, revision: (await current())?.modRevision })
    key += '/b'
    client.full = 'behind'
    client.meanwhile = async () => await other.update(key, bytes('theirs'), (await current())!.modRevision)
    const again = await create('mine')
    assert.deepEqual(again, { ok: true, revision: (await current())?.createRevision })
    assert.equal(await text(), 'theirs')
  })

  it('and yet carries out is acknowledged: an update and a deletion', async () => {
    const { revision } = await other.create(key, bytes('0'))
    client.full = 'behind'
    const updated = await writer.carryOut({ key, expected: revision, value: bytes('1') }, limits)
    assert.deepEqual(updated, { ok: true, revision: (await current())?.modRevision })
    client.full = 'behind'
    const deleted = await writer.carryOut({ key, expected: updated.revision, value: undefined }, limits)
    assert.ok(deleted.ok)
    assert.equal(await current(), undefined)
  })

  it('and does not carry out is refused, and has changed nothing; a deletion is carried out without its mark', async () => {
    client.full = 'before'
    await assert.rejects(create('mine'), { code: 'no-space' })
    assert.equal(await current(), undefined)
    const { revision } = await other.create(key, bytes('0'))
    client.full = 'before'
    await assert.rejects(writer.carryOut({ key, expected: revision, value: bytes('1') }, limits), { code: 'no-space' })
    assert.equal(await text(), '0')
    client.full = 'before'
    assert.ok((await writer.carryOut({ key, expected: revision, value: undefined }, limits)).ok)
    assert.equal(await current(), undefined)
  })

  it('is a conflict, or refused, where another was first', async () => {
    const { revision } = await other.create(key, bytes('0'))
    client.full = 'before'
    client.meanwhile = () => other.update(key, bytes('theirs'), revision)
    const updated = await writer.carryOut({ key, expected: revision, value: bytes('1') }, limits)
    assert.equal(updated.ok, false)
    client.full = 'before'
    client.meanwhile = async () => await other.delete(key, (await current())!.modRevision)
    const deleted = await writer.carryOut({ key, expected: updated.current!.modRevision, value: undefined }, limits)
    assert.deepEqual([deleted.ok, deleted.ok || deleted.current], [false, undefined])
    client.full = 'before'
    client.meanwhile = () => other.create(key, bytes('theirs'))
    await assert.rejects(create('mine'), { code: 'no-space' })
  })
})
