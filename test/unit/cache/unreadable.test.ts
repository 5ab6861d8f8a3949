import assert from 'node:assert/strict'
import { silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { followCache } from '../../../lib/cache/index.ts'
import type { Revision } from '../../../lib/object/index.ts'
import { UnreadableObject } from '../../../lib/storage/index.ts'
import {
  after,
  allPods,
  any,
  createKit,
  encodeObject,
  exact,
  jsonEncoding,
  type Kit,
  labelled,
  latest,
  nameOf,
} from '../../support/cachekit.ts'
import { encrypted, transformersOf } from '../../support/encryption.ts'

/** Values are encrypted in the store; the kit's own `put` writes them plainly, as nothing here can read. */
async function start(): Promise<{
  kit: Kit
  keys: { known: boolean }
  put(name: string, labels?: Record<string, string>): Promise<Revision>
}> {
  const keys = { known: true }
  const rules = {
    known: transformersOf({ secrets: ['aesgcm:one'] }),
    unknown: transformersOf({ secrets: ['aesgcm:two'] }),
  }
  const kit = createKit({}, undefined, silentMetrics, (store) =>
    encrypted(store, (resource) => rules[keys.known ? 'known' : 'unknown'](resource)),
  )
  const writer = encrypted(kit.store, rules.known)
  await kit.feed.start()
  return {
    kit,
    keys,
    async put(name, labels = {}) {
      const key = `/registry/pods/ns/${name}`
      const { value } = await kit.store.get(key)
      const bytes = encodeObject(labels)
      const result = value ? await writer.update(key, bytes, value.modRevision) : await writer.create(key, bytes)
      await kit.settle()
      return result.revision
    },
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof UnreadableObject &&
  error.transformation === 'no matching key was found for the provided AES transformer'

describe('cache: entries that can’t be decrypted', () => {
  let kit: Kit
  let keys: { known: boolean }
  let put: (name: string, labels?: Record<string, string>) => Promise<Revision>
  beforeEach(async () => void ({ kit, keys, put } = await start()))
  afterEach(async () => await kit.feed.close())

  it('throw in every method, and leave the others alone', async () => {
    await put('a')
    keys.known = false
    await put('b', { node: 'n1' })
    const { entries } = await kit.pods.list({ ...allPods, at: any })
    assert.deepEqual(entries.map(nameOf), ['a', 'b'])
    const [a, b] = entries
    assert.ok(a && b)
    assert.equal(a.object().metadata.name, 'a')
    for (const ask of [
      () => b.object(),
      () => b.labels(),
      () => b.fields(),
      () => b.bytes(jsonEncoding),
      () => b.stored,
    ])
      assert.throws(ask, isUnreadable)
    await assert.rejects(kit.pods.list({ ...allPods, at: any, predicate: labelled('x', 'y') }), isUnreadable)
    await assert.rejects(
      kit.pods.list({ ...allPods, at: any, predicate: labelled('node', 'n2', 'field') }),
      isUnreadable,
    )
  })

  it('are tried again each second, and then are like all others: in reads, in indexes, in history, in snapshots', async () => {
    const before = await put('a')
    keys.known = false
    const written = await put('b', { node: 'n1' })
    await put('c')
    const bytesBefore = kit.pods.storedBytes
    await kit.pass(2000)
    assert.throws(() => kit.pods.peek('/registry/pods/ns/b')?.object(), isUnreadable)
    keys.known = true
    await kit.pass(1100)
    assert.equal(kit.pods.peek('/registry/pods/ns/b')?.object().metadata.name, 'b')
    const found = await kit.turned(
      kit.pods.list({ ...allPods, at: latest, predicate: labelled('node', 'n1', 'field') }),
    )
    assert.deepEqual(found.entries.map(nameOf), ['b'])
    const past = await kit.pods.list({ ...allPods, at: exact(written) })
    assert.deepEqual(
      past.entries.map((entry) => entry.object().metadata.name),
      ['a', 'b'],
    )
    const watching = await kit.watch({ from: after(before) })
    await kit.settle()
    assert.deepEqual(watching.events, [`+b@${written}`, `+c@${written + 1}`])
    assert.ok(kit.pods.storedBytes > bytesBefore)
    kit.store.remove('/registry/pods/ns/b')
    kit.store.remove('/registry/pods/ns/c')
    kit.store.remove('/registry/pods/ns/a')
    await kit.settle()
    assert.equal(kit.pods.storedBytes, 0)
  })

  it('end the watches that meet them, which resume without a gap once they can be read', async () => {
    const before = await put('a')
    const predicate = labelled('x', 'y')
    const watching = await kit.watch({ from: after(before), predicate })
    keys.known = false
    const written = await put('b', { x: 'y' })
    await kit.settle()
    assert.equal(watching.ended, 'error')
    assert.match(watching.events.join(), /^!500/)
    keys.known = true
    await kit.pass(1100)
    const resumed = await kit.watch({ from: after(before), predicate })
    await kit.settle()
    assert.deepEqual(resumed.events, [`+b@${written}`])
  })

  it('reach followers, which treated them as deleted, once they can be read', async () => {
    await put('a', { x: '1' })
    const told: string[] = []
    const follower = followCache({ clock: kit.clock, log: silentLogger }, kit.pods, {
      set: ({ metadata: { name = '', labels = {} } }) => void told.push(`+${name} ${Object.values(labels).join()}`),
      remove: (_namespace, name) => void told.push(`-${name}`),
    })
    await kit.settle()
    await follower.ready
    keys.known = false
    await put('a', { x: '2' })
    await kit.settle()
    assert.deepEqual(told, ['+a 1', '-a'])
    keys.known = true
    await kit.pass(2500)
    assert.deepEqual(told, ['+a 1', '-a', '+a 2'])
    follower.close()
  })

  it('are forgotten when they are replaced or deleted before they can be read', async () => {
    keys.known = false
    await put('a')
    await put('b')
    keys.known = true
    await put('a', { x: '2' })
    kit.store.remove('/registry/pods/ns/b')
    const watching = await kit.watch({ from: { kind: 'now', at: any } })
    await kit.pass(5000)
    assert.deepEqual(kit.pods.peek('/registry/pods/ns/a')?.labels(), { x: '2' })
    assert.equal(kit.pods.size, 1)
    assert.equal(watching.ended, undefined)
  })

  it('are part of the first load, too: the server starts, and everything else is served', async () => {
    await put('a')
    await put('b')
    keys.known = false
    const other = createKit({}, undefined, silentMetrics, () =>
      encrypted(kit.store, (resource) =>
        keys.known
          ? transformersOf({ secrets: ['aesgcm:one'] })(resource)
          : transformersOf({ secrets: ['aesgcm:two'] })(resource),
      ),
    )
    await other.feed.start()
    assert.ok(other.pods.ready)
    assert.throws(() => other.pods.peek('/registry/pods/ns/a')?.object(), isUnreadable)
    keys.known = true
    await other.pass(1100)
    assert.equal(other.pods.peek('/registry/pods/ns/a')?.object().metadata.name, 'a')
    await other.feed.close()
  })
})
