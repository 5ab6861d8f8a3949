import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemRandom } from '../../../lib/base/index.ts'
import { asRevision } from '../../../lib/object/index.ts'
import { parseDataEncryptionKeys, type StoreError } from '../../../lib/storage/index.ts'
import {
  createEmbeddedTarget,
  createEtcdTarget,
  openEtcdReader,
  openSnapshot,
  restoreSnapshot,
  type StoredEntry,
  type StoreReader,
  StoreToolError,
  writeNativeSnapshot,
  writeSnapshot,
} from '../../../lib/storetools/index.ts'
import { startEtcd } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'
import { runProgram, spawnProgram } from '../../support/program.ts'
import { dependencies, openEtcd } from '../storage/kit.ts'
import { hasEtcd, kinds, openEmbedded, type TestStore, temporary, write } from './kit.ts'

const { clock } = dependencies
const program = 'cmd/pilothouse/main.ts'

/** A reader of entries that no store has. */
function readerOf(entries: readonly StoredEntry[], revision = 1000): StoreReader {
  const none = (): never => assert.fail('not read by key')
  return {
    kind: 'etcd',
    currentRevision: () => assert.fail('it is not asked'),
    description: 'a fake',
    scan: async () => ({
      revision: asRevision(revision),
      async *pages() {
        yield entries
      },
      close: () => undefined,
    }),
    get: none,
    history: none,
    changes: none,
    owner: () => undefined,
    close: async () => undefined,
  }
}

function entry(key: string, revision: number, value: string | Uint8Array = key): StoredEntry {
  const at = asRevision(revision)
  return { key, value: Buffer.from(value), createRevision: at, modRevision: at, ttlSeconds: 0 }
}

/** The file with another checksum, which fits. */
function sealed(bytes: Buffer): Buffer {
  const content = bytes.subarray(0, -32)
  return Buffer.concat([content, createHash('sha256').update(content).digest()])
}

describe('snapshot files', function () {
  this.timeout(60_000)
  const folder = temporary()
  after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const write = async (entries: readonly StoredEntry[]): Promise<string> => {
    const path = join(folder, `file-${files++}`)
    await writeSnapshot(clock, readerOf(entries), path)
    return path
  }
  const written = (bytes: Uint8Array): string => {
    const path = join(folder, `file-${files++}`)
    writeFileSync(path, bytes)
    return path
  }

  it('hold every entry in the order of writes', async () => {
    const huge = Buffer.alloc(3_000_000, 7)
    const entries = [entry('/__proto__', 20), entry('/a', 30), entry('/b', 10, huge), entry('/\u{1f600}', 25, '')]
    const opened = await openSnapshot(await write(entries))
    const found = [...opened.inOrder()].map(({ key, modRevision, value }) => [key, modRevision, value.length])
    await opened.close()
    assert.deepEqual(found, [
      ['/b', 10, 3_000_000],
      ['/__proto__', 20, 10],
      ['/\u{1f600}', 25, 0],
      ['/a', 30, 2],
    ])
  })

  it('are refused when cut at any byte, and when any bit is flipped', async () => {
    const bytes = readFileSync(await write([entry('/a', 3), entry('/b', 2)]))
    const path = join(folder, 'broken')
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length))
      await assert.rejects(openSnapshot(path), StoreToolError, `cut at ${length}`)
    }
    for (let at = 0; at < bytes.length; at++) {
      const broken = Buffer.from(bytes)
      broken[at] = (broken[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, broken)
      await assert.rejects(openSnapshot(path), StoreToolError, `flipped at ${at}`)
    }
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('x')]))
    await assert.rejects(openSnapshot(path), /bytes follow its end/)
  })

  const whole = async (): Promise<Buffer> => readFileSync(await write([entry('/a', 3), entry('/b', 2)]))

  it('are encrypted with keys: they show no key of an object, and open with the right key, complete and unchanged', async () => {
    const keys = parseDataEncryptionKeys(randomBytes(32).toString('base64'))
    const other = parseDataEncryptionKeys(randomBytes(32).toString('base64'))
    const path = join(folder, 'encrypted')
    const entries = [entry('/registry/kingfisher', 3), entry('/registry/nightingale', 2)]
    await writeSnapshot(clock, readerOf(entries), path, { keys, random: systemRandom })
    const bytes = readFileSync(path)
    for (const { key } of entries) assert.equal(bytes.includes(key), false)
    const opened = await openSnapshot(path, { keys })
    assert.deepEqual(new Set([...opened.inOrder()].map(({ key }) => key)), new Set(entries.map(({ key }) => key)))
    await opened.close()
    await assert.rejects(openSnapshot(path), /it is encrypted, and no data encryption key is given/)
    await assert.rejects(openSnapshot(path, { keys: other }), /the data encryption key does not open it/)
    // Whoever changes it can make the checksum fit.
    for (let at = 0; at < bytes.length - 32; at++) {
      const changed = written(sealed(patched(bytes, at, [(bytes[at] ?? 0) ^ 1])))
      await assert.rejects(openSnapshot(changed, { keys }), StoreToolError, `flipped at ${at}`)
    }
  })

  const lies: readonly [what: string, change: (bytes: Buffer) => Buffer, message: RegExp][] = [
    ['an empty file', () => Buffer.alloc(0), /no snapshot/],
    ['a text', () => Buffer.from('apiVersion: v1\nkind: List\nitems: []\n'), /no snapshot/],
    ['a later format', (bytes) => sealed(replaced(bytes, 'snapshot 1', 'snapshot 9')), /later release/],
    ['a record of 4 GB', (bytes) => sealed(patched(bytes, 22, [255, 255, 255, 255])), /record of 4294967295 bytes/],
    ['a record of nothing', (bytes) => sealed(patched(bytes, 22, [0, 0, 0, 0])), /record of 0 bytes/],
    ['no header', (bytes) => sealed(patched(bytes, 26, [2])), /no header/],
    ['another store', (bytes) => sealed(replaced(bytes, '"store":"etcd"', '"store":"xxxx"')), /no header/],
    ['a header that is no JSON', (bytes) => sealed(replaced(bytes, '{"store"', '["store"')), /no/],
    ['a key twice', (bytes) => sealed(replaced(bytes, '/b', '/a')), /not in order/],
    ['fewer entries than it says', (bytes) => sealed(replaced(bytes, '"entries":2', '"entries":3')), /are missing/],
    ['an older snapshot than its entries', (bytes) => sealed(replaced(bytes, '1000', '0001')), /./],
  ]
  for (const [what, change, message] of lies)
    it(`are refused for ${what}, also where the checksum fits`, async () => {
      await assert.rejects(openSnapshot(written(change(await whole()))), message)
    })

  it('are refused beyond the maximum number of entries', async () => {
    const path = await write([entry('/a', 3), entry('/b', 2)])
    await assert.rejects(openSnapshot(path, { entriesMax: 1 }), /more than 1 entries/)
    await (await openSnapshot(path, { entriesMax: 2 })).close()
  })

  it('are written whole or not at all, never over another file, and readable by their owner alone', async () => {
    const path = await write([entry('/a', 3)])
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const before = readFileSync(path)
    await assert.rejects(writeSnapshot(clock, readerOf([]), path), /not overwritten/)
    assert.deepEqual(readFileSync(path), before)
    const broken = { ...readerOf([{ ...entry('/a', 3), isForeign: true }]) }
    await assert.rejects(writeSnapshot(clock, broken, join(folder, 'none')), /no UTF-8/)
    await assert.rejects(writeSnapshot(clock, readerOf([]), join(folder, 'no', 'folder')), /can't be written/)
    writeFileSync(join(folder, 'other.partial'), '')
    await assert.rejects(writeSnapshot(clock, readerOf([]), join(folder, 'other')), /another snapshot is being written/)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name === 'none' || name.startsWith('none.') || name === 'other'),
      [],
    )
  })
})

for (const [name, start] of Object.entries(kinds))
  describe(`snapshot and restore: ${name}`, function () {
    this.timeout(120_000)
    let source: TestStore
    let folder: string
    before(async () => {
      source = await start()
      folder = temporary()
      const store = source.store
      await write(store, { '/registry/b': '1', '/registry/a': '2', compact_rev_key: '3', '/registry/gone': '4' })
      const { value } = await store.get('/registry/b')
      await store.update('/registry/b', Buffer.from('5'), value?.modRevision ?? asRevision(0))
      const gone = await store.get('/registry/gone')
      await store.delete('/registry/gone', gone.value?.modRevision ?? asRevision(0))
      await write(store, { '/registry/__proto__/constructor': '6', '/registry/large': Buffer.alloc(1_500_000, 1) })
      await write(store, { '/registry/\u0001': 'a', '/registry/\uff5e': 'b', '/registry/\u{1f600}': 'c' })
      await store.create('/registry/events/short', Buffer.from('7'), { ttlSeconds: 1000 })
    })
    after(async () => {
      await source.stop()
      rmSync(folder, { recursive: true })
    })

    const order = [
      '/registry/a',
      'compact_rev_key',
      '/registry/b',
      '/registry/__proto__/constructor',
      '/registry/large',
      '/registry/\u0001',
      '/registry/\uff5e',
      '/registry/\u{1f600}',
    ]

    for (const [to, startTarget] of Object.entries(kinds))
      it(`a snapshot is restored to ${to}, in its order, above every revision of the source`, async () => {
        const path = join(folder, `to-${to}`)
        const reader = await source.openReader()
        const taken = await writeSnapshot(clock, reader, path)
        await reader.close()
        const target = await startTarget({ empty: true })
        try {
          const opened = await openSnapshot(path)
          const filled = await target.openTarget()
          const { entries, revision } = await restoreSnapshot(opened, filled, { margin: 100 })
          await filled.close()
          await opened.close()
          const store = await target.reopen()
          const { values } = await store.range({ start: '\0', end: '\u{10ffff}' })
          assert.equal(entries, values.length)
          // A store on etcd marks its deletions.
          const sorted = values
            .filter(({ key }) => !key.startsWith('/registry/fences/'))
            .sort((a, b) => a.modRevision - b.modRevision)
          assert.deepEqual(
            sorted.map(({ key }) => key),
            [...order, '/registry/events/short'],
          )
          assert.ok((sorted[0]?.modRevision ?? 0) > taken.revision + 100)
          assert.ok((await store.currentRevision()) >= revision)
          assert.equal(Buffer.from((await store.get('/registry/b')).value?.value ?? []).toString(), '5')
          assert.equal((await store.get('/registry/large')).value?.value.length, 1_500_000)
          // A client that continues from the source's revision must list again.
          const ended = await new Promise<StoreError>((resolve) => {
            const range = { start: '/registry/', end: '/registry0' }
            store.watch(
              { ...range, fromRevision: asRevision(taken.revision + 1) },
              { onEvents: () => assert.fail('events'), onProgress: () => undefined, onEnd: resolve },
            )
          })
          assert.equal(ended.code, 'compacted')
          const lived = await target.openReader()
          const scan = await lived.scan({ lifetimes: true, start: '/registry/events/', end: '/registry/events0' })
          for await (const [short] of scan.pages())
            assert.ok(short && short.ttlSeconds > 900 && short.ttlSeconds <= 1200, `lives ${short?.ttlSeconds} s`)
          scan.close()
          await lived.close()
        } finally {
          await target.stop()
        }
      })

    it('a snapshot during writes shows one revision', async () => {
      let stopping = false
      const { store } = source
      const writing = (async () => {
        let [a, b] = await write(store, { '/registry/x/first': '0', '/registry/x/second': '0' })
        for (let count = 1; !stopping; count++) {
          const value = Buffer.from(String(count))
          a = (await store.update('/registry/x/first', value, a ?? asRevision(0))).revision
          b = (await store.update('/registry/x/second', value, b ?? asRevision(0))).revision
        }
      })()
      const reader = await source.openReader()
      for (let round = 0; round < 10; round++) {
        const path = join(folder, `moment-${round}`)
        await writeSnapshot(clock, reader, path)
        const opened = await openSnapshot(path)
        const values = new Map(
          [...opened.inOrder()].map(({ key, value }) => [key, Number(Buffer.from(value).toString())]),
        )
        await opened.close()
        const [first = -1, second = -1] = [values.get('/registry/x/first'), values.get('/registry/x/second')]
        if (values.has('/registry/x/second')) assert.ok(first === second || first === second + 1, `${first} ${second}`)
      }
      stopping = true
      await writing
      await reader.close()
    })

    it('a store that has keys is left alone', async () => {
      const path = join(folder, 'refused')
      const reader = await source.openReader()
      await writeSnapshot(clock, reader, path)
      const before = await source.store.currentRevision()
      const result = await runProgram(program, ['store', 'restore', path, '--revision-margin=0', ...source.flags])
      assert.equal(result.code, 1)
      assert.match(result.stderr, /left alone$/m)
      assert.equal(await source.store.currentRevision(), before)
      const again = await runProgram(program, ['store', 'snapshot', path, ...source.flags])
      assert.equal(again.code, 1)
      assert.match(again.stderr, /not overwritten/)
      await reader.close()
    })
  })

describe('restore into an embedded store', function () {
  this.timeout(60_000)
  const folder = temporary()
  after(() => rmSync(folder, { recursive: true }))

  it('a killed restore leaves no store, and the next one reports this and starts over', async () => {
    const path = join(folder, 'many')
    const many = Array.from({ length: 40_000 }, (_, at) => entry(`/registry/${String(at).padStart(6, '0')}`, at + 1))
    await writeSnapshot(clock, readerOf(many, 200_000), path)
    const target = join(folder, 'killed')
    const line = ['store', 'restore', path, `--data-dir=${target}`]
    const running = spawnProgram(program, line)
    await eventually(() => existsSync(join(target, 'store.unfinished', 'data.mdb')), 'the restore begins')
    running.process.kill('SIGKILL')
    await running.exited
    assert.deepEqual(readdirSync(target), ['store.unfinished'])
    const again = await runProgram(program, line)
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stderr, /store\.unfinished was left by an attempt that was cut short, and is removed/)
    assert.deepEqual(readdirSync(target), ['store'])
    const store = await openEmbedded(join(target, 'store'))
    assert.equal((await store.range({ start: '/', end: '0', countOnly: true })).count, 40_000)
    await store.close()
  })

  it('a value that the target can not store is refused before anything is written', async () => {
    const path = join(folder, 'large')
    await writeSnapshot(clock, readerOf([entry('/registry/x', 3, Buffer.alloc(2_000_000))]), path)
    const directory = join(folder, 'none', 'store')
    const target = createEmbeddedTarget(dependencies, directory, () => assert.fail('nothing is left'))
    await assert.rejects(
      openSnapshot(path, { accept: (one) => target.accept(one) }),
      /\/registry\/x" has 2000000 bytes/,
    )
    assert.equal(existsSync(join(folder, 'none')), false)
  })

  it('a folder with other files is left alone', async () => {
    const path = join(folder, 'small')
    await writeSnapshot(clock, readerOf([entry('/registry/x', 3)]), path)
    const target = createEmbeddedTarget(dependencies, folder, () => assert.fail('nothing is left'))
    const opened = await openSnapshot(path)
    const names = readdirSync(folder)
    await assert.rejects(restoreSnapshot(opened, target, { margin: 0 }), /is not empty: it is left alone/)
    await opened.close()
    assert.deepEqual(readdirSync(folder), names)
  })
})

describe('restore into etcd', function () {
  this.timeout(120_000)
  if (!hasEtcd) return void it.skip('needs etcd')
  const folder = temporary()
  const path = join(folder, 'one')
  before(() => writeSnapshot(clock, readerOf([entry('/registry/x', 3), entry('/registry/y', 2)]), path))
  after(() => rmSync(folder, { recursive: true }))

  it('a killed restore leaves a mark, which check, snapshot and the next restore name', async () => {
    const etcd = await startEtcd()
    const flags = [`--etcd-servers=${etcd.url}`]
    const running = spawnProgram(program, ['store', 'restore', path, '--revision-margin=5000000', ...flags])
    await running.says(/the revision is raised/)
    running.process.kill('SIGKILL')
    await running.exited
    for (const [command, message] of [
      [['restore', path], /is not whole: .*restore of/],
      [['snapshot', join(folder, 'of-part')], /is not whole/],
      [['check'], /^key: pilothouse\/unfinished .*did not end$/m],
    ] as const) {
      const { code, stdout, stderr } = await runProgram(program, ['store', ...command, ...flags])
      assert.equal(code, 1)
      assert.match(stdout + stderr, message)
    }
    const server = await runProgram(program, ['up', `--data-dir=${join(folder, 'up')}`, ...flags])
    assert.equal(server.code, 1)
    assert.match(server.stderr, /is not whole: a restore or a migration into it is under way, or was cut short/)
    await etcd.stop()
  })

  it('a store in which another client writes meanwhile is not reported as restored', async () => {
    const etcd = await startEtcd()
    const other = openEtcd([etcd.url])
    const target = createEtcdTarget(await openEtcdReader(dependencies, { endpoints: [etcd.url], tls: {} }), {
      purpose: 'test',
    })
    await target.begin(asRevision(100))
    await target.write([entry('/registry/x', 3)])
    await other.create('/registry/leases/z', Buffer.from('mine'))
    await target.write([entry('/registry/y', 4)])
    await assert.rejects(target.finish(), /is written to by another client: what was begun there is not whole/)
    assert.ok((await other.get('pilothouse/unfinished')).value)
    await target.close()
    await other.close()
    await etcd.stop()
  })

  it('a revision too far ahead is refused before anything is written', async () => {
    const etcd = await startEtcd()
    const reader = await openEtcdReader(dependencies, { endpoints: [etcd.url], tls: {} })
    const target = createEtcdTarget(reader, { purpose: 'test', raisedMax: 998 })
    const opened = await openSnapshot(path)
    await assert.rejects(
      restoreSnapshot(opened, target, { margin: 0 }),
      /raised to 1000: more than 998 writes; .*etcdutl/,
    )
    const scan = await reader.scan()
    assert.equal(scan.revision, 1)
    await restoreSnapshot(opened, createEtcdTarget(reader, { purpose: 'test', raisedMax: 999 }), { margin: 0 })
    await opened.close()
    await target.close()
    await etcd.stop()
  })

  it("the native form is etcd's stream, checked, and never written over a file", async () => {
    const etcd = await startEtcd()
    const store = openEtcd([etcd.url])
    await store.create('/registry/large', Buffer.alloc(1_400_000, 3))
    await store.close()
    const native = join(folder, 'native.db')
    const flags = [`--etcd-servers=${etcd.url}`, '--format=etcd']
    const made = await runProgram(program, ['store', 'snapshot', native, ...flags])
    assert.equal(made.code, 0, made.stderr)
    const bytes = readFileSync(native)
    assert.deepEqual(createHash('sha256').update(bytes.subarray(0, -32)).digest(), bytes.subarray(-32))
    const reader = await openEtcdReader(dependencies, { endpoints: [etcd.url], tls: {} })
    await assert.rejects(writeNativeSnapshot(reader.connection, native), /not overwritten/)
    await assert.rejects(openSnapshot(native), /no snapshot/)
    await etcd.stop()
    await assert.rejects(writeNativeSnapshot(reader.connection, join(folder, 'none.db')), StoreToolError)
    assert.equal(existsSync(join(folder, 'none.db')), false)
    await reader.close()
  })
})

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from)
  assert.ok(at >= 0, from)
  return patched(bytes, at, Buffer.from(to))
}

function patched(bytes: Buffer, at: number, by: readonly number[] | Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(by, at)
  return copy
}
