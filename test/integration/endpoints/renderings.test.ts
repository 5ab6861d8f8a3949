import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import type { Answer } from '../../support/endpointkit.ts'
import { eventually } from '../../support/eventually.ts'

const partial = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const table = 'as=Table;g=meta.k8s.io;v=v1'
const forms: readonly (readonly [name: string, accept: string, query: string])[] = [
  ['JSON', 'application/json', ''],
  ['indented JSON', 'application/json', '&pretty=true'],
  ['YAML', 'application/yaml', ''],
  ['its metadata in JSON', `application/json;${partial}`, ''],
  ['its metadata in indented JSON', `application/json;${partial}`, '&pretty=true'],
  ['its metadata in YAML', `application/yaml;${partial}`, ''],
  ['its metadata in protobuf', `application/vnd.kubernetes.protobuf;${partial}`, ''],
  ['a table in JSON', `application/json;${table}`, ''],
  ['a table in YAML', `application/yaml;${table}`, ''],
  ['a table with objects', `application/json;${table}`, '&includeObject=Object'],
  ['a table without objects', `application/json;${table}`, '&includeObject=None'],
]
const resources = [
  { what: 'a config map', apiVersion: 'v1', kind: 'ConfigMap', base: '/api/v1', plural: 'configmaps', binary: true },
  {
    what: 'a custom object',
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    base: '/apis/example.com/v1',
    plural: 'widgets',
    binary: false,
  },
] as const

for (const { what, apiVersion, kind, base, plural, binary } of resources)
  describe(`the answers of all verbs about ${what}`, () => {
    const collection = `${base}/namespaces/default/${plural}`
    const one = `${collection}/x?`
    const only = `${collection}?fieldSelector=metadata.name%3Dx`
    let kit: CrdKit

    before(async () => {
      kit = await createCrdKit()
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
      await kit.define(definitionOf({ kind: 'Widget' }))
      // So old that its age is the same in all answers.
      const metadata = { name: 'x', namespace: 'default', uid: 'u', creationTimestamp: '2019-01-01T00:00:00Z' }
      const stored = JSON.stringify({ apiVersion, kind, metadata: { ...metadata, generation: 1 } })
      const prefix = kind === 'Widget' ? 'example.com/widgets' : plural
      await kit.store.create(`/registry/${prefix}/default/x`, Buffer.from(stored))
      const body = {
        metadata: { labels: { a: 'b' }, annotations: { note: '<é>' } },
        ...(kind === 'ConfigMap' ? { data: { b: '&' } } : {}),
      }
      assert.equal((await merge(body, one, 'application/json')).status, 200)
    })
    after(() => kit.close())

    function merge(body: object, url: string, accept: string): Promise<Answer> {
      return kit.request('PATCH', url, { body, headers: { accept, 'content-type': 'application/merge-patch+json' } })
    }

    /** The first event of a watch. */
    async function added(accept: string, query: string): Promise<ApiObject> {
      const stream = await kit.watch(`${only}&watch=true${query}`, { headers: { accept } })
      const [event] = await stream.until(1)
      stream.close()
      assert.equal(event?.type, 'ADDED')
      return event.object
    }

    const own = binary ? [...forms, ['protobuf', 'application/vnd.kubernetes.protobuf', ''] as const] : forms
    for (const [form, accept, query] of own) {
      it(`show it the same as ${form}: a read, an update and a patch`, async () => {
        const read = await kit.request('GET', one + query, { headers: { accept } })
        assert.equal(read.status, 200, read.text)
        const { json } = await kit.request('GET', one)
        const writes = [
          await kit.request('PUT', one + query, { body: json, headers: { accept } }),
          await merge({}, one + query, accept),
          await kit.request('PUT', `${one}&dryRun=All${query}`, { body: json, headers: { accept } }),
        ]
        for (const { status, bytes, headers } of writes) {
          assert.equal(status, 200)
          assert.deepEqual(headers['content-type'], read.headers['content-type'])
          assert.equal(Buffer.from(bytes).toString('latin1'), Buffer.from(read.bytes).toString('latin1'))
        }
      })
      if (!accept.startsWith('application/json')) continue
      it(`show it the same as ${form}: a read, a list and a watch`, async () => {
        const { json: read } = await kit.request('GET', one + query, { headers: { accept } })
        const listed = await kit.request('GET', only + query, {
          headers: { accept: accept.replace('as=PartialObjectMetadata;', 'as=PartialObjectMetadataList;') },
        })
        assert.equal(listed.status, 200, listed.text)
        const event = await added(accept, query)
        if (accept.includes('as=Table')) {
          const { rows, columnDefinitions } = listed.json as ApiObject
          assert.deepEqual(
            { rows, columnDefinitions },
            { rows: read['rows'], columnDefinitions: read['columnDefinitions'] },
          )
          assert.deepEqual(event, read)
        } else {
          const [item, ...more] = listed.json.items
          const { apiVersion: shownVersion, kind: shownKind } = read
          assert.deepEqual([{ apiVersion: shownVersion, kind: shownKind, ...item }, ...more], [read])
          assert.deepEqual(event, read)
        }
      })
    }

    it('show it the same as JSON and as an object of a client in this process', async () => {
      const { json } = await kit.request('GET', one)
      const events = await kit.watchObjects(`${only}&watch=true`)
      await eventually(() => events.length > 0, 'the watch begins')
      assert.deepEqual(JSON.parse(JSON.stringify(events[0]?.object)), json)
    })
  })
