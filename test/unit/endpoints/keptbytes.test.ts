import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const url = '/api/v1/namespaces/a/configmaps'
/** More than the kit has encodings. */
const idsMax = 1000

describe('bytes kept with an object', () => {
  let kits: EndpointKit[]

  before(async () => {
    const writer = await createEndpointKit()
    await writer.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'a' } } })
    await writer.request('POST', url, { body: { metadata: { name: 'c' }, data: { key: 'value' } } })
    // Another replica has nothing from the write.
    kits = [await createEndpointKit({ store: writer.store }), writer]
  })
  after(async () => {
    for (const kit of kits) await kit.close()
  })

  for (const accept of ['application/json', 'application/yaml'])
    it(`are one copy after a get in ${accept}`, async () => {
      const [reader] = kits
      assert.ok(reader)
      const answer = await reader.request('GET', `${url}/c`, { headers: { accept } })
      assert.equal(answer.status, 200)
      const cache = reader.registry.resource({ group: '', resource: 'configmaps' })?.cache
      const { entry } = (await cache?.get('/registry/configmaps/a/c', { at: { kind: 'any' } })) ?? {}
      assert.ok(entry)
      const unused = (): never => assert.fail('nothing is encoded')
      const kept = Array.from({ length: idsMax }, (_, id) => entry.keptBytes({ id, encode: unused }))
      const texts = kept.filter((bytes) => bytes !== undefined).map((bytes) => Buffer.from(bytes).toString())
      assert.deepEqual(texts.filter((text) => text === answer.text).length, 1, texts.join('\n'))
      assert.equal(texts.length, accept === 'application/json' ? 1 : 2)
    })
})
