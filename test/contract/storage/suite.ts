import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { type CacheWatchEvent, createFeed } from '../../../lib/cache/index.ts'
import { asRevision, type Revision } from '../../../lib/object/index.ts'
import { prefixEnd, type Store, StoreError, type StoreErrorCode, type WriteResult } from '../../../lib/storage/index.ts'
import { encodeObject, resourceOptions } from '../../support/cachekit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { recordWatch } from '../../support/watchrecord.ts'

interface Subject {
  /** A store that shares its data with nobody but other prefixes; the suite closes it. */
  open(): Promise<Store>
  /** Time to live that the store can keep, and how long a test waits for it. */
  ttl: { seconds: number; waitMs: number }
}

const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString()
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value)

function written(result: WriteResult): Revision {
  assert.ok(result.ok, `refused: ${JSON.stringify(result)}`)
  return result.revision
}

async function rejectsWith(code: StoreErrorCode, work: Promise<unknown>): Promise<StoreError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StoreError, `${code} expected, got ${String(error)}`)
  assert.equal(error.code, code, error.message)
  return error
}

let prefixes = 0

/** What every Store must do (lib/storage/contract.ts). */
export function testStore(name: string, subject: Subject): void {
  describe(`store contract: ${name}`, () => {
    let store: Store
    let prefix: string
    let end: string
    before(async () => {
      store = await subject.open()
    })
    after(async () => {
      await store?.close()
    })
    beforeEach(() => {
      prefix = `/suite/${process.pid}-${prefixes++}/`
      end = prefixEnd(prefix)
    })

    const create = async (key: string, value: string): Promise<Revision> =>
      written(await store.create(prefix + key, bytes(value)))

    async function keys(revision?: Revision): Promise<string[]> {
      const { values } = await store.range({ start: prefix, end, ...(revision ? { revision } : {}) })
      return values.map(({ key, value }) => `${key.slice(prefix.length)}=${text(value)}`)
    }

    describe('writes', () => {
      it('creates a key once, and answers a second creation with the stored value', async () => {
        const revision = await create('a', 'one')
        const second = await store.create(`${prefix}a`, bytes('two'))
        assert.ok(!second.ok)
        assert.equal(text(second.current?.value), 'one')
        assert.equal(second.current?.modRevision, revision)
        assert.equal(second.current?.createRevision, revision)
        assert.deepEqual(await keys(), ['a=one'])
      })

      it('gives every write a greater revision', async () => {
        const revisions: number[] = []
        for (let i = 0; i < 5; i++) revisions.push(await create(`k${i}`, 'v'))
        for (const [index, revision] of revisions.entries())
          if (index > 0) assert.ok(revision > (revisions[index - 1] ?? 0))
      })

      it('updates only at the expected revision, and keeps the revision of creation', async () => {
        const first = await create('a', 'one')
        const second = written(await store.update(`${prefix}a`, bytes('two'), first))
        const refusal = await store.update(`${prefix}a`, bytes('three'), first)
        assert.ok(!refusal.ok)
        assert.equal(refusal.current?.modRevision, second)
        const { value } = await store.get(`${prefix}a`)
        assert.deepEqual([text(value?.value), value?.createRevision, value?.modRevision], ['two', first, second])
      })

      it('refuses to update or delete what does not exist', async () => {
        const update = await store.update(`${prefix}a`, bytes('x'), asRevision(1))
        const deletion = await store.delete(`${prefix}a`, asRevision(1))
        assert.ok(!update.ok && update.current === undefined)
        assert.ok(!deletion.ok && deletion.current === undefined)
        assert.deepEqual(await keys(), [])
      })

      it('deletes only at the expected revision, which gives the deletion its own revision', async () => {
        const first = await create('a', 'one')
        const second = written(await store.update(`${prefix}a`, bytes('two'), first))
        assert.equal((await store.delete(`${prefix}a`, first)).ok, false)
        const deleted = written(await store.delete(`${prefix}a`, second))
        assert.ok(deleted > second)
        const { value, revision } = await store.get(`${prefix}a`)
        assert.equal(value, undefined)
        assert.ok(revision >= deleted)
        const again = await create('a', 'three')
        assert.equal((await store.get(`${prefix}a`)).value?.createRevision, again)
      })

      it('lets one of many concurrent updates win', async () => {
        const first = await create('a', 'zero')
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, i) => store.update(`${prefix}a`, bytes(`w${i}`), first)),
        )
        const winners = results.flatMap((result, i) => (result.ok ? [{ i, revision: result.revision }] : []))
        assert.equal(winners.length, 1)
        const { value } = await store.get(`${prefix}a`)
        assert.equal(text(value?.value), `w${winners[0]?.i}`)
        for (const result of results) if (!result.ok) assert.equal(result.current?.modRevision, winners[0]?.revision)
      })

      it('keeps empty values and any bytes', async () => {
        const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
        written(await store.create(`${prefix}bytes`, everyByte))
        written(await store.create(`${prefix}empty`, new Uint8Array(0)))
        const { values } = await store.range({ start: prefix, end })
        assert.deepEqual(
          values.map(({ value }) => [...value]),
          [[...everyByte], []],
        )
      })

      it('keeps its own copy of what it was given', async () => {
        const shared = Buffer.alloc(4096, 'x')
        const pending = store.create(`${prefix}a`, shared.subarray(100, 103))
        written(await pending)
        shared.fill('y')
        const { value } = await store.get(`${prefix}a`)
        assert.equal(text(value?.value), 'xxx')
      })
    })

    describe('reads', () => {
      it('answers a key that does not exist with the revision of the store', async () => {
        const revision = await create('a', 'one')
        const missing = await store.get(`${prefix}b`)
        assert.equal(missing.value, undefined)
        assert.ok(missing.revision >= revision)
      })

      it('ranges in order of keys, start inclusive and end exclusive', async () => {
        for (const key of ['b', 'a', 'd', 'c', 'a/b', 'a-b']) await create(key, key)
        assert.deepEqual(await keys(), ['a=a', 'a-b=a-b', 'a/b=a/b', 'b=b', 'c=c', 'd=d'])
        const { values } = await store.range({ start: `${prefix}a`, end: `${prefix}c` })
        assert.deepEqual(
          values.map(({ key }) => key.slice(prefix.length)),
          ['a', 'a-b', 'a/b', 'b'],
        )
        const after = await store.range({ start: `${prefix}a\0`, end })
        assert.equal(after.values[0]?.key, `${prefix}a-b`)
      })

      it('answers limit, more and count', async () => {
        for (let i = 0; i < 5; i++) await create(`k${i}`, 'v')
        const cases = [
          { limit: 2, keys: 2, more: true },
          { limit: 5, keys: 5, more: false },
          { limit: 9, keys: 5, more: false },
          { limit: 0, keys: 5, more: false },
        ]
        for (const { limit, keys: expected, more } of cases) {
          const result = await store.range({ start: prefix, end, limit })
          assert.deepEqual([result.values.length, result.more, result.count], [expected, more, 5], `limit ${limit}`)
        }
      })

      it('answers keys or the count alone', async () => {
        const revision = await create('a', 'one')
        const keysOnly = await store.range({ start: prefix, end, keysOnly: true })
        assert.deepEqual(
          keysOnly.values.map(({ key, value, modRevision }) => [key, value.length, modRevision]),
          [[`${prefix}a`, 0, revision]],
        )
        const countOnly = await store.range({ start: prefix, end, countOnly: true })
        assert.deepEqual([countOnly.values.length, countOnly.count], [0, 1])
      })

      it('answers an empty range', async () => {
        const { values, more, count } = await store.range({ start: prefix, end, limit: 3 })
        assert.deepEqual([values.length, more, count], [0, false, 0])
      })

      it('shows past revisions as they were', async () => {
        const a1 = await create('a', 'a1')
        const b1 = await create('b', 'b1')
        const a2 = written(await store.update(`${prefix}a`, bytes('a2'), a1))
        const gone = written(await store.delete(`${prefix}b`, b1))
        const b2 = await create('b', 'b2')
        const cases: [Revision, string[]][] = [
          [a1, ['a=a1']],
          [b1, ['a=a1', 'b=b1']],
          [a2, ['a=a2', 'b=b1']],
          [gone, ['a=a2']],
          [b2, ['a=a2', 'b=b2']],
        ]
        for (const [revision, expected] of cases) {
          assert.deepEqual(await keys(revision), expected, `at ${revision}`)
          const limited = await store.range({ start: prefix, end, revision, limit: 1 })
          assert.deepEqual(
            [limited.count, limited.more, limited.revision],
            [expected.length, expected.length > 1, revision],
          )
          const { value } = await store.get(`${prefix}b`, { revision })
          const b = expected.find((line) => line.startsWith('b='))
          assert.equal(text(value?.value), b?.slice(2), `b at ${revision}`)
        }
      })

      it('shows a past revision as it was, however much was written since and while it is read', async () => {
        const names = Array.from({ length: 12 }, (_, at) => `k${String(at).padStart(2, '0')}`)
        const revisions = new Map<string, Revision>()
        for (const name of names.slice(0, 10)) revisions.set(name, await create(name, 'old'))
        const past = await store.currentRevision()
        const expected = names.slice(0, 10).map((name) => `${name}=old`)
        let wanted = 1600
        const write = async (name: string): Promise<void> => {
          while (wanted > 0) {
            const at = wanted--
            let known = revisions.get(name)
            if (known && at % 7 === 0) {
              written(await store.delete(prefix + name, known))
              known = undefined
            }
            const key = prefix + name
            const value = bytes(`new${at}`)
            revisions.set(name, written(await (known ? store.update(key, value, known) : store.create(key, value))))
          }
        }
        const writing = Promise.all(names.filter((_, at) => at % 2 === 0 || at > 9).map(write))
        for (let done = false; !done; ) {
          done = wanted <= 0
          await setImmediate()
          assert.deepEqual(await keys(past), expected)
          const page = await store.range({ start: `${prefix}k03`, end, revision: past, limit: 2 })
          assert.deepEqual(
            page.values.map(({ key }) => key.slice(prefix.length)),
            names.slice(3, 5),
          )
          assert.deepEqual([page.count, page.more], [7, true])
          assert.equal(text((await store.get(`${prefix}k04`, { revision: past })).value?.value), 'old')
          assert.equal((await store.get(`${prefix}k11`, { revision: past })).value, undefined)
        }
        await writing
        const now = await store.currentRevision()
        await store.compact(now)
        await rejectsWith('compacted', store.range({ start: prefix, end, revision: past }))
      })

      it('fails for a revision that has not happened', async () => {
        const revision = asRevision((await store.currentRevision()) + 1000)
        await rejectsWith('future-revision', store.range({ start: prefix, end, revision }))
        await rejectsWith('future-revision', store.get(`${prefix}a`, { revision }))
      })

      it('reads what was written before, and the revision of it', async () => {
        const revision = await create('a', 'one')
        assert.ok((await store.currentRevision()) >= revision)
        assert.ok((await store.range({ start: prefix, end })).revision >= revision)
      })
    })

    describe('compaction', () => {
      it('makes what was before unreadable, and keeps what is newer', async () => {
        const a1 = await create('a', 'a1')
        const a2 = written(await store.update(`${prefix}a`, bytes('a2'), a1))
        const gone = await create('gone', 'x')
        const deleted = written(await store.delete(`${prefix}gone`, gone))
        const a3 = written(await store.update(`${prefix}a`, bytes('a3'), a2))
        await store.compact(deleted)
        assert.equal(store.compactedRevision(), deleted)
        await rejectsWith('compacted', store.range({ start: prefix, end, revision: a2 }))
        await rejectsWith('compacted', store.get(`${prefix}a`, { revision: a1 }))
        assert.deepEqual(await keys(deleted), ['a=a2'])
        assert.deepEqual(await keys(a3), ['a=a3'])
        await store.compact(deleted)
        await store.compact(a1)
        await store.compact(a3)
        assert.deepEqual(await keys(), ['a=a3'])
        assert.deepEqual(await keys(a3), ['a=a3'])
      })

      it('refuses a revision that has not happened', async () => {
        await rejectsWith('future-revision', store.compact(asRevision((await store.currentRevision()) + 1000)))
      })

      it('ends a watch that begins below it', async () => {
        const first = await create('a', '1')
        const second = written(await store.update(`${prefix}a`, bytes('2'), first))
        await store.compact(second)
        const late = recordWatch(store, prefix, end, first)
        await eventually(() => late.ended !== undefined, 'the end')
        assert.equal(late.ended?.code, 'compacted')
        assert.equal(late.ended?.revision, second)
        assert.equal(late.events.length, 0)
        const just = recordWatch(store, prefix, end, second)
        await eventuallyEquals(() => just.events.length, 1, 'the event at the revision of compaction')
        just.close()
      })

      it('expires what a cache over it still has: a watch from before answers 410', async () => {
        const feed = createFeed({ store, clock: systemClock, log: silentLogger, metrics: silentMetrics }, { prefix })
        const cache = feed.attach({ ...resourceOptions(), prefix: `${prefix}pods/` })
        await feed.start()
        try {
          const first = written(await store.create(`${prefix}pods/a/one`, encodeObject({})))
          const second = written(await store.create(`${prefix}pods/a/two`, encodeObject({})))
          const watch = async (revision: number): Promise<CacheWatchEvent[]> => {
            const seen: CacheWatchEvent[] = []
            const sink = { onEvents: (events: readonly CacheWatchEvent[]) => seen.push(...events) > 0, onEnd() {} }
            const range = { start: `${prefix}pods/`, end: prefixEnd(`${prefix}pods/`) }
            await cache.list({ ...range, at: { kind: 'latest' } })
            await cache.watch({ ...range, from: { kind: 'after', revision: asRevision(revision) } }, sink)
            await eventually(() => seen.length > 0, 'an event')
            return seen
          }
          await store.compact(second)
          assert.deepEqual(
            (await watch(first - 1)).map(({ type, error }) => [type, error?.code]),
            [['ERROR', 410]],
          )
          assert.deepEqual(
            (await watch(first)).map(({ type, revision }) => [type, revision]),
            [['ADDED', second]],
          )
        } finally {
          await feed.close()
        }
      })

      it('leaves a watch that is current alone', async () => {
        const first = await create('a', '1')
        const record = recordWatch(store, prefix, end, first)
        await eventuallyEquals(() => record.events.length, 1, 'the first event')
        const second = written(await store.update(`${prefix}a`, bytes('2'), first))
        await store.compact(second)
        await create('b', '1')
        await eventuallyEquals(() => record.events.length, 3, 'the events after the compaction')
        assert.equal(record.ended, undefined)
        record.close()
      })
    })

    describe('watches', () => {
      it('report puts and deletions with their revisions', async () => {
        const record = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        const a1 = await create('a', 'a1')
        const a2 = written(await store.update(`${prefix}a`, bytes('a2'), a1))
        const gone = written(await store.delete(`${prefix}a`, a2))
        await eventuallyEquals(() => record.events.length, 3, 'three events')
        assert.deepEqual(
          record.events.map(({ type, key, value, createRevision, revision }) => ({
            type,
            key,
            value: text(value),
            createRevision,
            revision,
          })),
          [
            { type: 'put', key: `${prefix}a`, value: 'a1', createRevision: a1, revision: a1 },
            { type: 'put', key: `${prefix}a`, value: 'a2', createRevision: a1, revision: a2 },
            { type: 'delete', key: `${prefix}a`, value: '', createRevision: 0, revision: gone },
          ],
        )
        record.close()
      })

      it('begin in the past, inclusive, and go on with the present', async () => {
        await create('a', '1')
        const from = await create('b', '2')
        await create('c', '3')
        const record = recordWatch(store, prefix, end, from)
        await create('d', '4')
        await eventuallyEquals(() => record.events.length, 3, 'past and present')
        assert.deepEqual(
          record.events.map(({ key }) => key.slice(prefix.length)),
          ['b', 'c', 'd'],
        )
        record.close()
      })

      it('begin now when no revision is named', async () => {
        await create('a', '1')
        const record = recordWatch(store, prefix, end, 0)
        await eventually(() => {
          record.watch.requestProgress()
          return record.progress.length > 0
        }, 'the beginning')
        await create('b', '2')
        await eventually(() => record.events.length > 0, 'an event')
        assert.equal(record.events[0]?.key, `${prefix}b`)
        record.close()
      })

      it('wait for a revision in the future', async () => {
        const from = (await store.currentRevision()) + 3
        const record = recordWatch(store, prefix, end, from)
        const earlier = recordWatch(store, prefix, end, asRevision(from - 2))
        await create('a', 'v')
        await eventuallyEquals(() => earlier.events.length, 1, 'the event before')
        assert.deepEqual(record.events, [])
        for (const key of ['b', 'c', 'd']) await create(key, 'v')
        await eventuallyEquals(() => record.events.length, 2, 'two events')
        assert.deepEqual(
          record.events.map(({ revision }) => revision),
          [from, from + 1],
        )
        record.close()
        earlier.close()
      })

      it('keep to their range', async () => {
        const record = recordWatch(store, `${prefix}b/`, prefixEnd(`${prefix}b/`), (await store.currentRevision()) + 1)
        for (const key of ['a', 'b', 'b/1', 'b0', 'b/2', 'c']) await create(key, 'v')
        await eventuallyEquals(() => record.events.length, 2, 'two events')
        assert.deepEqual(
          record.events.map(({ key }) => key.slice(prefix.length)),
          ['b/1', 'b/2'],
        )
        record.close()
      })

      it('deliver each of many concurrent writes once and in order', async function () {
        this.timeout(120_000)
        const from = (await store.currentRevision()) + 1
        const early = recordWatch(store, prefix, end, from)
        const revisions: Revision[] = []
        let late: ReturnType<typeof recordWatch> | undefined
        await Promise.all(
          Array.from({ length: 8 }, async (_, worker) => {
            let last: Revision | undefined
            for (let i = 0; i < 100; i++) {
              const key = `${prefix}${worker}`
              const result = last
                ? await store.update(key, bytes(`${i}`), last)
                : await store.create(key, bytes(`${i}`))
              last = written(result)
              revisions.push(last)
              if (revisions.length === 400) late = recordWatch(store, prefix, end, from)
            }
          }),
        )
        revisions.sort((a, b) => a - b)
        for (const record of [early, late]) {
          await eventually(() => (record?.events.length ?? 0) >= revisions.length, 'all events')
          assert.deepEqual(
            record?.events.map(({ revision }) => revision),
            revisions,
          )
          record?.close()
        }
        assert.equal(new Set(revisions).size, 800)
      })

      it('report progress when asked, up to which everything was delivered', async () => {
        const record = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        const revision = await create('a', '1')
        await eventually(() => {
          record.watch.requestProgress()
          return record.progress.some((seen) => seen >= revision)
        }, 'progress')
        assert.deepEqual(
          record.events.map((event) => event.revision),
          [revision],
        )
        assert.deepEqual(
          record.progress.toSorted((a, b) => a - b),
          record.progress,
        )
        record.close()
      })

      it('end once when they are closed, and say nothing more', async () => {
        const record = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        await create('a', '1')
        await eventuallyEquals(() => record.events.length, 1, 'an event')
        record.close()
        record.close()
        assert.equal(record.ended?.code, 'closed')
        const other = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        await create('b', '1')
        await eventuallyEquals(() => other.events.length, 1, 'the event at a watch that is open')
        other.close()
        assert.equal(record.events.length, 1)
        assert.equal(record.watch.requestProgress(), false)
      })

      it('serve many at a time', async () => {
        const from = (await store.currentRevision()) + 1
        const records = Array.from({ length: 50 }, () => recordWatch(store, prefix, end, from))
        for (let i = 0; i < 20; i++) await create(`k${i}`, 'v')
        for (const record of records) {
          await eventuallyEquals(() => record.events.length, 20, 'all events')
          record.close()
        }
      })
    })

    describe('sizes', () => {
      it('takes values of 1 MiB, and delivers them whole', async () => {
        const value = Buffer.alloc(1024 * 1024, 'abcdefg')
        const record = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        for (const key of ['a', 'b', 'c']) written(await store.create(prefix + key, value))
        await eventuallyEquals(() => record.events.length, 3, 'three events')
        for (const event of record.events) assert.equal(Buffer.compare(event.value, value), 0)
        const { values } = await store.range({ start: prefix, end })
        assert.equal(values.length, 3)
        for (const one of values) assert.equal(Buffer.compare(one.value, value), 0)
        // A watch that begins in the past gets them in one reply, which etcd cuts into fragments.
        const late = recordWatch(store, prefix, end, values[0]?.modRevision ?? 0)
        await eventuallyEquals(() => late.events.length, 3, 'three events of the past')
        for (const event of late.events) assert.equal(Buffer.compare(event.value, value), 0)
        late.close()
        record.close()
      })

      it('refuses values that are too large', async () => {
        for (const size of [1_600_000, 3_000_000])
          await rejectsWith('too-large', store.create(`${prefix}a`, Buffer.alloc(size)))
        assert.deepEqual(await keys(), [])
        await create('a', 'still works')
      })

      it('answers large ranges, whose values share blocks of a mebibyte at most', async function () {
        this.timeout(120_000)
        const value = Buffer.alloc(4000, 'v')
        const count = 3000
        await Promise.all(
          Array.from({ length: count }, async (_, i) =>
            written(await store.create(`${prefix}${String(i).padStart(5, '0')}`, value)),
          ),
        )
        const result = await store.range({ start: prefix, end })
        assert.equal(result.count, count)
        const memory = new Set<ArrayBufferLike>()
        for (const [index, one] of result.values.entries()) {
          assert.equal(one.key, `${prefix}${String(index).padStart(5, '0')}`)
          assert.equal(Buffer.compare(one.value, value), 0)
          assert.ok(one.value.buffer.byteLength <= 1024 * 1024, 'a value retains too much other memory')
          memory.add(one.value.buffer)
        }
        const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)
        assert.ok(bytes <= count * (4000 + 512), `${count} values retain ${bytes} bytes`)
      })
    })

    describe('time to live', () => {
      it('deletes a key after its time, with an event, but not one that was written again', async function () {
        const { seconds, waitMs } = subject.ttl
        this.timeout(waitMs + 10_000)
        const record = recordWatch(store, prefix, end, (await store.currentRevision()) + 1)
        const dies = written(await store.create(`${prefix}dies`, bytes('x'), { ttlSeconds: seconds }))
        const stays = written(await store.create(`${prefix}stays`, bytes('x'), { ttlSeconds: seconds }))
        written(await store.update(`${prefix}stays`, bytes('y'), stays))
        assert.deepEqual(await keys(), ['dies=x', 'stays=y'])
        await eventuallyEquals(() => record.events.length, 4, 'the deletion', waitMs)
        const deletion = record.events[3]
        assert.deepEqual([deletion?.type, deletion?.key], ['delete', `${prefix}dies`])
        assert.ok((deletion?.revision ?? 0) > dies)
        assert.deepEqual(await keys(), ['stays=y'])
        record.close()
      })
    })

    describe('signals and close', () => {
      it('does nothing for a caller that has given up', async () => {
        const signal = AbortSignal.abort()
        await rejectsWith('aborted', store.get(`${prefix}a`, { signal }))
        await rejectsWith('aborted', store.range({ start: prefix, end, signal }))
        await rejectsWith('aborted', store.create(`${prefix}a`, bytes('x'), { signal }))
        await rejectsWith('aborted', store.currentRevision({ signal }))
        assert.deepEqual(await keys(), [])
      })

      it('answers ping and its size', async () => {
        await store.ping({ timeoutMs: 5000 })
        const members = await store.members()
        assert.ok(members.some(({ isLeader }) => isLeader))
        for (const { endpoint, bytes: size } of members) assert.ok(endpoint !== '' && size !== undefined && size > 0)
      })

      it('ends watches and rejects calls once closed', async () => {
        const other = await subject.open()
        written(await other.create(`${prefix}a`, bytes('x')))
        const record = recordWatch(other, prefix, end, 1)
        await other.close()
        await other.close()
        assert.ok(record.ended?.code === 'closed' || record.ended?.code === 'compacted')
        await rejectsWith('closed', other.get(`${prefix}a`))
        await rejectsWith('closed', other.range({ start: prefix, end }))
        await rejectsWith('closed', other.create(`${prefix}b`, bytes('x')))
        await rejectsWith('closed', other.currentRevision())
      })
    })
  })
}
