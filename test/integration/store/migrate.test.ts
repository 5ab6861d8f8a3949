import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asRevision, type Revision } from '../../../lib/object/index.ts'
import { type Store, type StoredValue, unfinishedKey } from '../../../lib/storage/index.ts'
import { type MigrateOptions, migrateStore, type StoreReader, type StoreTarget } from '../../../lib/storetools/index.ts'
import { eventually } from '../../support/eventually.ts'
import { runProgram, spawnProgram } from '../../support/program.ts'
import { startProxy } from '../../support/proxy.ts'
import { dependencies } from '../storage/kit.ts'
import { hasEtcd, kinds, type TestStore, temporary, write } from './kit.ts'

const { clock } = dependencies
const everything = { start: '\0', end: '\u{10ffff}' }

async function contents(store: Store): Promise<readonly StoredValue[]> {
  const { values } = await store.range(everything)
  return values.filter(({ key }) => !key.startsWith('pilothouse/'))
}

const withoutRevisions = (values: readonly StoredValue[]): readonly string[] =>
  values.map(({ key, value }) => `${key}=${Buffer.from(value).toString('latin1')}`)

/** Writes, updates and deletes until stopped. */
/** Four lanes, each of which rests between its writes. */
function startWriter(store: Store, restMs = 0): { stop(): Promise<void>; readonly writes: number } {
  let stopping = false
  let writes = 0
  const lane = async (name: number): Promise<void> => {
    const revisions = new Map<string, Revision>()
    for (let at = 0; !stopping; at++) {
      const key = `/registry/lane${name}/${at % 7}`
      const known = revisions.get(key)
      const value = Buffer.from(`${name}.${at}`)
      const result =
        known === undefined
          ? await store.create(key, value)
          : at % 3 === 0
            ? await store.delete(key, known)
            : await store.update(key, value, known)
      assert.ok(result.ok)
      if (known !== undefined && at % 3 === 0) revisions.delete(key)
      else revisions.set(key, result.revision)
      writes++
      if (restMs > 0) await sleep(restMs)
    }
  }
  const running = Promise.all([0, 1, 2, 3].map(lane))
  return {
    get writes() {
      return writes
    },
    async stop() {
      stopping = true
      await running
    },
  }
}

for (const [from, to] of [
  ['embedded', 'etcd'],
  ['etcd', 'embedded'],
] as const)
  describe(`migration from ${from} to ${to}`, function () {
    this.timeout(120_000)
    if (!hasEtcd) return void it.skip('needs etcd')
    let folder: string
    let source: TestStore
    let target: TestStore
    let reader: StoreReader
    let filled: StoreTarget
    let options: MigrateOptions
    beforeEach(async () => {
      folder = temporary()
      const [startSource, startTarget] = [kinds[from], kinds[to]]
      assert.ok(startSource && startTarget)
      source = await startSource()
      target = await startTarget({ empty: true })
      filled = await target.openTarget()
      options = { workFile: join(folder, 'work'), follow: false, idleMs: 600 }
      await write(source.store, { '/registry/b': 'b', '/registry/a': 'a', '/registry/__proto__': 'p' })
      for (let at = 0; at < 50; at++) {
        const { value } = await source.store.get('/registry/b')
        await source.store.update('/registry/b', Buffer.from(String(at)), value?.modRevision ?? asRevision(0))
      }
    })
    afterEach(async () => {
      await reader?.close()
      await filled.close()
      await target.stop()
      await source.stop()
      rmSync(folder, { recursive: true })
    })

    it('a store that no server uses is copied, in its order, to revisions no lower than its own', async () => {
      const before = await contents(source.store)
      const revision = await source.store.currentRevision()
      if (from === 'embedded') await source.store.close()
      reader = await source.openReader()
      const done = await migrateStore(clock, reader, filled, options)
      const store = await target.reopen()
      const after = await contents(store)
      assert.deepEqual(withoutRevisions(after), withoutRevisions(before))
      const inOrder = (values: readonly StoredValue[]): string[] =>
        values.toSorted((a, b) => a.modRevision - b.modRevision).map(({ key }) => key)
      assert.deepEqual(inOrder(after), inOrder(before))
      assert.ok(after.every(({ modRevision }) => modRevision > revision))
      assert.equal(done.sourceRevision, revision)
      assert.ok((await store.currentRevision()) >= done.revision && done.revision > revision)
      assert.deepEqual(readdirSync(folder), [], 'the copy on the way is removed')
    })

    it('a store in use is followed until its writers stop: nothing is lost, and revisions go on above its own', async () => {
      reader = await source.openReader()
      const writer = startWriter(source.store)
      await source.store.create('/registry/events/short', Buffer.from('e'), { ttlSeconds: 1000 })
      let isCaughtUp = false
      const migrating = migrateStore(clock, reader, filled, {
        ...options,
        follow: true,
        onCaughtUp: () => (isCaughtUp = true),
      })
      // Under a steady stream there may never be a moment without a write.
      const { writes } = writer
      await eventually(() => writer.writes > writes + 500, 'a stream of writes')
      await source.store.create('/registry/events/later', Buffer.from('l'), { ttlSeconds: 1000 })
      await writer.stop()
      await eventually(() => isCaughtUp, 'caught up')
      await write(source.store, { '/registry/last': 'last' })
      const before = await contents(source.store)
      const revision = await source.store.currentRevision()
      if (from === 'embedded') await source.store.close()
      const done = await migrating
      const store = await target.reopen()
      const after = await contents(store)
      assert.deepEqual(withoutRevisions(after), withoutRevisions(before))
      assert.equal(done.sourceRevision, revision)
      assert.ok(done.changes > 20, `${done.changes} of ${writer.writes} writes were followed`)
      assert.ok(done.revision >= revision)
      const lived = await target.openReader()
      const scan = await lived.scan({ start: '/registry/events/', end: '/registry/events0', lifetimes: true })
      const lifetimes = []
      for await (const page of scan.pages()) for (const { ttlSeconds } of page) lifetimes.push(ttlSeconds)
      scan.close()
      await lived.close()
      assert.deepEqual(
        lifetimes.map((seconds) => seconds > 900 && seconds <= 1200),
        [true, true],
        String(lifetimes),
      )
      const { revision: next } = await store.create('/registry/new', Buffer.from('n'))
      assert.ok(next > revision)
    })

    it('a store in use is refused without following, and the target is not marked complete', async () => {
      reader = await source.openReader()
      if (from === 'embedded') {
        await assert.rejects(
          migrateStore(clock, reader, filled, options),
          /is in use by process \d+: stop it, or follow/,
        )
        return
      }
      const writer = startWriter(source.store)
      await assert.rejects(migrateStore(clock, reader, filled, options), /was written to meanwhile/)
      await writer.stop()
      assert.deepEqual(readdirSync(folder), [])
    })

    it("a source that compacts its history while the target's revision is raised loses nothing by that", async () => {
      reader = await source.openReader()
      const slow: StoreTarget = {
        description: filled.description,
        accept: (entry) => filled.accept(entry),
        async begin(to, onRaise) {
          await filled.begin(to, onRaise)
          await write(source.store, { '/registry/meanwhile': 'm', '/registry/more': 'n' })
          await source.store.compact(await source.store.currentRevision())
        },
        async raise(to) {
          // A process that is killed from here on leaves no copy of the store behind.
          assert.equal(existsSync(options.workFile), false)
          await filled.raise(to)
        },
        write: (entries) => filled.write(entries),
        apply: (changes) => filled.apply(changes),
        finish: (least) => filled.finish(least),
        close: () => filled.close(),
      }
      const migrating = migrateStore(clock, reader, slow, {
        ...options,
        follow: true,
        onCaughtUp: () => void (from === 'embedded' && source.store.close()),
      })
      const { sourceRevision, revision } = await migrating
      assert.ok(revision > sourceRevision)
      const keys = (await contents(await target.reopen())).map(({ key, modRevision }) => [
        key,
        modRevision > sourceRevision,
      ])
      assert.deepEqual(keys, [
        ['/registry/__proto__', true],
        ['/registry/a', true],
        ['/registry/b', true],
        ['/registry/meanwhile', true],
        ['/registry/more', true],
      ])
    })

    it('a source with a value that the target can not store is refused before anything is written', async () => {
      if (from === 'embedded') return
      const other = await import('etcd3')
      const client = new other.Etcd3({ hosts: at(source) })
      await client.kv.put({ key: Buffer.from([0x2f, 0xff, 0xfe]), value: Buffer.from('x') })
      client.close()
      reader = await source.openReader()
      await assert.rejects(migrateStore(clock, reader, filled, options), /is no UTF-8: no API server wrote it/)
      assert.equal(existsSync(`${at(target)}/store.unfinished`), false)
      assert.deepEqual(readdirSync(at(target)), [])
    })

    it('a target that already exists is left alone', async () => {
      reader = await source.openReader()
      const line = ['store', 'migrate', `--from=${at(source)}`, `--to=${at(source)}`, '--follow']
      const before = await source.store.currentRevision()
      const { code, stderr } = await runProgram('cmd/pilothouse/main.ts', line)
      assert.equal(code, 1)
      assert.match(stderr, /left alone$/m)
      assert.equal(await source.store.currentRevision(), before)
    })

    it('the program copies, and prints what to do next', async () => {
      const before = withoutRevisions(await contents(source.store))
      if (from === 'embedded') await source.store.close()
      const line = ['store', 'migrate', `--from=${at(source)}`, `--to=${at(target)}`]
      const { code, stdout, stderr } = await runProgram('cmd/pilothouse/main.ts', line)
      assert.equal(code, 0, stderr)
      assert.match(stdout, /3 keys and 0 later writes are copied; .*Start servers on it, and no more on the source$/m)
      assert.deepEqual(withoutRevisions(await contents(await target.reopen())), before)
      assert.equal(existsSync(join(folder, 'work')), false)
    })

    it('an etcd behind a unix socket is no folder', async () => {
      const before = withoutRevisions(await contents(source.store))
      const etcd = from === 'etcd' ? source : target
      const socket = await startProxy(at(etcd), { path: join(folder, 'localhost:1') })
      if (from === 'embedded') await source.store.close()
      const place = (store: TestStore): string => (store === etcd ? socket.url : at(store))
      const line = ['store', 'migrate', `--from=${place(source)}`, `--to=${place(target)}`]
      const { code, stderr } = await runProgram(program, line)
      assert.equal(code, 0, stderr)
      assert.ok(socket.accepted > 0)
      assert.deepEqual(withoutRevisions(await contents(await target.reopen())), before)
      await socket.close()
    })

    for (const when of ['before all is copied', 'while it follows'] as const)
      it(`a migration killed ${when} leaves the source unchanged and a target that is not marked complete; the next one completes`, async () => {
        await write(source.store, manyKeys)
        const writer = startWriter(source.store, 20)
        const line = ['store', 'migrate', `--from=${at(source)}`, `--to=${at(target)}`, '--follow', '--idle-period=1s']
        const killed = spawnProgram(program, [...line, `--work-dir=${folder}`])
        if (when === 'while it follows') await killed.says(/caught up at revision/)
        else await eventually(async () => await isBegun(target), 'the target is marked')
        killed.process.kill('SIGKILL')
        await killed.exited
        await writer.stop()
        const before = withoutRevisions(await contents(source.store))
        if (from === 'embedded') await source.store.close()
        const again = await runProgram(program, line)
        if (to === 'embedded') {
          assert.equal(again.code, 0, again.stderr)
          assert.match(again.stderr, /store\.unfinished was left by an attempt that was cut short, and is removed/)
          assert.deepEqual(withoutRevisions(await contents(await target.reopen())), before)
          return
        }
        assert.equal(again.code, 1)
        assert.match(again.stderr, /is not whole: what was begun there did not end \(.*migration from .*\)/)
        const server = await runProgram('cmd/apiserver/main.ts', [`--etcd-servers=${at(target)}`])
        assert.equal(server.code, 1)
        assert.match(server.stderr, /is not whole: a restore or a migration into it is under way, or was cut short/)
        const empty = await kinds['etcd']?.({ empty: true })
        assert.ok(empty)
        try {
          const { code, stderr } = await runProgram(program, line.with(3, `--to=${at(empty)}`))
          assert.equal(code, 0, stderr)
          assert.deepEqual(withoutRevisions(await contents(await empty.reopen())), before)
        } finally {
          await empty.stop()
        }
      })
  })

const program = 'cmd/pilothouse/main.ts'
const manyKeys = Object.fromEntries(
  Array.from({ length: 1200 }, (_, index) => [`/registry/many/${index}`, String(index).repeat(100)]),
)

async function isBegun(target: TestStore): Promise<boolean> {
  const directory = at(target)
  if (!directory.startsWith('http')) return existsSync(join(directory, 'store.unfinished', 'data.mdb'))
  return (await target.store.get(unfinishedKey)).value !== undefined
}

/** As --from and --to name it. */
function at({ flags }: TestStore): string {
  return flags[0]?.replace(/^--[a-z-]+=/, '') ?? ''
}
