import assert from 'node:assert/strict'
import { listEntries, listObjects, listPages, type ResourceRegistry } from '../../../lib/registry/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

describe('registry: lists', () => {
  let kit: EndpointKit
  let maps: ResourceRegistry
  before(async () => {
    kit = await createEndpointKit()
    for (const namespace of ['n1', 'n2']) {
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
      for (const name of ['a', 'b', 'c'])
        await kit.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body: { metadata: { name } } })
    }
    const found = kit.registry.resource({ group: '', resource: 'configmaps' })
    assert.ok(found)
    maps = found
  })
  after(() => kit.close())

  const namesOf = (objects: readonly { metadata: { namespace?: string; name?: string } }[]): string[] =>
    objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)

  it('have the objects of a namespace, or of all; none of a resource that is not served', async () => {
    assert.deepEqual(namesOf(await listObjects(maps, 'n2', { at: 'latest' })), ['n2/a', 'n2/b', 'n2/c'])
    assert.equal((await listObjects(maps, '', { at: 'latest' })).length, 6)
    assert.equal((await listEntries(maps, 'n1', { at: 'any' })).length, 3)
    assert.deepEqual(await listEntries(undefined, '', { at: 'any' }), [])
    assert.deepEqual(await listObjects(maps, 'n', { at: 'latest' }), [])
  })

  it('have pages of the requested size, each read when its turn comes', async () => {
    const pages: string[][] = []
    const { signal } = new AbortController()
    for await (const page of listPages(maps, { pageMax: 4, signal })) {
      pages.push(namesOf(page))
      if (pages.length === 1) await kit.request('DELETE', '/api/v1/namespaces/n2/configmaps/c')
    }
    assert.deepEqual(pages, [['n1/a', 'n1/b', 'n1/c', 'n2/a'], ['n2/b']])
  })

  it('end with the signal', async () => {
    const aborter = new AbortController()
    const pages = listPages(maps, { pageMax: 1, signal: aborter.signal })
    await pages.next()
    aborter.abort(new Error('enough'))
    await assert.rejects(pages.next(), /enough/)
  })
})
