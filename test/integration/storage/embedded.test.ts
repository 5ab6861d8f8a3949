import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock, silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { createEmbeddedStore, openEmbeddedReader, type Store, StoreError } from '../../../lib/storage/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runProgram } from '../../support/program.ts'
import { recordWatch } from '../../support/watchrecord.ts'

interface Line {
  key?: string
  revision?: number
  error?: string
  message?: string
}

interface Writer {
  child: ChildProcess
  lines: Line[]
  ended: Promise<void>
}

const script = join(import.meta.dirname, 'writer.ts')
const dependencies = { clock: systemClock, log: silentLogger, random: systemRandom }

describe('embedded store, as processes', function () {
  this.timeout(120_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pilothouse-embedded-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const open = (): Promise<Store> => createEmbeddedStore(dependencies, { directory: folder })

  function startWriter(lanes: number, bytes: number, shell?: string): Writer {
    const command = [process.execPath, script, folder, String(lanes), String(bytes)]
    const child = shell ? spawn('bash', ['-c', shell, 'bash', ...command]) : spawn(process.execPath, command.slice(1))
    const lines: Line[] = []
    let rest = ''
    child.stdout.on('data', (chunk) => {
      const parts = (rest + String(chunk)).split('\n')
      rest = parts.pop() ?? ''
      for (const part of parts) lines.push(JSON.parse(part) as Line)
    })
    child.stderr.resume()
    return { child, lines, ended: new Promise((resolve) => child.once('close', () => resolve())) }
  }

  it('loses no answered write when it is killed while writing, repeatedly', async () => {
    let newest = 0
    for (let round = 0; round < 3; round++) {
      const writer = startWriter(16, 1000)
      await eventually(() => writer.lines.length > 300 * (round + 1), 'writes')
      writer.child.kill('SIGKILL')
      await writer.ended
      const store = await open()
      const current = await store.currentRevision()
      for (const { key = '', revision = 0 } of writer.lines) {
        const { value } = await store.get(key)
        assert.equal(value?.modRevision, revision, key)
        assert.ok(revision > newest && revision <= current)
      }
      newest = current
      // The log holds every revision once, in order.
      const record = recordWatch(store, '/w/', '/w0', 2)
      await eventuallyEquals(() => record.events.at(-1)?.revision, current, 'the whole log')
      assert.deepEqual(
        record.events.map(({ revision }) => revision),
        Array.from({ length: current - 1 }, (_, i) => i + 2),
      )
      record.close()
      await store.close()
    }
  })

  it('refuses a folder that another process has open, and names that process', async () => {
    const writer = startWriter(1, 10)
    await eventually(() => writer.lines.length > 0, 'the writer')
    await assert.rejects(open(), (error: unknown) => {
      assert.ok(error instanceof StoreError)
      assert.match(error.message, new RegExp(`in use by process ${writer.child.pid}; only one`))
      return true
    })
    // The refused one did the other no harm.
    const before = writer.lines.length
    await eventually(() => writer.lines.length > before + 5, 'more writes')
    writer.child.kill('SIGKILL')
    await writer.ended
    await (await open()).close()
  })

  it('refuses a folder that this process has open already', async () => {
    const store = await open()
    await assert.rejects(open(), /in use by this process/)
    const result = await store.create('/a', Buffer.from('x'))
    assert.ok(result.ok)
    await store.close()
    await (await open()).close()
  })

  // A page of the system has 64 KiB at most; the file begins with two of the database's own.
  const damages: readonly [how: string, message: RegExp, damage: (file: string) => void][] = [
    ['whose beginning is overwritten', /no database/, (file) => overwrite(file, 0, 100)],
    ['whose second page is overwritten', /no database/, (file) => overwrite(file, 1000, 66_000)],
    ['that is cut off behind its beginning', /its end is missing/, (file) => truncateSync(file, 131_072)],
    ['that is cut off within its beginning', /no database/, (file) => truncateSync(file, 100)],
    ['that is empty, and was not', /it is empty/, (file) => truncateSync(file, 0)],
  ]
  function overwrite(path: string, position: number, bytes: number): void {
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, position)
    closeSync(file)
  }
  /** Numbers of pages that no file has, in place of each page that has the text. */
  function overwritePagesWith(path: string, text: string): void {
    const content = readFileSync(path)
    const pageBytes = content.readUInt32LE(48)
    for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
      const start = at - (at % pageBytes)
      content.fill(0xff, start, start + pageBytes)
    }
    writeFileSync(path, content)
  }
  for (const [how, message, damage] of damages)
    it(`refuses a data file ${how}`, async () => {
      const store = await open()
      for (let at = 0; at < 300; at++) await store.create(`/k${at}`, Buffer.alloc(1000))
      await store.close()
      damage(join(folder, 'data.mdb'))
      await assert.rejects(open(), (error: unknown) => {
        assert.ok(error instanceof StoreError)
        assert.match(error.message, /data\.mdb is damaged \(.*\): restore it from a copy$/)
        assert.match(error.message, message)
        return true
      })
    })

  it('treats an empty data file as new where nothing was written', async () => {
    writeFileSync(join(folder, 'data.mdb'), '')
    const store = await open()
    assert.equal(await store.currentRevision(), 1)
    await store.close()
  })

  it('reports damage in the middle of the file once, and refuses what it touches and no more', async () => {
    const store = await open()
    for (let at = 0; at < 300; at++) await store.create(`/k${at}`, Buffer.alloc(500, at === 150 ? 'needle' : 'hay'))
    const first = (await store.get('/k0')).value
    await store.close()
    overwritePagesWith(join(folder, 'data.mdb'), 'needleneedle')

    const told: StoreError[] = []
    const damaged = await createEmbeddedStore(
      { ...dependencies, onDamage: (error) => void told.push(error) },
      { directory: folder },
    )
    try {
      const isRefusal = (error: unknown): boolean => {
        assert.ok(error instanceof StoreError)
        assert.equal(error.code, 'internal')
        assert.match(error.message, /\/data\.mdb is damaged \(.*\): restore it from a copy$/)
        return true
      }
      assert.deepEqual((await damaged.get('/k0')).value, first)
      assert.equal(told.length, 0)
      await assert.rejects(damaged.get('/k150'), isRefusal)
      assert.deepEqual((await damaged.get('/k0')).value, first)
      await assert.rejects(damaged.range({ start: '/k', end: '/l' }), isRefusal)
      const watch = recordWatch(damaged, '/k', '/l', 1)
      await eventually(() => watch.ended !== undefined, 'the end of the watch')
      isRefusal(watch.ended)
      await damaged.create('/k1/new', Buffer.alloc(1))
      assert.equal(told.length, 1)
      isRefusal(told[0])
    } finally {
      await damaged.close()
    }
  })

  it('refuses a list that a damaged page of the index would cut short, and answers one that it does not touch', async () => {
    const store = await open()
    for (let at = 0; at < 600; at++)
      await store.create(`/k${String(at).padStart(6, '0')}${'y'.repeat(40)}`, Buffer.from('note'))
    await store.close()
    const content = readFileSync(join(folder, 'data.mdb'))
    const pageBytes = content.readUInt32LE(48)
    for (let start = pageBytes * 2; start < content.length; start += pageBytes) {
      const page = content.subarray(start, start + pageBytes)
      // Pages of the index have keys and no values.
      if (page.includes('/k000400') && !page.includes('note')) page.fill(0xff)
    }
    writeFileSync(join(folder, 'data.mdb'), content)
    const damaged = await open()
    try {
      await assert.rejects(damaged.range({ start: '/k', end: '/l' }), /data\.mdb is damaged/)
      assert.equal((await damaged.range({ start: '/k0000', end: '/k0001', keysOnly: true })).values.length, 100)
    } finally {
      await damaged.close()
    }
    const reader = await openEmbeddedReader(folder)
    const snapshot = reader.snapshot()
    try {
      assert.throws(() => snapshot.page('/k', { entries: 1000, bytes: 1e6, keysOnly: true }), /data\.mdb is damaged/)
    } finally {
      snapshot.close()
      await reader.close()
    }
  })

  it('ends a server with exit code 1 and one line when the middle of the file is damaged', async () => {
    const store = await open()
    const value = Buffer.alloc(500, 'needle')
    for (let at = 0; at < 100; at++) await store.create(`/registry/configmaps/default/c${at}`, value)
    await store.close()
    overwritePagesWith(join(folder, 'data.mdb'), 'needleneedle')
    const flags = [
      '--storage-backend=embedded',
      `--data-dir=${folder}`,
      '--secure-port=16443',
      '--bind-address=127.0.0.1',
    ]
    const certificates = `--cert-dir=${join(folder, 'certificates')}`
    const { code, stderr } = await runProgram('cmd/apiserver/main.ts', [...flags, certificates])
    assert.equal(code, 1, stderr)
    const lines = stderr.split('\n').filter((line) => line.includes('damaged'))
    assert.equal(lines.length, 1, stderr)
    assert.match(lines[0] ?? '', /^E.*the data file .*\/data\.mdb is damaged \(.*\): restore it from a copy"$/)
  })

  it('raises its revision during writes, each of which keeps its own revision, also when it is reopened', async () => {
    const store = await createEmbeddedStore(dependencies, { directory: folder, compactionIntervalMs: 0 })
    const seen: number[] = []
    const range = { start: '', end: '\u{10ffff}', fromRevision: asRevision(2) }
    const sink = { onProgress: () => undefined, onEnd: () => undefined }
    store.watch(range, { ...sink, onEvents: (events) => void seen.push(...events.map(({ revision }) => revision)) })
    const key = (at: number): Promise<{ revision: number }> => store.create(`/k${at}`, Buffer.from('x'))
    const before = Array.from({ length: 50 }, (_, at) => key(at))
    const raised = store.raiseRevision(asRevision(1_000_000))
    const after = Array.from({ length: 50 }, (_, at) => key(50 + at))
    await raised
    const revisions = (await Promise.all([...before, ...after])).map(({ revision }) => revision)
    assert.deepEqual(
      revisions.slice(0, 50),
      Array.from({ length: 50 }, (_, at) => 2 + at),
    )
    assert.equal(new Set(revisions).size, 100)
    assert.ok((await key(100)).revision > 1_000_000)
    await store.raiseRevision(asRevision(5))
    await eventuallyEquals(() => seen.length, 102, 'every write and the raised revision are seen once')
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    )
    const newest = await store.currentRevision()
    await store.close()
    const again = await open()
    assert.equal(await again.currentRevision(), newest)
    assert.equal((await again.range({ start: '/', end: '0', revision: asRevision(999_999) })).count <= 100, true)
    await again.compact(newest)
    assert.equal((await again.range({ start: '/', end: '0' })).count, 101)
    await again.close()
  })

  it('keeps revisions, history and times to live when it is reopened', async () => {
    const clock = { ...createFakeClock(1_000_000), soon: systemClock.soon, turn: systemClock.turn }
    const reopen = (): Promise<Store> => createEmbeddedStore({ ...dependencies, clock }, { directory: folder })
    let store = await reopen()
    const first = await store.create('/a', Buffer.from('1'))
    const second = await store.update('/a', Buffer.from('2'), first.revision)
    await store.create('/mortal', Buffer.from('x'), { ttlSeconds: 60 })
    await store.create('/longer', Buffer.from('x'), { ttlSeconds: 3600 })
    const revision = await store.currentRevision()
    await store.close()

    clock.advance(120_000)
    store = await reopen()
    assert.equal(await store.currentRevision(), revision)
    const past = await store.get('/a', { revision: first.revision })
    assert.equal(Buffer.from(past.value?.value ?? []).toString(), '1')
    const record = recordWatch(store, '/', '0', 2)
    await eventuallyEquals(() => record.events.length, 4, 'history')
    clock.advance(1000)
    await eventuallyEquals(() => record.events.length, 5, 'the deletion that fell due meanwhile')
    assert.deepEqual([record.events[4]?.type, record.events[4]?.key], ['delete', '/mortal'])
    const third = await store.update('/a', Buffer.from('3'), second.revision)
    assert.equal(third.revision, revision + 2)
    record.close()
    await store.close()
  })

  it('forgets history after an interval', async () => {
    const clock = { ...createFakeClock(1_000_000), soon: systemClock.soon, turn: systemClock.turn }
    const store = await createEmbeddedStore(
      { ...dependencies, clock },
      { directory: folder, compactionIntervalMs: 1000 },
    )
    let last = (await store.create('/a', Buffer.from('0'))).revision
    const early = last
    for (let i = 1; i <= 20; i++) last = (await store.update('/a', Buffer.from(`${i}`), last)).revision
    clock.advance(1000)
    const deleted = await store.create('/later', Buffer.from('x'))
    clock.advance(1000)
    const isCompacted = async (): Promise<boolean> =>
      await store.get('/a', { revision: early }).then(
        () => false,
        (error: unknown) => error instanceof StoreError && error.code === 'compacted',
      )
    await eventually(isCompacted, 'the compaction')
    const kept = await store.get('/a', { revision: last })
    assert.equal(Buffer.from(kept.value?.value ?? []).toString(), '20')
    assert.equal((await store.get('/later', { revision: deleted.revision })).value?.modRevision, deleted.revision)
    await store.close()
  })

  it('reuses the space of compacted history for new writes', async () => {
    const store = await open()
    const value = Buffer.alloc(100_000, 'x')
    let last = (await store.create('/a', value)).revision
    const sizes: number[] = []
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 60; i++) last = (await store.update('/a', value, last)).revision
      await store.compact(asRevision(last))
      sizes.push((await store.members())[0]?.bytes ?? 0)
    }
    await store.close()
    assert.ok((sizes[3] ?? 0) < (sizes[0] ?? 0) * 2, `sizes: ${sizes}`)
  })

  it('feeds a watch that catches up some MB at a time', async () => {
    const store = await open()
    const value = Buffer.alloc(1_000_000, 'x')
    for (let i = 0; i < 12; i++) await store.create(`/${i}`, value)
    const batches: number[] = []
    const watch = store.watch(
      { start: '/', end: '0', fromRevision: asRevision(1) },
      { onEvents: (events) => batches.push(events.length), onProgress() {}, onEnd() {} },
    )
    await eventuallyEquals(() => batches.reduce((sum, size) => sum + size, 0), 12, 'all events')
    assert.ok(Math.max(...batches) <= 5, `batches: ${batches}`)
    watch.close()
    await store.close()
  })

  it('answers no-space when the disk is full and keeps serving all answered writes', async () => {
    const writer = startWriter(8, 20_000, 'ulimit -f 3000; exec "$@"')
    await writer.ended
    assert.equal(writer.child.exitCode, 0)
    const failures = writer.lines.filter(({ error }) => error !== undefined)
    assert.equal(failures.length, 16)
    for (const failure of failures) assert.equal(failure.error, 'no-space', JSON.stringify(failure))
    const store = await open()
    for (const { key, revision } of writer.lines)
      if (key) assert.equal((await store.get(key)).value?.modRevision, revision)
    const result = await store.create('/room-again', Buffer.alloc(20_000))
    assert.ok(result.ok)
    await store.close()
  })
})
