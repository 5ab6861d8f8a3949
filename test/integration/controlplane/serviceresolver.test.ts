import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { createServiceResolver } from '../../../lib/controlplane/api/serviceresolver.ts'
import { builtInKinds } from '../../../lib/kinds/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const namespace = 'default'
const web = { namespace, name: 'web', port: 443 }

describe('the resolver of services', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit({ kinds: builtInKinds })
    await make('/api/v1/namespaces', { metadata: { name: namespace } })
    await service('web', { clusterIP: '10.0.0.7', ports: [{ name: 'https', port: 443 }, { name: 'metrics', port: 9100 }] }) // biome-ignore format: one line
    await service('headless', { clusterIP: 'None', ports: [{ port: 443 }] })
    await service('elsewhere', { type: 'ExternalName', externalName: 'web.example.com' })
    await slice('web-1', 'web', [['10.1.0.1'], ['10.1.0.2'], ['10.1.0.3', false]])
    await slice('web-2', 'web', [['10.1.0.4']])
    await slice('other-1', 'other', [['10.1.0.5']])
  })
  after(async () => await kit.close())

  async function make(path: string, body: object): Promise<void> {
    const { status, text } = await kit.request('POST', path, { body })
    assert.equal(status, 201, text)
  }

  const service = (name: string, spec: object): Promise<void> =>
    make(`/api/v1/namespaces/${namespace}/services`, { metadata: { name }, spec })

  const slice = (name: string, of: string, endpoints: readonly [address: string, ready?: boolean][]): Promise<void> =>
    make(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
      metadata: { name, labels: { 'kubernetes.io/service-name': of } },
      addressType: 'IPv4',
      endpoints: endpoints.map(([address, ready = true]) => ({ addresses: [address], conditions: { ready } })),
      ports: [
        { name: 'metrics', port: 9000 },
        { name: 'https', port: 8443 },
      ],
    })

  const resolver = (toEndpoints: boolean) =>
    createServiceResolver(kit.registry, { random: createSeededRandom(1), toEndpoints })

  it("answers a service's cluster address, or its external name", async () => {
    const resolve = resolver(false)
    assert.deepEqual(await resolve(web), { host: '10.0.0.7', port: 443 })
    assert.deepEqual(await resolve({ ...web, name: 'elsewhere', port: 8080 }), { host: 'web.example.com', port: 8080 })
  })

  it('answers the ready endpoints of the port in turn, where it bypasses cluster addresses', async () => {
    const resolve = resolver(true)
    const counts = new Map<string, number>()
    for (let asked = 0; asked < 300; asked++) {
      const { host, port } = await resolve(web)
      assert.equal(port, 8443)
      counts.set(host, (counts.get(host) ?? 0) + 1)
    }
    assert.deepEqual([...counts.keys()].sort(), ['10.1.0.1', '10.1.0.2', '10.1.0.4'])
    for (const [host, count] of counts) assert.ok(count > 60, `${host} was chosen ${count} times of 300`)
    assert.equal((await resolve({ ...web, port: 9100 })).port, 9000)
  })

  const refused: readonly [title: string, toEndpoints: boolean, at: Partial<typeof web>, message: string][] = [
    ['does not exist', false, { name: 'nowhere' }, 'service "nowhere" not found'],
    ['has no such port', false, { port: 80 }, 'no service port 80 found for service "web"'],
    ['has no such port, at endpoints', true, { port: 80 }, 'no service port 80 found for service "web"'],
    ['has no address', false, { name: 'headless' }, 'cannot route to service with ClusterIP "None"'],
    ['has no endpoints', true, { name: 'headless' }, 'no endpoints available for service "headless"'],
  ]
  for (const [title, toEndpoints, at, message] of refused)
    it(`names the reason why a service can not be reached that ${title}`, async () => {
      await assert.rejects(async () => await resolver(toEndpoints)({ ...web, ...at }), { message })
    })
})
