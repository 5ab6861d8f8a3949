import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom } from '../../../lib/base/index.ts'
import type { KindDefinition } from '../../../lib/kinds/index.ts'
import { nameRules } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { asRevision, toResourceVersion } from '../../../lib/object/index.ts'
import type { ResourceParts, WriteContext } from '../../../lib/registry/context.ts'
import { deleteObject } from '../../../lib/registry/delete.ts'
import { deletionFinalizers } from '../../../lib/registry/finalizers.ts'
import type { DeleteRequestOptions } from '../../../lib/request/index.ts'
import { parseDeleteOptions } from '../../../lib/request/index.ts'

const none = parseDeleteOptions(new URLSearchParams())
const context: WriteContext = { user: { name: 'u', uid: '', groups: [], extra: {} }, dryRun: false, warn() {} }
const target = { namespace: 'n', name: 'p', key: '/k/n/p' }

/** A kind with grace over a store of one object, which counts its writes. */
function createWorld(metadata: object, graceSeconds: number | undefined, garbageCollection = true) {
  let stored: ApiObject | undefined = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u', ...metadata },
  }
  let revision = 1
  const clock = createFakeClock(Date.parse('2024-01-01T00:00:00Z'))
  const kind: KindDefinition = {
    group: '',
    kind: 'Pod',
    nameRule: nameRules.subdomain,
    strategy: { gracePeriodSeconds: (_object, requested) => requested ?? graceSeconds },
  }
  const value = () =>
    stored && {
      key: target.key,
      value: Buffer.from(JSON.stringify(stored)),
      createRevision: asRevision(1),
      modRevision: asRevision(revision),
    }
  const world = {
    writes: [] as string[],
    /** What the cache goes on showing, whatever is stored. */
    cached: undefined as object | undefined,
    cache() {
      const { value: bytes, modRevision } = value() ?? assert.fail('nothing to cache')
      const object = parts.codec.decodeFromStorage(bytes, toResourceVersion(modRevision))
      world.cached = { object: () => object, stored: bytes, revision: modRevision }
    },
    /** As others do. */
    replace(others: object) {
      stored = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', ...others } }
      revision++
    },
    current: () => stored,
    clock,
    delete: (options: Partial<DeleteRequestOptions> = {}) =>
      deleteObject(parts, target, { ...none, ...options }, context),
  }
  const store = {
    get: () => Promise.resolve({ value: value(), revision: asRevision(revision) }),
    update: (_key: string, bytes: Uint8Array) => {
      world.writes.push('update')
      stored = JSON.parse(Buffer.from(bytes).toString()) as ApiObject
      return Promise.resolve({ ok: true, revision: asRevision(++revision) })
    },
    delete: () => {
      world.writes.push('delete')
      stored = undefined
      return Promise.resolve({ ok: true, revision: asRevision(++revision) })
    },
  }
  const parts = {
    definition: {
      gvr: { group: '', version: 'v1', resource: 'pods' },
      gvk: { group: '', version: 'v1', kind: 'Pod' },
      table: {},
    },
    kind,
    cache: { peek: () => world.cached },
    codec: {
      encodeForStorage: (object: ApiObject) => Buffer.from(JSON.stringify(object)),
      decodeFromStorage(bytes: Uint8Array, resourceVersion: string) {
        const object = JSON.parse(Buffer.from(bytes).toString()) as ApiObject
        object.metadata.resourceVersion = toResourceVersion(asRevision(Number(resourceVersion)))
        return object
      },
    },
    store,
    clock,
    random: createSeededRandom(1),
    gate: () => false,
    hooks: () => undefined,
    garbageCollection,
  } as unknown as ResourceParts
  return world
}

describe('graceful deletion', () => {
  it('marks the object with its period, and bumps a generation', async () => {
    const world = createWorld({ generation: 3 }, 30)
    const removed = await world.delete()
    assert.equal(removed.deleted, false)
    assert.deepEqual(world.writes, ['update'])
    const { metadata } = removed.object
    assert.equal(metadata.deletionTimestamp, '2024-01-01T00:00:30Z')
    assert.equal(metadata.deletionGracePeriodSeconds, 30)
    assert.equal(metadata.generation, 4)
  })

  it('can only be shortened', async () => {
    const world = createWorld({}, 30)
    await world.delete()
    const longer = await world.delete({ gracePeriodSeconds: 60 })
    assert.equal(longer.object.metadata.deletionGracePeriodSeconds, 30)
    const same = await world.delete()
    assert.equal(same.object.metadata.deletionGracePeriodSeconds, 30)
    assert.deepEqual(world.writes, ['update'])
    const shorter = await world.delete({ gracePeriodSeconds: 10 })
    assert.equal(shorter.object.metadata.deletionTimestamp, '2024-01-01T00:00:10Z')
    assert.equal(shorter.object.metadata.deletionGracePeriodSeconds, 10)
  })

  it('does not confuse an object with one of its name that was being deleted and is still in the cache', async () => {
    const world = createWorld({ finalizers: ['x/y'] }, undefined)
    await world.delete()
    world.cache()
    world.replace({ uid: 'another' })
    const removed = await world.delete()
    assert.deepEqual([removed.deleted, removed.object.metadata.uid], [true, 'another'])
    assert.equal(world.current(), undefined)
  })

  it('a deletion without a period removes at once', async () => {
    const world = createWorld({}, 30)
    const removed = await world.delete({ gracePeriodSeconds: 0 })
    assert.equal(removed.deleted, true)
    assert.equal(world.current(), undefined)
  })

  it('a deletion that is shortened to nothing removes at once', async () => {
    const world = createWorld({}, 30)
    await world.delete()
    assert.equal((await world.delete({ gracePeriodSeconds: 0 })).deleted, true)
    assert.equal(world.current(), undefined)
  })

  it('treats a negative period as one second', async () => {
    const world = createWorld({}, 30)
    assert.equal((await world.delete({ gracePeriodSeconds: -5 })).object.metadata.deletionGracePeriodSeconds, 1)
  })

  it('a deletion without a period waits for finalizers all the same', async () => {
    const world = createWorld({ finalizers: ['a/b'] }, 30)
    const removed = await world.delete({ gracePeriodSeconds: 0 })
    assert.equal(removed.deleted, false)
    assert.deepEqual(removed.object.metadata.finalizers, ['a/b'])
    assert.equal(removed.object.metadata.deletionGracePeriodSeconds, 0)
  })

  it('finishes a deletion that was marked with no period and never carried out', async () => {
    const world = createWorld({ deletionTimestamp: '2023-12-31T00:00:00Z', deletionGracePeriodSeconds: 0 }, 30)
    assert.equal((await world.delete()).deleted, true)
    assert.equal(world.current(), undefined)
  })

  it('a deletion whose period is over lets the next request choose the fate of the dependents', async () => {
    const world = createWorld({ finalizers: ['a/b'] }, 30)
    await world.delete({ gracePeriodSeconds: 0, propagationPolicy: 'Orphan' })
    assert.deepEqual(world.current()?.metadata.finalizers, ['a/b', 'orphan'])
    await world.delete({ gracePeriodSeconds: 1, propagationPolicy: 'Foreground' })
    assert.deepEqual(world.current()?.metadata.finalizers, ['a/b', 'foregroundDeletion'])
    assert.equal(world.current()?.metadata.deletionGracePeriodSeconds, 0)
  })

  it('a deletion of a kind that decides against grace removes at once', async () => {
    const world = createWorld({}, undefined)
    assert.equal((await world.delete()).deleted, true)
    assert.deepEqual(world.writes, ['delete'])
  })
})

describe('finalizers of the garbage collector', () => {
  it('keep the object until the collector has processed it', async () => {
    const world = createWorld({}, undefined)
    assert.equal((await world.delete({ propagationPolicy: 'Foreground' })).deleted, false)
    assert.deepEqual(world.current()?.metadata.finalizers, ['foregroundDeletion'])
  })

  it('are not added where there is no collector', async () => {
    const world = createWorld({}, undefined, false)
    assert.equal((await world.delete({ propagationPolicy: 'Foreground' })).deleted, true)
    assert.equal(world.current(), undefined)
  })

  const collected = { garbageCollected: true, orphanByDefault: false }
  const rows: [string, string[], Partial<DeleteRequestOptions>, Partial<typeof collected>, string[]][] = [
    ['nothing asked', ['x/y'], {}, {}, ['x/y']],
    ['orphan', ['x/y'], { propagationPolicy: 'Orphan' }, {}, ['x/y', 'orphan']],
    ['foreground', [], { propagationPolicy: 'Foreground' }, {}, ['foregroundDeletion']],
    ['background over an own finalizer', ['orphan', 'x/y'], { propagationPolicy: 'Background' }, {}, ['x/y']],
    ['an own finalizer', ['orphan'], {}, {}, ['orphan']],
    [
      'another policy than the own finalizer',
      ['orphan'],
      { propagationPolicy: 'Foreground' },
      {},
      ['foregroundDeletion'],
    ],
    ['orphanDependents', [], { orphanDependents: true }, {}, ['orphan']],
    ['not orphanDependents', ['foregroundDeletion'], { orphanDependents: false }, {}, []],
    ['the resource’s default', [], {}, { orphanByDefault: true }, ['orphan']],
    ['what no collector looks at', [], { propagationPolicy: 'Orphan' }, { garbageCollected: false }, []],
  ]
  for (const [title, finalizers, options, resource, expected] of rows) {
    it(`${title}: ${expected.join(', ') || 'none'}`, () => {
      assert.deepEqual(deletionFinalizers(finalizers, { ...none, ...options }, { ...collected, ...resource }), expected)
    })
  }
})
