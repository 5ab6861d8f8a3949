import assert from 'node:assert/strict'
import { nestingMax } from '../../../lib/codec/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const path = '/apis/apps/v1/namespaces/default/controllerrevisions'
const protobuf = 'application/vnd.kubernetes.protobuf'

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
}

/** A ControllerRevision as a client's protobuf, its data a text of JSON as it stands. */
function revisionMessage(name: string, data: string): Buffer {
  const type = Buffer.concat([field(1, 'apps/v1'), field(2, 'ControllerRevision')])
  const metadata = Buffer.concat([field(1, name), field(3, 'default')])
  const message = Buffer.concat([field(1, metadata), field(2, field(1, data)), Buffer.from([24, 1])])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, message)])
}

function nested(depth: number): string {
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
}

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
    it(`are taken or refused alike as ${contentType}`, async () => {
      assert.equal(await post('fits', depthMax, contentType), 201)
      for (const depth of [nestingMax, 3000, 9000, 50_000]) assert.equal(await post('deep', depth, contentType), 400)
    })

  it('that were taken as protobuf can be listed in every format, patched and deleted', async () => {
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
