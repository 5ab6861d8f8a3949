import assert from 'node:assert/strict'
import type { Client, PartialObject } from '../../../lib/client/index.ts'
import { createLiveDependents } from '../../../lib/controllers/garbagecollector/livedependents.ts'
import { type Frozen, type ResourceType, resourceType, StatusError } from '../../../lib/object/index.ts'

const maps = resourceType('', 'v1', 'configmaps', 'ConfigMap', true)
const pods = resourceType('', 'v1', 'pods', 'Pod', true)
const nodes = resourceType('', 'v1', 'nodes', 'Node', false)

function owned(name: string, ...owners: string[]): Frozen<PartialObject> {
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }))
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid: name, ownerReferences } }
}

/** A server whose lists are answered by hand. */
class Lists {
  readonly asked: string[] = []
  readonly objects = new Map<string, Frozen<PartialObject>[]>()
  failure: Error | undefined
  hold: Promise<void> = Promise.resolve()

  readonly client = {
    metadata: (type: ResourceType) => ({
      listAll: async ({ namespace = '' }: { readonly namespace?: string } = {}) => {
        this.asked.push(`${namespace}/${type.resource}`)
        await this.hold
        if (this.failure && type === pods) throw this.failure
        return { metadata: {}, items: [...(this.objects.get(type.resource) ?? [])] }
      },
    }),
    // No other method is called.
  } as unknown as Client
}

describe('dependents as the server has them', () => {
  const of = (lists: Lists) => createLiveDependents(lists.client, () => [maps, pods, nodes])

  it('are found in every resource of the namespace of their owner', async () => {
    const lists = new Lists()
    lists.objects.set('configmaps', [owned('a', 'x'), owned('b', 'y', 'x'), owned('c')])
    lists.objects.set('pods', [owned('p', 'x')])
    const found = await of(lists).of('x', 'default')
    assert.deepEqual(found.map(({ type, object }) => `${type.resource} ${object.metadata.name}`).sort(), [
      'configmaps a',
      'configmaps b',
      'pods p',
    ])
    assert.deepEqual(lists.asked.sort(), ['default/configmaps', 'default/pods'])
  })

  it('are looked for in all namespaces for an owner that has none', async () => {
    const lists = new Lists()
    await of(lists).of('x', '')
    assert.deepEqual(lists.asked.sort(), ['/configmaps', '/nodes', '/pods'])
  })

  it('are never those of a listing that began before the request; requests that wait share the next one', async () => {
    const lists = new Lists()
    const live = of(lists)
    const { promise, resolve } = Promise.withResolvers<void>()
    lists.hold = promise
    const first = live.of('x', 'default')
    const others = [live.of('x', 'default'), live.of('y', 'default'), live.of('z', 'default')]
    await Promise.resolve()
    assert.equal(lists.asked.length, 2)
    resolve()
    assert.deepEqual(await first, [])
    lists.objects.set('pods', [owned('p', 'x', 'z')])
    assert.deepEqual(
      (await Promise.all(others)).map((found) => found.length),
      [1, 0, 1],
    )
    assert.equal(lists.asked.length, 4)
  })

  it('are not known while a resource cannot be listed; one that fails six times in a row is left out', async () => {
    const lists = new Lists()
    lists.failure = new StatusError(503, 'ServiceUnavailable', 'not ready')
    lists.objects.set('configmaps', [owned('a', 'x')])
    const live = of(lists)
    for (let attempt = 1; attempt <= 5; attempt++) await assert.rejects(live.of('x', 'default'), { code: 503 })
    assert.equal((await live.of('x', 'default')).length, 1)
    lists.failure = undefined
    await live.of('x', 'default')
    lists.failure = new StatusError(503, 'ServiceUnavailable', 'not ready')
    await assert.rejects(live.of('x', 'default'), { code: 503 })
  })

  it('are none in a resource that is served no more', async () => {
    const lists = new Lists()
    lists.failure = new StatusError(404, 'NotFound', 'the server could not find the requested resource')
    assert.deepEqual(await of(lists).of('x', 'default'), [])
  })
})
