import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const path = '/api/v1/namespaces/default/configmaps'
const objects = 400
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const forms = [
  ['as objects', 'application/json', ''],
  ['as their metadata', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', ''],
  ['as a table', table, ''],
  ['as a table of whole objects', table, '&includeObject=Object'],
  ['as a table of cells', table, '&includeObject=None'],
] as const
const caches = [
  ['kept from their writers', {}],
  ['not kept', { entryBytesMax: 0 }],
] as const

type Json = Awaited<ReturnType<EndpointKit['request']>>['json']

/** Items, or the rows of a table without their ages. */
function itemsOf(json: Json): unknown[] {
  const { rows } = json as unknown as { rows?: { cells: unknown[] }[] }
  return rows?.map(({ cells, ...rest }) => ({ cells: cells.slice(0, -1), ...rest })) ?? json.items
}

for (const [how, cache] of caches)
  describe(`large lists of objects that are ${how}`, () => {
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
        items.push(...itemsOf(json))
        if (!json.metadata.continue) return items
        next = `&continue=${json.metadata.continue}`
      }
    }

    for (const [form, accept, include] of forms)
      for (const [which, query, count] of [
        ['all', '', objects + 1],
        ['some', '&labelSelector=third%3D1', Math.ceil(objects / 3)],
      ] as const)
        it(`hold, ${form}, what pages hold: ${which}`, async () => {
          const expected = await itemsInPages(accept, query + include)
          assert.equal(expected.length, count)
          // What the first list makes for itself the second one keeps.
          for (let round = 0; round < 3; round++) {
            const { status, json } = await kit.request('GET', `${path}?${(query + include).slice(1)}`, {
              headers: { accept },
            })
            assert.equal(status, 200)
            assert.deepEqual(itemsOf(json), expected)
            assert.deepEqual(Object.keys(json.metadata), ['resourceVersion'])
          }
        })

    for (const [form, as, expected] of [
      ['as objects', '', { group: '', version: 'v1', kind: 'ConfigMapList' }],
      [
        'as their metadata',
        ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
        { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadataList' },
      ],
    ] as const)
      it(`hold, ${form}, the same in protobuf as in JSON`, async () => {
        const mediaType = 'application/vnd.kubernetes.protobuf'
        const inJson = await kit.request('GET', path, { headers: { accept: `application/json${as}` } })
        const { status, bytes } = await kit.request('GET', path, { headers: { accept: `${mediaType}${as}` } })
        assert.equal(status, 200)
        const { object } = kit.scheme.objects.decodeObject(bytes, { mediaType, expected, defaults: false })
        const again = kit.scheme.objects.encodeObject(object, { mediaType: 'application/json' })
        const list = JSON.parse(Buffer.from(again).toString()) as Json
        assert.equal(list.items.length, objects + 1)
        const bare = inJson.json.items.map(({ kind: _, apiVersion: __, ...item }) => item)
        assert.deepEqual(
          list.items.map(({ kind: _, apiVersion: __, ...item }) => item),
          bare,
        )
        assert.deepEqual(list.metadata, inJson.json.metadata)
      })

    it('do not mix when two are sent at once, piece by piece', async () => {
      const lists = ['application/json', table, table].map(async (accept) => {
        const { json } = await kit.request('GET', `${path}?pretty=true`, { headers: { accept } })
        const { rows } = json as unknown as { rows?: { object: { metadata: { name: string } } }[] }
        return (rows?.map(({ object }) => object) ?? json.items).map(({ metadata }) => metadata.name)
      })
      const [names = [], ...others] = await Promise.all(lists)
      assert.equal(names.length, objects + 1)
      for (const other of others) assert.deepEqual(other, names)
    })

    it('are refused before anything is sent when an object can not be read', async () => {
      await kit.store.create('/registry/configmaps/default/zz', Buffer.from('no object at all'))
      for (const [, accept] of forms)
        await assert.rejects(kit.request('GET', path, { headers: { accept } }), { name: 'UnreadableObject' })
    })
  })
