import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { type ConversionHook, converting, createConversionHook } from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'

const collection = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`
const specOf = (object: ApiObject): unknown => object['spec']
const text = (value: string): object => ({ type: 'string', default: value })
const version = (name: string, storage: boolean, properties: object): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
})
/** Of v1, which is stored, v2 knows `both` alone. */
const versions = [
  version('v1', true, { both: text('of v1'), old: text('old') }),
  version('v2', false, { both: text('of v2'), new: text('new') }),
]

for (const strategy of ['None', 'Webhook'])
  describe(`custom resources: defaults through conversion by ${strategy}`, () => {
    let kit: CrdKit
    let hook: ConversionHook
    before(async () => {
      hook = await createConversionHook()
      hook.answer = converting((object, apiVersion) => ({ ...object, apiVersion }))
      kit = await createCrdKit()
      const spec = strategy === 'Webhook' ? { conversion: hook.conversion } : {}
      await kit.define(definitionOf({ versions, spec }))
    })
    after(async () => {
      await kit.close()
      hook.close()
    })

    it('an object that is stored without fields gets the defaults of its stored version, and no others', async () => {
      const metadata = { name: 'bare', namespace: 'default', uid: 'u' }
      const stored = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { unknown: 1 } }
      await kit.store.create('/registry/example.com/things/default/bare', Buffer.from(JSON.stringify(stored)))
      hook.calls = []
      for (const [name, expected] of [
        ['v1', { both: 'of v1', old: 'old' }],
        ['v2', { both: 'of v1' }],
      ] as const)
        assert.deepEqual(specOf((await kit.request('GET', `${collection(name)}/bare`)).json), expected, name)
      if (strategy === 'None') return
      const [call] = hook.calls
      assert.match(String(call), /"spec":\{"both":"of v1","old":"old"\}/, 'the webhook gets what v1 knows')
    })

    it('the answer to a write through another version is the same as a read of it', async () => {
      const object = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'w' }, spec: {} }
      const created = await kit.request('POST', collection('v2'), { body: object })
      assert.deepEqual([created.status, specOf(created.json)], [201, { both: 'of v2' }], created.text)
      const read = await kit.request('GET', `${collection('v2')}/w`)
      assert.deepEqual(read.json, created.json)
      const put = await kit.request('PUT', `${collection('v2')}/w`, {
        body: { ...created.json, spec: { both: 'x', new: 'y' } },
      })
      assert.deepEqual(specOf(put.json), { both: 'x' }, put.text)
      assert.deepEqual((await kit.request('GET', `${collection('v2')}/w`)).json, put.json)
      const dry = await kit.request('PATCH', `${collection('v2')}/w?dryRun=All`, {
        body: { spec: { both: 'z', new: 'z' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.deepEqual(specOf(dry.json), { both: 'z' }, dry.text)
      assert.deepEqual((await kit.request('GET', `${collection('v2')}/w`)).json, put.json, 'a dry run leaves no trace')
      assert.deepEqual(specOf((await kit.request('GET', `${collection('v1')}/w`)).json), { both: 'x', old: 'old' })
    })
  })
