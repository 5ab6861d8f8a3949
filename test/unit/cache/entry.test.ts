import { deepEqual, equal, notEqual } from 'node:assert/strict'
import type { FrameEncoding } from '../../../lib/cache/index.ts'
import { createBudgets } from '../../../lib/cache/state/budgets.ts'
import { CacheEntry } from '../../../lib/cache/state/entry.ts'
import { asRevision } from '../../../lib/object/index.ts'
import {
  after,
  allPods,
  any,
  decodeObject,
  encodeObject,
  jsonEncoding,
  jsonFrame,
  resourceOptions,
  startKit,
} from '../../support/cachekit.ts'

describe('entries', () => {
  const key = '/registry/pods/a/x'

  it('make an object and bytes of each encoding once', async () => {
    const counts = { decoded: 0 }
    const kit = await startKit({}, counts)
    kit.put('pods/a/x')
    const entry = kit.pods.peek(key)
    equal(entry?.bytes(jsonEncoding), entry?.bytes(jsonEncoding))
    notEqual(entry?.bytes({ ...jsonEncoding, id: 2 }), entry?.bytes(jsonEncoding))
    equal(counts.decoded, 1)
    await kit.feed.close()
  })

  for (const [when, held] of [
    ['before', true],
    ['after', false],
  ] as const)
    it(`adopt the writer's object and bytes, when they are passed ${when} their event`, async () => {
      const counts = { decoded: 0 }
      const kit = await startKit({}, counts)
      kit.store.held = held
      const revision = kit.put('pods/a/x', { app: 'mine' })
      const bytes = new Uint8Array([1])
      const object = decodeObject(encodeObject({ app: 'mine' }), revision, key)
      kit.pods.adopt({ key, revision, object, bytes: [{ encoding: jsonEncoding, bytes }] })
      kit.store.deliver()
      const { entry } = await kit.pods.get(key, { at: any })
      equal(entry?.object(), object)
      equal(entry?.bytes(jsonEncoding), bytes)
      deepEqual(entry?.labels(), { app: 'mine' })
      equal(counts.decoded, 0)
      await kit.feed.close()
    })

  it('keep their own memory only', async () => {
    const kit = await startKit()
    kit.put('pods/a/x')
    const entry = kit.pods.peek(key)
    const pooled = { ...jsonEncoding, encode: () => Buffer.from('small, and cut from a pool') }
    equal(String(entry?.bytes(pooled)), 'small, and cut from a pool')
    const kept = entry?.bytes(pooled)
    equal(kept?.buffer.byteLength, kept?.byteLength)
    equal(Buffer.from(kept ?? []).toString(), 'small, and cut from a pool')
    await kit.feed.close()
  })

  it('adopt nothing of another key or revision', async () => {
    const kit = await startKit({ writeHintsMax: 2 })
    kit.store.held = true
    const revision = kit.put('pods/a/x')
    const object = decodeObject(encodeObject({}), revision, key)
    kit.pods.adopt({ key: `${key}y`, revision, object })
    kit.store.deliver()
    kit.pods.adopt({ key, revision: asRevision(revision - 1), object })
    notEqual(kit.pods.peek(key)?.object(), object)
    // Of three that wait only the two newest are kept.
    const first = kit.put('pods/a/x')
    for (const later of [0, 1, 2]) kit.pods.adopt({ key, revision: asRevision(first + later), object })
    kit.store.deliver()
    notEqual(kit.pods.peek(key)?.object(), object)
    await kit.feed.close()
  })

  it('free their bytes once another one replaces them', () => {
    const budgets = createBudgets({
      entryBytesMax: 10_000,
      objectBytesMax: 100_000,
      frameBytesMax: 10_000,
      selectedBytesMin: 1_000,
    })
    const stored = encodeObject({ app: 'x' })
    const { decode, labels, fields } = resourceOptions()
    const entry = new CacheEntry(
      { budgets, decode, labels, fields },
      { key, stored, revision: asRevision(2), createRevision: asRevision(2) },
    )
    entry.bytes(jsonEncoding)
    equal(budgets.entries.usedBytes > 0 && budgets.objects.usedBytes > 0, true)
    entry.retire()
    entry.bytes(jsonEncoding)
    deepEqual([budgets.entries.usedBytes, budgets.objects.usedBytes], [0, 0])
    equal(entry.labels()['app'], 'x')
  })

  it('have the canonical form of objects from another release, and report it from the first call on', () => {
    const budgets = createBudgets({
      entryBytesMax: 10_000,
      objectBytesMax: 100_000,
      frameBytesMax: 10_000,
      selectedBytesMin: 1_000,
    })
    const [stored, form] = [encodeObject({ app: 'x' }, 'much'), encodeObject({ app: 'x' })]
    let tries = 0
    const home = {
      ...resourceOptions(),
      budgets,
      isCanonical: (bytes: Uint8Array) => bytes === form || Buffer.compare(bytes, form) === 0,
      toCanonical: (bytes: Uint8Array) => (tries++, bytes.length === stored.length ? form : undefined),
    }
    const revision = asRevision(2)
    const entry = new CacheEntry(home, { key, stored, revision, createRevision: revision })
    deepEqual([entry.isStoredOtherwise, entry.stored], [false, stored])
    equal(entry.canonical, true)
    deepEqual([entry.isStoredOtherwise, Buffer.from(entry.stored)], [true, Buffer.from(form)])
    // What was counted for the entry is what will be taken off for it.
    equal(entry.storedBytes, stored.length)
    const deleted = entry.asOf(asRevision(3))
    deepEqual([deleted.canonical, deleted.isStoredOtherwise, deleted.storedBytes], [true, true, stored.length])
    entry.renew()
    deepEqual([entry.canonical, entry.isStoredOtherwise, tries], [true, true, 1])
    const other = new CacheEntry(home, { key, stored: form, revision, createRevision: revision })
    deepEqual([other.canonical, other.isStoredOtherwise, tries], [true, false, 1])
    const odd = new CacheEntry(home, { key, stored: new Uint8Array(3), revision, createRevision: revision })
    deepEqual([odd.canonical, odd.canonical, odd.isStoredOtherwise, tries], [false, false, false, 2])
  })

  it('are encoded again when there is no room for their bytes', async () => {
    const kit = await startKit({ entryBytesMax: 1_000 })
    for (let number = 0; number < 20; number++) kit.put(`pods/a/p${number}`)
    let encoded = 0
    const encoding = { id: 9, encode: () => new Uint8Array(100 + 0 * encoded++) }
    for (let round = 0; round < 5; round++)
      for (let number = 0; number < 20; number++) kit.pods.peek(`/registry/pods/a/p${number}`)?.bytes(encoding)
    equal(encoded > 80, true)
    await kit.feed.close()
  })

  it('keep as many encoded bytes as the stored bytes allow, as these grow and shrink', async () => {
    const kit = await startKit({ entryBytesMin: 1_000, entryBytesPerStored: 100 })
    let encoded = 0
    const encoding = { id: 9, encode: () => new Uint8Array(1_000 + 0 * encoded++) }
    const encodeAll = async (): Promise<number> => {
      const before = encoded
      for (const entry of (await kit.pods.list({ ...allPods, at: any })).entries) entry.bytes(encoding)
      return encoded - before
    }
    for (let number = 100; number < 120; number++) kit.put(`pods/a/p${number}`)
    await kit.pass(1_000)
    equal(await encodeAll(), 20)
    equal(await encodeAll(), 0)
    for (let number = 101; number < 120; number++) kit.remove(`pods/a/p${number}`)
    await kit.pass(1_000)
    await encodeAll()
    equal(await encodeAll(), 0)
    await kit.feed.close()
    const none = await startKit({ entryBytesMin: 1_000, entryBytesPerStored: 0 })
    for (let number = 100; number < 120; number++) none.put(`pods/a/p${number}`)
    await none.pass(1_000)
    for (let round = 0; round < 2; round++)
      for (const entry of (await none.pods.list({ ...allPods, at: any })).entries) entry.bytes(encoding)
    equal(encoded > 50, true)
    await none.feed.close()
  })

  it('entries of a deletion are decoded once for all their readers', async () => {
    const counts = { decoded: 0 }
    const kit = await startKit({}, counts)
    kit.put('pods/a/x')
    const watchers = [await kit.watch({ from: after(2) }), await kit.watch({ from: after(2) })]
    kit.remove('pods/a/x')
    await kit.settle()
    const objects = watchers.map(({ raw }) => raw[0]?.entry?.object())
    deepEqual([objects[0]?.metadata.resourceVersion, counts.decoded], ['3', 1])
    equal(objects[0], objects[1])
    await kit.feed.close()
  })

  it('entries of an initial state are framed around their kept bytes', async () => {
    const kit = await startKit()
    kit.put('pods/a/x')
    await kit.settle()
    const { raw } = await kit.watch({ from: { kind: 'state', at: { kind: 'any' } } })
    await kit.settle()
    const [event] = raw
    const bytes = event?.entry?.bytes(jsonEncoding)
    const inParts: FrameEncoding = { id: 7, encode: ({ entry }) => (entry ? [entry.bytes(jsonEncoding)] : []) }
    equal(event?.frame(inParts)[0], bytes)
    await kit.feed.close()
  })

  it('are forgotten by the frame budget with the history of their events', async () => {
    const kit = await startKit({ historyEventsMin: 2, historyEventsMax: 4 })
    const watching = await kit.watch()
    await kit.settle()
    kit.put('pods/a/x')
    await kit.settle()
    const [event] = watching.raw
    const frame = event?.frame(jsonFrame)
    equal(event?.frame(jsonFrame)[0], frame?.[0])
    for (let number = 0; number < 10; number++) kit.put('pods/a/y')
    deepEqual(event?.frame(jsonFrame), frame)
    await kit.feed.close()
  })
})
