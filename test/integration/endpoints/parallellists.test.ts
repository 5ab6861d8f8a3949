import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const namespaces = ['one', 'two', 'three']
const count = 250

describe('large lists of one kind that are written at the same time', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    for (const namespace of namespaces) {
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
      for (let index = 0; index < count; index++) {
        const data = { text: `${namespace} ${index} `.repeat(200 + index) }
        const body = { metadata: { name: `m${index}` }, data }
        // Its answer in another format, so that the lists have no JSON that is kept already.
        const headers = { accept: 'application/vnd.kubernetes.protobuf', 'content-type': 'application/json' }
        const { status } = await kit.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body, headers })
        assert.equal(status, 201)
      }
    }
  })
  after(() => kit.close())

  for (const [title, query, accept] of [
    ['JSON', '', 'application/json'],
    ['indented JSON', '?pretty=1', 'application/json'],
    ['YAML', '', 'application/yaml'],
    ['partial metadata', '', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'],
    ['protobuf', '', 'application/vnd.kubernetes.protobuf'],
    [
      'partial metadata in protobuf',
      '',
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    ],
  ] as const)
    it(`${title} contains nothing of another list`, async () => {
      const urls = namespaces.map((namespace) => `/api/v1/namespaces/${namespace}/configmaps${query}`)
      const alone: string[] = []
      for (const url of urls) alone.push((await kit.request('GET', url, { headers: { accept } })).text)
      const rounds = Array.from({ length: 4 }, () => urls).flat()
      const together = await Promise.all(rounds.map((url) => kit.request('GET', url, { headers: { accept } })))
      for (const [index, answer] of together.entries()) assert.equal(answer.text === alone[index % urls.length], true)
      if (accept !== 'application/json') return
      const { items } = JSON.parse(alone[0] ?? '') as { items: (ApiObject & { data: { text: string } })[] }
      assert.equal(items.length, count)
      for (const { data } of items) assert.match(data.text, /^(?:one \d+ )+$/)
    })
})
