import { deepEqual, equal, notEqual, ok, rejects, throws } from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom, silentLogger, systemClock } from '../../../../lib/base/index.ts'
import { asRevision, type Revision } from '../../../../lib/object/index.ts'
import {
  createMemoryStore,
  createSealing,
  createTransformers,
  type Mirror,
  prefixEnd,
  type StoredValue,
} from '../../../../lib/storage/index.ts'
import { SectionIndexWriter } from '../../../../lib/storage/mirror/sectionindex.ts'
import {
  createStoreOfMirror,
  type MirroredStoreKit,
  mirrorFolder,
  openMirrorOf,
  stateOf,
} from '../../../support/mirrorkit.ts'

const pods = '/registry/pods/'
const wide = '/registry/widgets/'

describe('The mirror of a store', () => {
  let folder: ReturnType<typeof mirrorFolder>
  let kit: MirroredStoreKit
  const open: Mirror[] = []

  beforeEach(() => {
    folder = mirrorFolder()
    kit = createStoreOfMirror()
  })

  afterEach(async () => {
    for (const mirror of open.splice(0)) await mirror.close()
    folder.remove()
  })

  async function opened(options: Parameters<typeof openMirrorOf>[2] = {}, of = kit): Promise<Mirror> {
    const mirror = await openMirrorOf(of, folder.path, options)
    open.push(mirror)
    return mirror
  }

  /** A mirror after its load, with what beginLoad returned. */
  async function begun(options: Parameters<typeof openMirrorOf>[2] = {}, of = kit) {
    const mirror = await opened(options, of)
    const revision = await mirror.beginLoad(await of.store.currentRevision())
    of.reads()
    return { mirror, revision }
  }

  async function put(name: string, text: string, prefix = pods): Promise<void> {
    const key = `${prefix}a/${name}`
    const { value } = await kit.store.get(key)
    if (value) await kit.store.update(key, Buffer.from(text), value.modRevision)
    else await kit.store.create(key, Buffer.from(text))
  }

  async function fill(count: number, bytes = 20): Promise<void> {
    for (let index = 0; index < count; index++) await put(`p${String(index).padStart(5, '0')}`, 'x'.repeat(bytes))
  }

  async function saved(prefixes = [pods]): Promise<void> {
    const { mirror } = await begun()
    await mirror.save(await stateOf(kit.store, prefixes))
    await mirror.close()
    kit.reads()
  }

  const plain = (values: readonly StoredValue[]) =>
    values.map(({ key, value, createRevision, modRevision }) => [
      key,
      Buffer.from(value).toString(),
      createRevision,
      modRevision,
    ])

  /** All values below the prefix through the mirror are those of the store. */
  async function requireSame(mirror: Mirror, revision: Revision | undefined, prefix = pods, of = kit): Promise<void> {
    const range = { start: prefix, end: prefixEnd(prefix), ...(revision === undefined ? {} : { revision }) }
    const through = await mirror.store.range(range)
    const reads = of.reads()
    deepEqual(plain(through.values), plain((await of.store.range(range)).values))
    of.reads()
    lastReads = reads
  }
  let lastReads = { gets: 0, keys: 0, ranges: 0 }

  it('answers a load at its revision without the store', async () => {
    await fill(300)
    await saved()
    await put('later', 'y')
    const { mirror, revision } = await begun()
    notEqual(revision, undefined)
    await requireSame(mirror, revision)
    deepEqual(lastReads, { gets: 0, keys: 0, ranges: 0 })
  })

  it('answers other revisions with the keys of the store and the values that changed', async () => {
    await fill(300)
    await saved()
    await put('p00007', 'changed')
    await put('new', 'y')
    const { value } = await kit.store.get(`${pods}a/p00009`)
    await kit.store.delete(`${pods}a/p00009`, value!.modRevision)
    const { mirror } = await begun()
    await requireSame(mirror, undefined)
    deepEqual(lastReads, { gets: 2, keys: 1, ranges: 0 })
  })

  it('is read by keys where its revision is compacted', async () => {
    await fill(10)
    await saved()
    await put('p00007', 'changed')
    await kit.store.compact(await kit.store.currentRevision())
    const { mirror, revision } = await begun()
    equal(revision, undefined)
    await requireSame(mirror, undefined)
    deepEqual(lastReads, { gets: 1, keys: 1, ranges: 0 })
  })

  it('leaves pages of which much has changed to the store', async () => {
    await fill(300)
    await saved()
    for (let index = 0; index < 100; index++) await put(`p${String(index).padStart(5, '0')}`, 'changed')
    const { mirror } = await begun()
    await requireSame(mirror, undefined)
    deepEqual(lastReads, { gets: 0, keys: 1, ranges: 1 })
  })

  it('keeps values longer than a block, empty ones, and prefixes without any', async () => {
    await put('long', 'x'.repeat(1_400_000))
    await put('empty', '')
    await put('odd-é-\u{1F600}', 'z')
    await saved([pods, wide])
    const { mirror, revision } = await begun()
    await requireSame(mirror, revision)
    await requireSame(mirror, revision, wide)
    deepEqual(lastReads, { gets: 0, keys: 0, ranges: 0 })
  })

  /** The state of now, with a column. */
  async function withTexts(text: string) {
    const state = await stateOf(kit.store, [pods])
    const resources = state.resources.map(({ prefix, after }) => ({
      prefix,
      columns: ['labels'],
      after: (from: string, limit: number) =>
        after(from, limit).map((value, at) => ({ ...value, texts: [at % 3 === 2 ? undefined : `${text} ${at % 3}`] })),
    }))
    return { ...state, resources }
  }

  const tableAt = async (mirror: Mirror, revision?: Revision, prefix = pods) =>
    await mirror.table(prefix, {
      revision: revision ?? (await kit.store.currentRevision()),
      signal: new AbortController().signal,
    })

  it('gives tables with the columns that were saved', async () => {
    await fill(30)
    await put('long', 'x'.repeat(1_400_000))
    await put('empty', '')
    await put('zz-é-\u{1F600}', 'z')
    const saving = await begun()
    await saving.mirror.save(await withTexts('text'))
    const { mirror, revision } = await begun()
    const { table, removed, changed } = (await tableAt(mirror, revision))!
    deepEqual([removed, changed, kit.reads().keys], [[], [], 0])
    const { values } = await kit.store.range({ start: pods, end: prefixEnd(pods) })
    deepEqual(plain(values.map((_, at) => table.valueAt(at))), plain(values))
    deepEqual([table.size, table.valueBytes], [33, values.reduce((sum, { value }) => sum + value.byteLength, 0)])
    const { ids, texts } = table.column('labels')!
    deepEqual(
      [[...ids.subarray(0, 6)], texts],
      [
        [1, 2, 0, 1, 2, 0],
        ['text 0', 'text 1'],
      ],
    )
    equal(table.column('other'), undefined)
    equal(await tableAt(mirror, revision, wide), undefined)
    kit.reads()
    await requireSame(mirror, undefined)
    equal(lastReads.ranges, 1, 'its reader may have released them')
  })

  it('gives tables of other revisions with what differs, by the keys of the store', async () => {
    await fill(300)
    await put('zz-\u{1F600}', 'z')
    await put('zz-\uffee', 'z')
    await saved()
    await put('p00007', 'changed')
    await put('a', 'new')
    for (const name of ['p00009', 'p00299']) {
      const { value } = await kit.store.get(`${pods}a/${name}`)
      await kit.store.delete(value!.key, value!.modRevision)
    }
    await kit.store.compact(await kit.store.currentRevision())
    const { mirror, revision } = await begun()
    equal(revision, undefined)
    const { table, removed, changed } = (await tableAt(mirror))!
    const state = new Map(Array.from({ length: table.size }, (_, at) => [table.keyAt(at), table.valueAt(at)]))
    for (const key of removed) state.delete(key)
    for (const value of changed) state.set(value.key, value)
    const { values } = await kit.store.range({ start: pods, end: prefixEnd(pods) })
    deepEqual(
      plain([...state.values()].sort((one, other) => (one.key < other.key ? -1 : 1))),
      plain(values.toSorted((one, other) => (one.key < other.key ? -1 : 1))),
    )
    ok(changed.length < 5 && removed.length < 5)
    await rejects(tableAt(mirror, asRevision(2)), { code: 'compacted' })
  })

  it('gives no table where much has changed', async () => {
    await fill(300)
    await saved()
    for (let index = 0; index < 100; index++) await put(`p${String(index).padStart(5, '0')}`, 'changed')
    equal(await tableAt((await begun()).mirror), undefined)
  })

  it('forgets the values of a table that are released, by blocks', async () => {
    await fill(500, 5_000)
    await saved()
    const { mirror, revision } = await begun()
    const { table } = (await tableAt(mirror, revision))!
    const [first, second] = table.blocks
    table.release(0, first!.to - 1)
    table.valueAt(0)
    table.release(first!.to - 1, first!.to + 1)
    throws(() => table.valueAt(0), /released/)
    equal(table.valueAt(second!.to - 1).value.byteLength, 5_000)
    equal(table.keyAt(0), `${pods}a/p00000`)
  })

  it('leaves out texts beyond the maximum of a column', async () => {
    const writer = new SectionIndexWriter(1)
    const value = { createRevision: asRevision(1), modRevision: asRevision(1), value: new Uint8Array(0) }
    for (let at = 0; at < 70_000; at++) writer.add({ ...value, key: `${pods}${at}`, texts: [`t${at}`] }, 0)
    equal(writer.finish().texts[0]?.length, 65_536)
    const long = new SectionIndexWriter(1)
    for (let at = 0; at < 6; at++) long.add({ ...value, key: `${pods}${at}`, texts: [`${at}`.repeat(1e6)] }, 0)
    equal(long.finish().texts[0]?.length, 4)
  })

  it('leaves prefixes to the store that it does not have, and all once it is released', async () => {
    await fill(3)
    await put('w', 'z', wide)
    await saved()
    const { mirror, revision } = await begun()
    await requireSame(mirror, revision, wide)
    deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
    mirror.release()
    await requireSame(mirror, revision)
    deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
  })

  it('is of no use to another version of the program', async () => {
    await fill(3)
    await saved()
    const { mirror, revision } = await begun({ program: 'v2' })
    equal(revision, undefined)
    await requireSame(mirror, undefined)
    deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
  })

  describe('of a store that was restored', () => {
    /** The first `writes` writes once more, and then others: the same keys at the same revisions with other values. */
    async function restored(upTo: number): Promise<MirroredStoreKit> {
      const other = createStoreOfMirror(
        createMemoryStore({ clock: systemClock, log: silentLogger }, { compactionIntervalMs: 0 }),
      )
      for (let index = 0; index < 400; index++) {
        const text = (index < upTo ? 'x' : 'o').repeat(20)
        await other.store.create(`${pods}a/p${String(index).padStart(5, '0')}`, Buffer.from(text))
      }
      return other
    }

    it('is of no use when the store went on to other writes under the same revisions and id', async () => {
      await fill(300)
      await saved()
      const other = await restored(200)
      const { mirror, revision } = await begun({}, other)
      equal(revision, undefined)
      await requireSame(mirror, undefined, pods, other)
      deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
    })

    it('is of no use when the store has another id, whatever its keys', async () => {
      await fill(3)
      await saved()
      kit.cluster = '2'
      const { mirror, revision } = await begun()
      equal(revision, undefined)
      await requireSame(mirror, undefined)
      deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
    })

    it('is of no use when its fence was created once more, at another revision', async () => {
      await fill(3)
      await saved()
      const fences = await kit.store.range({ start: '/registry/fences/', end: '/registry/fences0' })
      for (const { key, modRevision } of fences.values) {
        await kit.store.delete(key, modRevision)
        await kit.store.create(key, Buffer.alloc(0))
      }
      const { revision } = await begun()
      equal(revision, undefined)
    })
  })

  describe('after the connection broke', () => {
    async function following() {
      await fill(5)
      const { mirror } = await begun()
      const watch = mirror.store.watch(
        { start: '/registry/', end: '/registry0', fromRevision: (await kit.store.currentRevision()) as Revision },
        { onEvents() {}, onProgress() {}, onEnd() {} },
      )
      await put('p00001', 'before the break')
      await new Promise(setImmediate)
      kit.interrupt()
      await put('p00002', 'after it')
      return { mirror, watch }
    }

    it('holds no values that may be those of another history', async () => {
      const { mirror } = await following()
      await mirror.save(await stateOf(kit.store, [pods]))
      const text = readFileSync(join(folder.path, 'main'), 'latin1')
      equal(text.includes('before the break'), false)
      equal(text.includes('after it'), true)
      const next = await begun()
      await requireSame(next.mirror, next.revision)
      deepEqual(lastReads, { gets: 1, keys: 0, ranges: 0 })
    })

    it('holds them again once a fence has proved the history', async () => {
      const { mirror } = await following()
      await mirror.save(await stateOf(kit.store, [pods]))
      await mirror.save(await stateOf(kit.store, [pods]))
      equal(readFileSync(join(folder.path, 'main'), 'latin1').includes('before the break'), true)
    })

    it('is not written when the store has other values than the caches', async () => {
      const { mirror } = await following()
      const state = await stateOf(kit.store, [pods])
      const [first] = state.resources
      const lost = { ...first!, after: (after: string, limit: number) => first!.after(after, limit).slice(0, -1) }
      const changed = {
        ...first!,
        after: (after: string, limit: number) =>
          first!.after(after, limit).map((value) => ({ ...value, modRevision: (value.modRevision + 1) as Revision })),
      }
      await rejects(mirror.save({ ...state, resources: [lost] }), /lacks|other values/)
      await rejects(mirror.save({ ...state, resources: [changed] }), /other values/)
      deepEqual(readdirSync(folder.path), [])
    })

    it('is not written when the store lost the fence of the load', async () => {
      const { mirror } = await following()
      const fences = await kit.store.range({ start: '/registry/fences/', end: '/registry/fences0' })
      for (const { key, modRevision } of fences.values) await kit.store.delete(key, modRevision)
      await rejects(mirror.save(await stateOf(kit.store, [pods])), /history/)
    })

    it('is not written when it breaks before the new fence', async () => {
      const { mirror } = await following()
      const state = await stateOf(kit.store, [pods])
      const saving = mirror.save(state)
      kit.interrupt()
      await rejects(saving, /broke/)
      deepEqual(readdirSync(folder.path), [])
    })
  })

  it('is written when the store can be written again, and served when it can not', async () => {
    await fill(3)
    await saved()
    const failing = createStoreOfMirror(
      new Proxy(kit.store, {
        get: (target, name) =>
          name === 'create' ? () => Promise.reject(new Error('no space')) : Reflect.get(target, name),
      }),
    )
    const { mirror, revision } = await begun({}, failing)
    await requireSame(mirror, revision)
    await rejects(mirror.save(await stateOf(kit.store, [pods])), /not known/)
  })

  it('leaves one fence in the store, that of the file', async () => {
    await fill(3)
    for (let round = 0; round < 4; round++) await saved()
    const { mirror } = await begun()
    for (let round = 0; round < 4; round++) await mirror.save(await stateOf(kit.store, [pods]))
    const fences = await kit.store.range({ start: '/registry/fences/', end: '/registry/fences0' })
    equal(fences.values.length, 1)
  })

  describe('as a file', () => {
    it('is found damaged, wherever a byte is changed, and read from the store', async () => {
      await fill(700, 5_000)
      await saved()
      const path = join(folder.path, 'main')
      const whole = readFileSync(path)
      equal(whole.length > 3 * 1024 * 1024, true)
      const places = [
        0,
        1,
        30,
        ...Array.from({ length: 16 }, (_, at) => Math.floor((whole.length * at) / 16) + 7),
        whole.length - 1,
        whole.length - 12,
        whole.length - 16,
        whole.length - 200,
      ]
      for (const at of places) {
        const bytes = Buffer.from(whole)
        bytes.writeUInt8(bytes.readUInt8(at) ^ 0x40, at)
        writeFileSync(path, bytes)
        const { mirror, revision } = await begun()
        equal(revision, undefined, `byte ${at}`)
        await mirror.close()
      }
    })

    it('is found torn, wherever it ends', async () => {
      await fill(20)
      await saved()
      const path = join(folder.path, 'main')
      const whole = readFileSync(path)
      for (const length of [0, 1, 15, 16, 100, whole.length - 17, whole.length - 1]) {
        writeFileSync(path, whole.subarray(0, length))
        const { mirror, revision } = await begun()
        equal(revision, undefined, `${length} bytes`)
        await mirror.close()
      }
      writeFileSync(path, Buffer.concat([whole, whole]))
      equal((await begun()).revision, undefined)
    })

    it('is for its user alone', async () => {
      await fill(3)
      await saved()
      const path = join(folder.path, 'main')
      equal(statSync(path).mode & 0o777, 0o600)
      chmodSync(path, 0o644)
      equal((await begun()).revision, undefined)
    })

    it('is not followed where it is a link', async () => {
      await fill(3)
      await saved()
      const elsewhere = mirrorFolder()
      writeFileSync(join(elsewhere.path, 'real'), readFileSync(join(folder.path, 'main')), { mode: 0o600 })
      folder.remove()
      mkdirSync(folder.path, { mode: 0o700 })
      symlinkSync(join(elsewhere.path, 'real'), join(folder.path, 'main'))
      equal((await begun()).revision, undefined)
      elsewhere.remove()
    })

    it('has a folder that no one else may use', async () => {
      chmodSync(folder.path, 0o750)
      await rejects(opened(), /may be used by others/)
      chmodSync(folder.path, 0o700)
      const link = `${folder.path}-link`
      symlinkSync(folder.path, link)
      await rejects(openMirrorOf(kit, link), /not a folder/)
    })

    it('remains as it was when writing fails or is given up', async () => {
      await fill(300, 5_000)
      await saved()
      const before = readFileSync(join(folder.path, 'main'))
      const { mirror } = await begun()
      const state = await stateOf(kit.store, [pods])
      const saving = mirror.save(state)
      await new Promise(setImmediate)
      await Promise.all([rejects(saving), mirror.close()])
      deepEqual(readdirSync(folder.path), ['main'])
      const other = await begun()
      mkdirSync(join(folder.path, `main.new-${process.pid}`))
      await rejects(other.mirror.save(state))
      deepEqual(readFileSync(join(folder.path, 'main')).equals(before), true)
      const fences = await kit.store.range({ start: '/registry/fences/', end: '/registry/fences0' })
      // Those of the file and of two loads.
      equal(fences.values.length, 3)
    })

    it('takes the place of what killed processes left', async () => {
      writeFileSync(join(folder.path, 'main.new-4194399'), 'half')
      writeFileSync(join(folder.path, `main.new-${process.ppid}`), 'of a process that runs')
      await opened({ writes: false })
      equal(readdirSync(folder.path).length, 2)
      await opened()
      deepEqual(readdirSync(folder.path), [`main.new-${process.ppid}`])
    })
  })

  describe('of values that are encrypted', () => {
    const sealingBy = (secret: string) =>
      createSealing(
        () => ({ group: '', resource: 'pods' }),
        createTransformers(
          {
            rules: [
              {
                resources: [{ group: '', resource: 'pods' }],
                providers: [{ type: 'aesgcm', keys: [{ name: secret, secret: Buffer.alloc(32, secret) }] }],
              },
            ],
          } as never,
          {
            random: createSeededRandom(5),
            kms() {
              throw new Error('none')
            },
          },
        ),
      )

    it('holds them encrypted, and as the store would decrypt them', async () => {
      const sealing = sealingBy('one')
      await put('p', 'plain text')
      const { mirror } = await begun({ sealing })
      await mirror.save(await stateOf(kit.store, [pods]))
      equal(readFileSync(join(folder.path, 'main'), 'latin1').includes('plain text'), false)
      const next = await begun({ sealing })
      const { values } = await next.mirror.store.range({ start: pods, end: prefixEnd(pods), revision: next.revision! })
      equal(await sealing.isCurrent(values[0]!.key, values[0]!.value), true)
      deepEqual(kit.reads(), { gets: 0, keys: 0, ranges: 0 })
    })

    it('holds no texts of them, and gives no table of them', async () => {
      const sealing = sealingBy('one')
      await put('p', 'plain text')
      const { mirror } = await begun({ sealing })
      await mirror.save(await withTexts('secret label'))
      equal(readFileSync(join(folder.path, 'main'), 'latin1').includes('secret label'), false)
      const next = await begun({ sealing })
      equal(await tableAt(next.mirror, next.revision!), undefined)
    })

    it('gives no table of values that were encrypted when they were saved, or are to be now', async () => {
      const sealing = sealingBy('one')
      await put('p', 'plain text')
      const first = await begun({ sealing })
      await first.mirror.save(await withTexts('label'))
      equal(await tableAt((await begun()).mirror), undefined)
      const second = await begun()
      await second.mirror.save(await withTexts('label'))
      equal(await tableAt((await begun({ sealing })).mirror), undefined)
      notEqual(await tableAt((await begun()).mirror), undefined)
    })

    it('leaves them to the store once another key encrypts', async () => {
      await put('p', 'plain text')
      const { mirror } = await begun({ sealing: sealingBy('one') })
      await mirror.save(await stateOf(kit.store, [pods]))
      const next = await begun({ sealing: sealingBy('two') })
      await requireSame(next.mirror, next.revision)
      deepEqual(lastReads, { gets: 0, keys: 0, ranges: 1 })
    })
  })
})
