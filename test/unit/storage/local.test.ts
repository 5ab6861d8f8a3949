import assert from 'node:assert/strict'
import { createFakeClock, silentLogger, systemClock } from '../../../lib/base/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { type Store, StoreError, type WriteResult } from '../../../lib/storage/index.ts'
import { LocalStore } from '../../../lib/storage/local/store.ts'
import type { LogRecord, Tables } from '../../../lib/storage/local/tables.ts'
import { createMemoryTables } from '../../../lib/storage/memory/tables.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { turns } from '../../support/turns.ts'
import { recordWatch } from '../../support/watchrecord.ts'

const dependencies = { clock: systemClock, log: silentLogger }

function open(tables: Tables): Store {
  return new LocalStore('memory', dependencies, tables, { compactionIntervalMs: 0 })
}

function settled(work: Promise<WriteResult>): Promise<string> {
  return work.then(
    (result) => (result.ok ? 'ok' : `refused ${result.current?.modRevision}`),
    (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
  )
}

describe('local store', () => {
  it('gives the writes of one commit their own revisions, each seeing those before it', async () => {
    const tables = createMemoryTables()
    const commits: (readonly LogRecord[])[] = []
    const store = open({ ...tables, append: (records) => (commits.push(records), tables.append(records)) })
    const outcomes = await Promise.all([
      settled(store.create('/a', Buffer.from('1'))),
      settled(store.create('/a', Buffer.from('2'))),
      settled(store.update('/a', Buffer.from('3'), asRevision(2))),
      settled(store.delete('/a', asRevision(3))),
      settled(store.create('/a', Buffer.from('4'))),
      settled(store.update('/a', Buffer.from('5'), asRevision(3))),
    ])
    assert.deepEqual(outcomes, ['ok', 'refused 2', 'ok', 'ok', 'ok', 'refused 5'])
    assert.deepEqual(
      commits.map((records) => records.map(({ type, revision, previous }) => [type, revision, previous])),
      [
        [
          ['put', 2, 0],
          ['put', 3, 2],
          ['delete', 4, 3],
          ['put', 5, 0],
        ],
      ],
    )
    await store.close()
  })

  it('changes nothing when a commit fails, rejects all of it, and accepts further writes', async () => {
    const tables = createMemoryTables()
    let full = true
    const append = async (records: readonly LogRecord[]): Promise<void> => {
      if (full) throw new StoreError('no-space', 'full')
      await tables.append(records)
    }
    const store = open({ ...tables, append })
    const record = recordWatch(store, '/', '0', 1)
    const outcomes = await Promise.all([
      settled(store.create('/a', Buffer.from('1'))),
      // Refused on account of a creation that didn't happen.
      settled(store.create('/a', Buffer.from('2'))),
    ])
    assert.deepEqual(outcomes, ['no-space', 'no-space'])
    assert.equal((await store.get('/a')).value, undefined)
    full = false
    assert.equal(await settled(store.create('/a', Buffer.from('3'))), 'ok')
    assert.equal((await store.get('/a')).value?.modRevision, 2)
    assert.equal(record.events.length, 1)
    await store.close()
  })

  it('refuses writes while too many wait', async () => {
    const tables = createMemoryTables()
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const append = async (records: readonly LogRecord[]): Promise<void> => {
      begun.resolve()
      await gate.promise
      await tables.append(records)
    }
    const store = open({ ...tables, append })
    const first = store.create('/first', Buffer.from('x'))
    await begun.promise
    const value = Buffer.from('x')
    const waiting = Array.from({ length: 100_000 }, (_, i) => store.create(`/${i}`, value))
    assert.equal(await settled(store.create('/more', value)), 'unavailable')
    gate.resolve()
    assert.ok((await first).ok)
    await Promise.all(waiting)
    assert.equal(await store.currentRevision(), 100_002)
    await store.close()
  })

  it('drops a queued write whose caller gave up', async () => {
    const store = open(createMemoryTables())
    const controller = new AbortController()
    const dropped = settled(store.create('/a', Buffer.from('1'), { signal: controller.signal }))
    controller.abort()
    assert.equal(await dropped, 'aborted')
    assert.equal((await store.get('/a')).value, undefined)
    await store.close()
  })

  it('removes after a restart the records that a cut-short compaction left', async () => {
    const tables = createMemoryTables()
    const before = open(tables)
    let { revision } = await before.create('/a', Buffer.from('0'))
    for (let i = 0; i < 2500; i++) ({ revision } = await before.update('/a', Buffer.from(`${i}`), revision))
    const gone = await before.create('/gone', Buffer.from('x'))
    const deleted = await before.delete('/gone', gone.revision)
    const last = await before.update('/a', Buffer.from('last'), revision)
    // As far as a process came that was killed: history is closed, but still there.
    await tables.setCompacted(last.revision)
    await before.close()

    const after = open(tables)
    await eventuallyEquals(() => tables.swept(), last.revision, 'the sweep')
    assert.deepEqual(
      tables.records(asRevision(1), 10).map((record) => record.revision),
      [last.revision],
    )
    assert.throws(() => tables.record(deleted.revision), /is missing/)
    assert.equal(Buffer.from((await after.get('/a')).value?.value ?? []).toString(), 'last')
    await after.close()
  })

  it('serves all the same where the remains of a compaction can not be removed, as on a full disk', async () => {
    const tables = createMemoryTables()
    const before = open(tables)
    const first = await before.create('/a', Buffer.from('0'))
    const last = await before.update('/a', Buffer.from('1'), first.revision)
    await tables.setCompacted(last.revision)
    await before.close()

    const full: Tables = { ...tables, sweep: () => Promise.reject(new StoreError('no-space', 'the disk is full')) }
    const warnings: string[] = []
    const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) }
    const after = new LocalStore('memory', { ...dependencies, log }, full, { compactionIntervalMs: 0 })
    await eventually(() => warnings.length > 0, 'the warning')
    assert.deepEqual(warnings, ['storage: compaction failed'])
    assert.equal((await after.get('/a')).value?.modRevision, last.revision)
    await after.close()
  })

  it('compacts once at a time, never back, and is closed only when that has ended', async () => {
    const tables = createMemoryTables()
    const done: string[] = []
    const store = open({
      ...tables,
      async setCompacted(revision) {
        await new Promise(setImmediate)
        await tables.setCompacted(revision)
        done.push(`compacted ${revision}`)
      },
      async sweep(removed, swept) {
        await new Promise(setImmediate)
        await tables.sweep(removed, swept)
        done.push(`swept ${swept}`)
      },
      async close() {
        done.push('closed')
      },
    })
    let { revision } = await store.create('/a', Buffer.from('0'))
    for (let i = 0; i < 6; i++) ({ revision } = await store.update('/a', Buffer.from(`${i}`), revision))
    await Promise.all([6, 4].map((to) => store.compact(asRevision(to))))
    const last = store.compact(asRevision(7))
    await new Promise(setImmediate)
    await store.close()
    await last
    assert.deepEqual(done, ['compacted 6', 'swept 6', 'compacted 7', 'closed'])
  })

  it('waits for the writes of all I/O at hand where a commit is costly', async () => {
    const tables = createMemoryTables()
    const sizes: number[] = []
    const counted = {
      ...tables,
      append: async (records: Parameters<typeof tables.append>[0]) => {
        sizes.push(records.length)
        await tables.append(records)
      },
    }
    const store = new LocalStore('memory', dependencies, counted, { compactionIntervalMs: 0, isCostly: true })
    const writes = [store.create('/a', Buffer.from('x'))]
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
    writes.push(store.create('/b', Buffer.from('x')))
    await Promise.all(writes)
    assert.deepEqual(sizes, [2])
    await store.close()
  })

  it('lets a watch that is far behind pause for others, and joins it to the present', async () => {
    const clock = createFakeClock()
    const store = new LocalStore('memory', { clock, log: silentLogger }, createMemoryTables(), {
      compactionIntervalMs: 0,
    })
    for (let i = 0; i < 1200; i++) await store.create(`/${i}`, Buffer.from('x'))
    const record = recordWatch(store, '/', '0', 2)
    assert.equal(record.events.length, 0)
    await Promise.resolve()
    assert.equal(record.events.length, 500)
    await store.create('/meanwhile', Buffer.from('x'))
    record.watch.requestProgress()
    await Promise.resolve()
    assert.deepEqual([record.events.length, record.progress.length], [500, 0])
    clock.advance(0)
    assert.equal(record.events.length, 1201)
    assert.deepEqual(record.progress, [1202])
    await store.create('/live', Buffer.from('x'))
    assert.deepEqual(
      record.events.map(({ revision }) => revision),
      Array.from({ length: 1202 }, (_, i) => i + 2),
    )
    await store.close()
  })

  it('reads a past revision with pauses for others, and the log only once', async () => {
    const clock = createFakeClock()
    const tables = createMemoryTables()
    let read = 0
    const counted: Tables = {
      ...tables,
      recordHeaders(from, limit) {
        const headers = tables.recordHeaders(from, limit)
        read += headers.length
        return headers
      },
    }
    const store = new LocalStore('memory', { clock, log: silentLogger }, counted, { compactionIntervalMs: 0 })
    const first = await store.create('/a', Buffer.from('x'))
    for (let i = 0; i < 1200; i++) await store.create(`/b${i}`, Buffer.from('x'))
    const past = { start: '/', end: '0', revision: first.revision }
    const reading = store.range(past)
    assert.equal(read, 500)
    clock.advance(0)
    assert.equal(read, 500)
    await Promise.resolve()
    await store.create('/c', Buffer.from('x'))
    clock.advance(0)
    const { values, count } = await reading
    assert.deepEqual([values.map(({ key }) => key), count, read], [['/a'], 1, 1201])
    await store.create('/d', Buffer.from('x'))
    assert.equal((await store.range(past)).count, 1)
    assert.equal(read, 1202)
    await store.close()
  })

  for (const [what, code, meanwhile] of [
    ['its caller gives up', 'aborted', async (_store, abort) => abort()],
    ['the store is closed', 'closed', (store) => store.close()],
    ['the revision is compacted', 'compacted', async (store) => await store.compact(await store.currentRevision())],
  ] satisfies [string, string, (store: Store, abort: () => void) => Promise<void>][])
    it(`a read of the past ends when ${what} in a pause`, async () => {
      const clock = createFakeClock()
      const controller = new AbortController()
      const store = new LocalStore('memory', { clock, log: silentLogger }, createMemoryTables(), {
        compactionIntervalMs: 0,
      })
      const { revision } = await store.create('/a', Buffer.from('x'))
      for (let i = 0; i < 600; i++) await store.create(`/b${i}`, Buffer.from('x'))
      const reading = store.range({ start: '/', end: '0', revision, signal: controller.signal })
      const outcome = reading.then(
        () => 'read',
        (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
      )
      await meanwhile(store, () => controller.abort())
      clock.advance(0)
      assert.equal(await outcome, code)
      await store.close()
    })

  it('keeps a key whose time to live was renewed while its deletion was due', async () => {
    const clock = createFakeClock()
    const store = new LocalStore('memory', { clock, log: silentLogger }, createMemoryTables(), {
      compactionIntervalMs: 0,
    })
    const { revision } = await store.create('/a', Buffer.from('1'), { ttlSeconds: 10 })
    clock.advance(9900)
    const renewed = await store.update('/a', Buffer.from('2'), revision, { ttlSeconds: 10 })
    clock.advance(5000)
    await turns()
    assert.equal((await store.get('/a')).value?.modRevision, renewed.revision)
    clock.advance(6000)
    await eventually(async () => (await store.get('/a')).value === undefined, 'its end')
    await store.close()
  })
})
