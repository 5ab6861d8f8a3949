import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const why = 'name is neither a standard finalizer name nor is it fully qualified'

describe('endpoints: finalizers without a domain', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  const collections: readonly (readonly [url: string, body: object])[] = [
    ['/api/v1/namespaces/default/configmaps', {}],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', {}],
    ['/apis/coordination.k8s.io/v1/namespaces/default/leases', { spec: {} }],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', { value: 1 }],
  ]
  for (const [url, body] of collections) {
    const resource = url.slice(url.lastIndexOf('/') + 1)
    const send = (method: string, path: string, finalizers: readonly string[]) =>
      kit.request(method, path, { body: { ...body, metadata: { name: 'one', finalizers } } })

    it(`${resource}: unknown ones are refused on create and on update, standard ones are not`, async () => {
      const refused = await send('POST', url, ['orphan', 'mine'])
      assert.equal(refused.status, 422)
      assert.deepEqual(
        refused.json.details?.causes?.map(({ field, message }) => [field, message]),
        [['metadata.finalizers[1]', `Invalid value: "mine": ${why}`]],
      )
      const created = await send('POST', url, ['orphan', 'kubernetes', 'example.com/mine'])
      assert.equal(created.status, 201, created.text)
      const { resourceVersion } = created.json.metadata
      const metadata = { name: 'one', resourceVersion, finalizers: ['orphan', 'mine'] }
      const changed = await kit.request('PUT', `${url}/one`, { body: { ...body, metadata } })
      assert.equal(changed.status, 422)
      assert.deepEqual(
        changed.json.details?.causes?.map(({ field }) => field),
        ['metadata.finalizers[1]'],
      )
    })
  }

  it('kinds that extend the API accept any', async () => {
    const url = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
    const created = await kit.request('POST', url, { body: { metadata: { name: 'one', finalizers: ['mine'] } } })
    assert.equal(created.status, 201, created.text)
  })
})
