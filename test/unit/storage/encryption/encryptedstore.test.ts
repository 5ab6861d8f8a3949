import assert from 'node:assert/strict'
import { silentLogger, silentMetrics, systemClock } from '../../../../lib/base/index.ts'
import { asRevision, type Revision } from '../../../../lib/object/index.ts'
import { createMetrics } from '../../../../lib/observe/index.ts'
import { DecryptedWatch, waitingEventsMax } from '../../../../lib/storage/encryption/decryptedwatch.ts'
import {
  createEncryptedStore,
  createMemoryStore,
  type Store,
  StoreError,
  type StoreEvent,
  type StoreWatchSink,
  type TransformerOf,
} from '../../../../lib/storage/index.ts'
import { encrypted, transformersOf } from '../../../support/encryption.ts'
import { eventuallyEquals } from '../../../support/eventually.ts'
import { recordWatch } from '../../../support/watchrecord.ts'

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value)
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString()
const key = '/registry/secrets/default/a'

describe('storage: an encrypted store', () => {
  let raw: Store
  let rules: Record<string, string[]>
  let store: Store

  beforeEach(() => {
    raw = createMemoryStore({ clock: systemClock, log: silentLogger })
    rules = { secrets: ['aesgcm:one'] }
    const transformerOf: TransformerOf = (resource) => transformersOf(rules)(resource)
    store = encrypted(raw, transformerOf)
  })
  afterEach(() => raw.close())

  async function write(value: string): Promise<Revision> {
    const result = await store.create(key, bytes(value))
    assert.ok(result.ok)
    return result.revision
  }

  it('keeps nothing of a value in the store below', async () => {
    await write('a secret that is long enough to be found')
    const { value } = await raw.get(key)
    assert.match(text(value?.value) ?? '', /^k8s:enc:aesgcm:v1:one:/)
    assert.ok(!Buffer.from(value?.value ?? []).includes('secret that'))
  })

  it('reports values of an old key as stale, in reads and in refusals, and those of the new one as fresh', async () => {
    const first = await write('v')
    rules = { secrets: ['aesgcm:two', 'aesgcm:one'] }
    assert.equal((await store.get(key)).value?.stale, true)
    assert.equal((await store.range({ start: key, end: `${key}\0` })).values[0]?.stale, true)
    const refused = await store.update(key, bytes('x'), asRevision(1_000_000))
    assert.ok(!refused.ok)
    assert.deepEqual([text(refused.current?.value), refused.current?.stale], ['v', true])
    assert.ok((await store.update(key, bytes('v'), first)).ok)
    assert.equal((await store.get(key)).value?.stale, false)
  })

  it('answers values that it can’t decrypt as unreadable, without their bytes, and all others', async () => {
    await raw.create(`${key}1`, bytes('k8s:enc:aesgcm:v1:one:garbage'))
    await store.create(`${key}2`, bytes('fine'))
    const { values } = await store.range({ start: key, end: `${key}9` })
    assert.deepEqual(
      values.map(({ value, unreadable }) => [text(value), unreadable?.error.message]),
      [
        ['', 'the stored data was shorter than the required size'],
        ['fine', undefined],
      ],
    )
    assert.match((await store.get(`${key}1`)).value?.unreadable?.error.message ?? '', /shorter/)
  })

  it('decrypts a value when it is tried again with the right key', async () => {
    await write('v')
    rules = { secrets: ['aesgcm:two'] }
    const { value } = await store.get(key)
    assert.equal(await value?.unreadable?.again(), undefined)
    rules = { secrets: ['aesgcm:two', 'aesgcm:one'] }
    assert.equal(text(await value?.unreadable?.again()), 'v')
  })

  it('two servers, one with the new key first and one with it second, read each other while keys are rotated', async () => {
    const old = encrypted(raw, transformersOf({ secrets: ['aesgcm:one', 'aesgcm:two'] }))
    const fresh = encrypted(raw, transformersOf({ secrets: ['aesgcm:two', 'aesgcm:one'] }))
    const watch = recordWatch(old, key, `${key}9`, 1)
    let revision = asRevision(0)
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? [old, fresh] : [fresh, old]
      const value = bytes(`round ${round}`)
      const result = round === 0 ? await writer.create(key, value) : await writer.update(key, value, revision)
      assert.ok(result.ok)
      revision = result.revision
      assert.equal(text((await reader.get(key)).value?.value), `round ${round}`)
    }
    await eventuallyEquals(() => watch.events.length, 10, 'the events')
    assert.deepEqual(
      watch.events.map(({ value }) => text(value)),
      Array.from({ length: 10 }, (_, round) => `round ${round}`),
    )
    watch.close()
  })

  it('a value that can’t be encrypted is refused, and nothing is written', async () => {
    const failing: TransformerOf = () => ({
      members: [],
      transformer: {
        decrypt: () => ({ value: new Uint8Array(), stale: false }),
        encrypt() {
          throw new Error('no key')
        },
      },
    })
    const refusing = encrypted(raw, failing)
    await assert.rejects(
      refusing.create(key, bytes('v')),
      (error) => error instanceof StoreError && error.code === 'not-encrypted' && error.message === 'no key',
    )
    assert.equal((await raw.get(key)).value, undefined)
  })

  it('leaves keys of no resource as they are, whatever the rules say', async () => {
    const transformerOf = transformersOf({ '*.*': ['aesgcm:one'] })
    const describeKey = () => ({ group: '', resource: '' })
    const ranges = createEncryptedStore(raw, { clock: systemClock, metrics: silentMetrics, describeKey, transformerOf })
    await ranges.create('/registry/ranges/serviceips', bytes('plain'))
    assert.equal(text((await raw.get('/registry/ranges/serviceips')).value?.value), 'plain')
  })

  it('counts its work, by resource, provider and outcome', async () => {
    const metrics = createMetrics()
    const counting = encrypted(raw, transformersOf({ secrets: ['aesgcm:one'] }), { metrics })
    await counting.create(key, bytes('v'))
    await counting.get(key)
    await raw.create(`${key}x`, bytes('no prefix'))
    await counting.get(`${key}x`)
    const { body } = await metrics.exposition()
    for (const line of [
      'apiserver_storage_transformation_operations_total{resource="secrets",status="OK",transformation_type="to_storage",transformer_prefix="k8s:enc:aesgcm:v1:"} 1',
      'apiserver_storage_transformation_operations_total{resource="secrets",status="OK",transformation_type="from_storage",transformer_prefix="k8s:enc:aesgcm:v1:"} 1',
      'apiserver_storage_transformation_operations_total{resource="secrets",status="Unknown",transformation_type="from_storage",transformer_prefix="unknown"} 1',
      'apiserver_storage_transformation_duration_seconds_count{transformation_type="from_storage",transformer_prefix="k8s:enc:aesgcm:v1:"} 1',
    ])
      assert.ok(body.includes(line), line)
  })

  describe('watched, while decryption takes a while', () => {
    const event = (revision: number): StoreEvent => ({
      type: 'put',
      key: `${key}${revision}`,
      value: bytes(String(revision)),
      createRevision: asRevision(revision),
      revision: asRevision(revision),
    })

    function start(decrypt: (event: StoreEvent) => StoreEvent | Promise<StoreEvent>) {
      const seen: string[] = []
      let inner: StoreWatchSink | undefined
      const below = {
        watch(_options: unknown, sink: StoreWatchSink) {
          inner = sink
          return { requestProgress: () => true, close: () => void seen.push('closed below') }
        },
      } as Store // the watch asks for nothing else
      const sink: StoreWatchSink = {
        onEvents: (events) => void seen.push(...events.map(({ revision }) => String(revision))),
        onProgress: (revision) => void seen.push(`progress ${revision}`),
        onEnd: ({ code }) => void seen.push(`end ${code}`),
      }
      const options = { start: key, end: `${key}9`, fromRevision: asRevision(1) }
      const watch = new DecryptedWatch(below, options, sink, decrypt)
      assert.ok(inner)
      return { seen, inner, watch }
    }

    it('keeps the order of events and progress', async () => {
      const first = Promise.withResolvers<void>()
      const { seen, inner } = start((each) => (each.revision === 1 ? first.promise.then(() => each) : each))
      inner.onEvents([event(1)])
      inner.onEvents([event(2), event(3)])
      inner.onProgress(asRevision(4))
      await new Promise(setImmediate)
      assert.deepEqual(seen, [])
      first.resolve()
      await eventuallyEquals(() => seen.length, 4, 'the events')
      assert.deepEqual(seen, ['1', '2', '3', 'progress 4'])
    })

    it('delivers at once again when it has caught up', async () => {
      const { seen, inner } = start((each) => (each.revision === 1 ? Promise.resolve(each) : each))
      inner.onEvents([event(1)])
      await eventuallyEquals(() => seen.length, 1, 'the event')
      await new Promise(setImmediate)
      inner.onEvents([event(2)])
      assert.deepEqual(seen, ['1', '2'])
    })

    it('delivers nothing once it is closed', async () => {
      const first = Promise.withResolvers<void>()
      const { seen, inner, watch } = start((each) => first.promise.then(() => each))
      inner.onEvents([event(1)])
      watch.close()
      first.resolve()
      await new Promise(setImmediate)
      assert.deepEqual(seen, ['closed below'])
    })

    it('ends at once, whatever is waiting', async () => {
      const first = Promise.withResolvers<void>()
      const { seen, inner } = start((each) => first.promise.then(() => each))
      inner.onEvents([event(1)])
      inner.onEnd(new StoreError('compacted', ''))
      first.resolve()
      await new Promise(setImmediate)
      assert.deepEqual(seen, ['end compacted'])
    })

    it('ends when more events wait than may', async () => {
      const never = new Promise<StoreEvent>(() => {})
      const { seen, inner } = start(() => never)
      const many = Array.from({ length: 1000 }, (_, at) => event(at + 1))
      for (let sent = 0; sent < waitingEventsMax; sent += many.length) inner.onEvents(many)
      assert.deepEqual(seen, [])
      inner.onEvents([event(1)])
      assert.deepEqual(seen, ['end unavailable', 'closed below'])
      inner.onEvents([event(2)])
      assert.deepEqual(seen.length, 2)
    })
  })
})
