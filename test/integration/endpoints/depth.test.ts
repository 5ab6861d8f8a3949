import assert from 'node:assert/strict'
import { nestingMax } from '../../../lib/codec/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { nested, revisionMessage } from '../../support/nesting.ts'

const path = '/apis/apps/v1/namespaces/default/controllerrevisions'
const protobuf = 'application/vnd.kubernetes.protobuf'

/** What an embedded value nests at most: the object itself is one level. */
const depthMax = nestingMax - 2

describe('endpoints: values that nest deep', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  const post = async (name: string, depth: number, contentType: string): Promise<number> => {
    const text = `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":1,"data":${nested(depth)}}`
    const body = contentType === protobuf ? revisionMessage(name, nested(depth)) : text
    const { status } = await kit.request('POST', path, { body, headers: { 'content-type': contentType } })
    return status
  }

  for (const contentType of ['application/json', 'application/yaml', protobuf])
    it(`are accepted or refused alike as ${contentType}`, async () => {
      assert.equal(await post('fits', depthMax, contentType), 201)
      for (const depth of [nestingMax, 3000, 9000, 50_000]) assert.equal(await post('deep', depth, contentType), 400)
    })

  it('values that were accepted as protobuf can be listed in every format, patched and deleted', async () => {
    assert.equal(await post('deep', depthMax, protobuf), 201)
    for (const accept of [
      'application/json',
      'application/yaml',
      protobuf,
      'application/json;as=Table;g=meta.k8s.io;v=v1',
    ])
      for (const query of ['', '?pretty=true'])
        assert.equal((await kit.request('GET', path + query, { headers: { accept } })).status, 200)
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { metadata: { labels: { a: 'b' } } }
    assert.equal((await kit.request('PATCH', `${path}/deep`, { body, headers })).status, 200)
    assert.equal((await kit.request('DELETE', path)).status, 200)
  })
})
