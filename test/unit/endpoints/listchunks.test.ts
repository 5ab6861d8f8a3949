import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const path = '/api/v1/namespaces/default/configmaps'
const objects = 400
const forms = [
  ['as objects', 'application/json'],
  ['as their metadata', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'],
] as const
const caches = [
  ['kept from their writers', {}],
  ['not kept', { entryBytesMax: 0 }],
] as const

for (const [how, cache] of caches)
  describe(`large lists in JSON, of objects that are ${how}`, () => {
    let kit: EndpointKit
    before(async () => {
      kit = await createEndpointKit({ cache })
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
      for (let i = 0; i < objects; i++) {
        const metadata = { name: `c${i}`, labels: { third: String(i % 3) }, annotations: { note: '<é>'.repeat(200) } }
        const body = { metadata, ...(i % 7 === 0 ? {} : { data: { text: `${i} `.repeat(100 + i) } }) }
        const { status } = await kit.request('POST', path, { body })
        assert.equal(status, 201)
      }
      // Of another server, which stores JSON: it has to be decoded.
      const metadata = { name: 'other', namespace: 'default', uid: 'u', creationTimestamp: '2024-05-14T09:30:00Z' }
      const other = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { ...metadata, labels: { third: '1' } } }
      await kit.store.create('/registry/configmaps/default/other', Buffer.from(JSON.stringify(other)))
    })
    after(() => kit.close())

    /** The items one by one, in pages that are too small to be written while they are sent. */
    async function itemsInPages(accept: string, query: string): Promise<unknown[]> {
      const items: unknown[] = []
      for (let next = ''; ; ) {
        const { json } = await kit.request('GET', `${path}?limit=5${query}${next}`, { headers: { accept } })
        items.push(...json.items)
        if (!json.metadata.continue) return items
        next = `&continue=${json.metadata.continue}`
      }
    }

    for (const [form, accept] of forms)
      for (const [which, query, count] of [
        ['all', '', objects + 1],
        ['some', '&labelSelector=third%3D1', Math.ceil(objects / 3)],
      ] as const)
        it(`hold, ${form}, what pages hold: ${which}`, async () => {
          const expected = await itemsInPages(accept, query)
          assert.equal(expected.length, count)
          for (let round = 0; round < 2; round++) {
            const { status, json } = await kit.request('GET', `${path}?${query.slice(1)}`, { headers: { accept } })
            assert.equal(status, 200)
            assert.deepEqual(json.items, expected)
            assert.deepEqual(Object.keys(json.metadata), ['resourceVersion'])
          }
        })

    it('are refused before anything is sent when an object can not be read', async () => {
      await kit.store.create('/registry/configmaps/default/zz', Buffer.from('no object at all'))
      for (const [, accept] of forms)
        await assert.rejects(kit.request('GET', path, { headers: { accept } }), { name: 'UnreadableObject' })
    })
  })
