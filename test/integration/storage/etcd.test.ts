import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Etcd3 } from 'etcd3'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { createCompactor, type EtcdStore, prefixEnd, type Store, StoreError } from '../../../lib/storage/index.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { startProxy } from '../../support/proxy.ts'
import { recordWatch } from '../../support/watchrecord.ts'
import { dependencies, hasEtcd, openEtcd } from './kit.ts'

describe('etcd store, as another client sees it', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  let etcd: EtcdServer
  let store: EtcdStore
  let oracle: Etcd3
  before(async () => {
    etcd = await startEtcd()
    store = openEtcd([etcd.url], { leaseReuseSeconds: 0 })
    oracle = new Etcd3({ hosts: etcd.url })
  })
  after(async () => {
    await store?.close()
    oracle?.close()
    await etcd?.stop()
  })

  it('writes what other clients read', async () => {
    const created = await store.create('/o/a', Buffer.from('é\0x'))
    const updated = await store.update('/o/a', Buffer.from('two'), created.revision)
    await store.create('/o/b', Buffer.alloc(0))
    const { kvs, header } = await oracle.getAll().prefix('/o/').exec()
    assert.deepEqual(
      kvs.map((kv) => [
        kv.key.toString(),
        kv.value.toString(),
        Number(kv.create_revision),
        Number(kv.mod_revision),
        Number(kv.version),
      ]),
      [
        ['/o/a', 'two', created.revision, updated.revision, 2],
        ['/o/b', '', updated.revision + 1, updated.revision + 1, 1],
      ],
    )
    assert.equal(Number(header.revision), await store.currentRevision())
    const deleted = await store.delete('/o/a', updated.revision)
    assert.ok(deleted.ok)
    assert.equal(await oracle.get('/o/a').string(), null)
    const past = await oracle.get('/o/a').revision(created.revision).string()
    assert.equal(past, 'é\0x')
  })

  it('reads what other clients write, keys beyond ASCII included', async () => {
    for (const [key, value] of [
      ['/r/1', 'one'],
      ['/r/é', 'two'],
      ['/r/日本', 'three'],
    ] as const)
      await oracle.put(key).value(value)
    const { values } = await store.range({ start: '/r/', end: prefixEnd('/r/') })
    assert.deepEqual(
      values.map(({ key, value }) => [key, Buffer.from(value).toString()]),
      [
        ['/r/1', 'one'],
        ['/r/é', 'two'],
        ['/r/日本', 'three'],
      ],
    )
    assert.equal((await store.get('/r/日本')).value?.modRevision, values[2]?.modRevision)
  })

  it("delivers another client's transaction over several keys in one call", async () => {
    const record = recordWatch(store, '/t/', prefixEnd('/t/'), (await store.currentRevision()) + 1)
    const value = 'v'.repeat(700_000)
    let transaction = oracle.if('/t/none', 'Create', '==', 0).then(oracle.put('/t/0').value('first'))
    await transaction.commit()
    const puts = Array.from({ length: 100 }, (_, i) => oracle.put(`/t/${i}`).value(`${i}`))
    transaction = oracle.if('/t/none', 'Create', '==', 0).then(...puts)
    const { header } = await transaction.commit()
    await eventuallyEquals(() => record.events.length, 101, 'all events')
    const calls = record.calls.filter((events) => events.some(({ revision }) => revision === Number(header.revision)))
    assert.equal(calls.length, 1)
    assert.equal(calls[0]?.filter(({ revision }) => revision === Number(header.revision)).length, 100)
    // A history that etcd must cut into fragments comes out whole, each revision once.
    for (let i = 0; i < 6; i++) await oracle.put(`/t/big${i}`).value(value)
    const past = recordWatch(store, '/t/', prefixEnd('/t/'), 1)
    await eventuallyEquals(() => past.events.length, 107, 'all of the past')
    const revisions = past.events.map(({ revision }) => revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    )
    past.close()
    record.close()
  })

  it('shares a lease among keys written close together, up to a thousand', async () => {
    const sharing = openEtcd([etcd.url], { leaseReuseSeconds: 60 })
    const results = await Promise.all(
      Array.from({ length: 1100 }, (_, i) => sharing.create(`/l/${i}`, Buffer.from('x'), { ttlSeconds: 3600 })),
    )
    assert.ok(results.every(({ ok }) => ok))
    await sharing.create('/l/other', Buffer.from('x'), { ttlSeconds: 7200 })
    const { kvs } = await oracle.getAll().prefix('/l/').exec()
    const keysOf = new Map<string, number>()
    for (const { lease } of kvs) keysOf.set(String(lease), (keysOf.get(String(lease)) ?? 0) + 1)
    assert.deepEqual(
      [...keysOf.values()].sort((a, b) => a - b),
      [1, 100, 1000],
    )
    const [lease = ''] = keysOf.keys()
    const { grantedTTL } = await oracle.leaseClient.leaseTimeToLive({ ID: lease })
    assert.equal(Number(grantedTTL), 3660)
    // A lease that somebody revoked is replaced.
    for (const id of keysOf.keys()) await oracle.leaseClient.leaseRevoke({ ID: id })
    assert.ok((await sharing.create('/l/again', Buffer.from('x'), { ttlSeconds: 3600 })).ok)
    await sharing.close()
  })

  it('compacts once an interval among replicas, to the revision of an interval ago', async () => {
    const clocks = [createFakeClock(), createFakeClock()]
    let attempts = 0
    let pending = 0
    const watched = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]): Promise<unknown> => {
          if (name === 'putVersion') attempts++
          pending++
          return await Promise.resolve(member.apply(target, given)).finally(() => pending--)
        }
      },
    })
    const compactors = clocks.map((clock) => createCompactor(watched, { ...dependencies, clock }, { intervalMs: 1000 }))
    const first = await store.create('/c/a', Buffer.from('1'))
    const versions: number[] = []
    let middle = first.revision
    for (let round = 0; round < 4; round++) {
      middle = (await store.update('/c/a', Buffer.from(`${round}`), middle)).revision
      for (const clock of clocks) {
        const before = attempts
        clock.advance(1000)
        await eventuallyEquals(() => attempts, before + 1, 'the next attempt to compact')
        await eventuallyEquals(() => pending, 0, 'the attempt to compact')
      }
      const { kvs } = await oracle.get('compact_rev_key').exec()
      versions.push(Number(kvs[0]?.version ?? 0))
    }
    // One replica succeeds in each round: in the first, the other finds the key and begins to follow.
    assert.deepEqual(versions, [1, 2, 3, 4])
    await assert.rejects(
      store.get('/c/a', { revision: first.revision }),
      (error: unknown) => error instanceof StoreError && error.code === 'compacted',
    )
    assert.ok((await store.get('/c/a', { revision: middle })).value)
    for (const compactor of compactors) await compactor.close()

    const later = openEtcd([etcd.url])
    const clock = createFakeClock()
    const compactor = createCompactor(later, { ...dependencies, clock }, { intervalMs: 1000 })
    clock.advance(1000)
    const target = Number(await oracle.get('compact_rev_key').string())
    await eventuallyEquals(
      () => later.compactedRevision(),
      target,
      'the compaction of others, as a new replica sees it',
    )
    await compactor.close()
    await later.close()
  })

  it('names each server with its size, and one that does not answer without', async () => {
    const some = openEtcd([etcd.url, 'http://127.0.0.1:1'])
    const [answering, silent, ...others] = await some.members()
    assert.ok(answering?.isLeader && (answering.bytes ?? 0) > 0)
    assert.deepEqual(others, [], 'the member of an endpoint is shown once')
    assert.deepEqual(silent, { endpoint: 'http://127.0.0.1:1', bytes: undefined, isLeader: false })
    await some.close()
  })
})

describe('etcd store and limits of the server', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')

  /** Creates objects, 16 at a time, until the server has refused some for lack of space. Answers the created ones' keys. */
  async function fill(store: Store): Promise<string[]> {
    const created: string[] = []
    const refusals: unknown[] = []
    let count = 0
    const lane = async (): Promise<void> => {
      while (refusals.length === 0 && count < 3000) {
        const key = `/s/${String(count++).padStart(4, '0')}`
        await store.create(key, Buffer.alloc(20_000, key)).then(
          () => created.push(key),
          (error: unknown) => refusals.push(error),
        )
      }
    }
    await Promise.all(Array.from({ length: 16 }, lane))
    assert.ok(refusals.length > 0)
    for (const refusal of refusals)
      assert.ok(refusal instanceof StoreError && refusal.code === 'no-space', `${refusal}`)
    return created.sort()
  }

  it('answers no-space once the database is full to nothing that it has carried out, and still reads, watches and deletes', async () => {
    const etcd = await startEtcd({ quotaBytes: 2 * 1024 * 1024 })
    const store = openEtcd([etcd.url])
    try {
      const created = await fill(store)
      const { values } = await store.range({ start: '/s/', end: '/s0' })
      assert.deepEqual(
        values.map(({ key }) => key),
        created,
      )
      const record = recordWatch(store, '/s/', '/s0', 1)
      await eventuallyEquals(() => record.events.length, created.length, 'events')
      const { value: stored } = await store.get('/s/0000')
      assert.ok(stored && (await store.delete('/s/0000', stored.modRevision)).ok)
      assert.equal((await store.get('/s/0000')).value, undefined)
    } finally {
      await store.close()
      await etcd.stop()
    }
  })

  it('answers too-large for what exceeds the limit that the server is set to', async () => {
    const etcd = await startEtcd({ flags: ['--max-request-bytes=10000'] })
    const store = openEtcd([etcd.url])
    assert.ok((await store.create('/a', Buffer.alloc(9000))).ok)
    await assert.rejects(store.create('/b', Buffer.alloc(11_000)), { code: 'too-large' })
    await assert.rejects(store.create('/c', Buffer.alloc(5_000_000)), { code: 'too-large' })
    await store.close()
    await etcd.stop()
  })
})

describe('etcd store over TLS', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  const folder = mkdtempSync(join(tmpdir(), 'pilothouse-tls-'))
  const authority = createAuthority(dependencies, { commonName: 'etcd-ca' })
  const stranger = createAuthority(dependencies, { commonName: 'another-ca' })
  const server = authority.issue({ commonName: 'etcd', usage: 'both', names: ['127.0.0.1', 'localhost'] })
  const client = authority.issue({ commonName: 'apiserver', usage: 'client' })
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }
  const certFile = file('server.crt', server.certificate)
  const keyFile = file('server.key', server.key)
  const caFile = file('ca.crt', authority.certificate)
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('works with the right authority, and not with another', async () => {
    const etcd = await startEtcd({ tls: { certFile, keyFile } })
    const store = openEtcd([etcd.url], { tls: { ca: authority.certificate } })
    assert.ok((await store.create('/a', Buffer.from('x'))).ok)
    const record = recordWatch(store, '/', '0', 1)
    await eventuallyEquals(() => record.events.length, 1, 'an event')
    await store.close()
    const byCertificate = openEtcd([etcd.url], { tls: { ca: server.certificate } })
    assert.ok((await byCertificate.get('/a')).value, 'a bundle with the server’s own certificate')
    await byCertificate.close()
    // The last part of the path is whom the certificate has to name.
    for (const [name, works] of [
      ['localhost:1', true],
      ['elsewhere:1', false],
    ] as const) {
      const socket = await startProxy(etcd.url, { path: join(folder, name) })
      const url = socket.url.replace('unix:', 'unixs:')
      const byPath = openEtcd([url], { tls: { ca: authority.certificate }, requestTimeoutMs: 1000 })
      if (works) assert.ok((await byPath.get('/a')).value)
      else await assert.rejects(byPath.get('/a'), { code: 'unavailable' })
      await byPath.close()
      await socket.close()
    }
    for (const tls of [{ ca: stranger.certificate }, {}]) {
      const other = openEtcd([etcd.url], { tls, requestTimeoutMs: 500 })
      await assert.rejects(other.get('/a'), { code: 'unavailable' })
      await other.close()
    }
    await etcd.stop()
  })

  it('shows its certificate where the server wants one', async () => {
    const etcd = await startEtcd({ tls: { certFile, keyFile, caFile } })
    const ca = authority.certificate
    const store = openEtcd([etcd.url], { tls: { ca, cert: client.certificate, key: client.key } })
    assert.ok((await store.create('/a', Buffer.from('x'))).ok)
    await store.close()
    const other = stranger.issue({ commonName: 'apiserver', usage: 'client' })
    for (const pair of [{}, { cert: other.certificate, key: other.key }]) {
      const refused = openEtcd([etcd.url], { tls: { ca, ...pair }, requestTimeoutMs: 500 })
      await assert.rejects(refused.get('/a'), { code: 'unavailable' })
      await refused.close()
    }
    await etcd.stop()
  })
})
