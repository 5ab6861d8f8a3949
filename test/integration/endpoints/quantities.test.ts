import assert from 'node:assert/strict'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import type { Loose } from '../../support/kindcases.ts'

const inDefault = '/api/v1/namespaces/default'
const merge = { 'content-type': 'application/merge-patch+json' }

describe('endpoints: quantities written in another way', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  const container = (memory: string, env = '1Gi'): object => ({
    name: 'c',
    image: 'i',
    env: [{ name: 'SIZE', value: env }],
    resources: { requests: { memory, cpu: '1' }, limits: { memory } },
  })
  const put = (url: string, { json }: Answer, change: (object: Loose) => void): Promise<Answer> => {
    const body = structuredClone(json) as Loose
    change(body)
    return kit.request('PUT', url, { body })
  }

  it('are stored as sent, and change no pod', async () => {
    const url = `${inDefault}/pods/p`
    const made = await kit.request('POST', `${inDefault}/pods`, {
      body: { metadata: { name: 'p' }, spec: { containers: [container('1Gi')] } },
    })
    const rewritten = await put(url, made, ({ spec }) => {
      spec.containers = [container('1073741824')]
      spec.containers[0].resources.requests.cpu = '1000m'
    })
    assert.equal(rewritten.status, 200, rewritten.text)
    const { metadata, spec } = rewritten.json as Loose
    assert.deepEqual(spec['containers'][0].resources, {
      requests: { memory: '1073741824', cpu: '1' },
      limits: { memory: '1073741824' },
    })
    assert.equal(metadata['generation'], 1)
    assert.notEqual(metadata['resourceVersion'], made.json.metadata.resourceVersion)
    assert.deepEqual((await kit.request('GET', url)).json, rewritten.json)

    const other = await put(url, rewritten, ({ spec }) => (spec.containers = [container('1073741825')]))
    assert.equal(other.status, 422, other.text)
    const text = await put(url, rewritten, ({ spec }) => (spec.containers = [container('1073741824', '1073741824')]))
    assert.equal(text.status, 422, 'elsewhere a text is a text')
  })

  it('increment no generation', async () => {
    const url = '/apis/apps/v1/namespaces/default/deployments'
    const labels = { a: 'b' }
    const made = await kit.request('POST', url, {
      body: {
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container('1Gi')] } },
        },
      },
    })
    const patch = (containers: object[]): Promise<Answer> =>
      kit.request('PATCH', `${url}/d`, { body: { spec: { template: { spec: { containers } } } }, headers: merge })
    assert.equal(made.status, 201, made.text)
    assert.equal((await patch([container('1024Mi')])).json.metadata.generation, 1)
    assert.equal((await patch([container('1073741824')])).json.metadata.generation, 1)
    assert.equal((await patch([container('2Gi')])).json.metadata.generation, 2)
  })

  it('leave a status unchanged that the endpoint keeps', async () => {
    const url = `${inDefault}/persistentvolumeclaims`
    const made = await kit.request('POST', url, {
      body: {
        metadata: { name: 'v' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    })
    assert.equal(made.status, 201, made.text)
    const bound = await put(
      `${url}/v/status`,
      made,
      (claim) => (claim['status'] = { phase: 'Bound', capacity: { storage: '1Gi' } }),
    )
    assert.equal(bound.status, 200, bound.text)
    const rewritten = await put(`${url}/v`, bound, (claim) => {
      claim['status'].capacity.storage = '1073741824'
      claim['metadata'].labels = { a: 'b' }
    })
    assert.equal(rewritten.status, 200, rewritten.text)
    assert.deepEqual((rewritten.json as Loose)['status'].capacity, { storage: '1Gi' })
  })
})
