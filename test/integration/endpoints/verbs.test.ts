import assert from 'node:assert/strict'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'

describe('endpoints: the verbs of a ConfigMap', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  it('create, read, change and delete it', async () => {
    const watching = await kit.watch(`${configMaps}?watch=1`)
    const created = await kit.request('POST', configMaps, { body: { metadata: { name: 'c1' }, data: { a: 'b' } } })
    assert.equal(created.status, 201, created.text)
    const { metadata } = created.json
    assert.match(metadata.uid ?? '', /^[0-9a-f-]{36}$/)
    assert.match(metadata.creationTimestamp ?? '', /Z$/)
    const read = await kit.request('GET', `${configMaps}/c1`)
    assert.equal(read.status, 200)
    assert.equal(read.text, created.text)
    assert.equal(read.headers['content-type'], 'application/json')

    const updated = await kit.request('PUT', `${configMaps}/c1`, { body: { ...created.json, data: { a: 'c' } } })
    assert.equal(updated.status, 200, updated.text)
    const patched = await kit.request('PATCH', `${configMaps}/c1`, {
      body: { data: { b: 'd' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    assert.deepEqual(patched.json.data, { a: 'c', b: 'd' })
    const list = await kit.request('GET', configMaps)
    assert.equal(list.json.kind, 'ConfigMapList')
    assert.deepEqual(
      list.json.items.map((item) => item.metadata.name),
      ['c1'],
    )
    const deleted = await kit.request('DELETE', `${configMaps}/c1`)
    assert.equal(deleted.json.status, 'Success')
    assert.equal((await kit.request('GET', `${configMaps}/c1`)).status, 404)
    const events = await watching.until(4)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED'],
    )
    assert.deepEqual(events[2]?.object.data, { a: 'c', b: 'd' })
    watching.close()
    await watching.finished
    assert.ok(watching.ended)
  })
})
