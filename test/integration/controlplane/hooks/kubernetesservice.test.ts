import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, silentLogger, silentMetrics } from '../../../../lib/base/index.ts'
import { composeServices } from '../../../../lib/controlplane/api/serviceaddresses.ts'
import type { ServicesConfig } from '../../../../lib/controlplane/index.ts'
import { parseCidr } from '../../../../lib/object/index.ts'
import { createMemoryStore, type Store } from '../../../../lib/storage/index.ts'
import { createEndpointKit, type EndpointKit } from '../../../support/endpointkit.ts'
import { eventually, eventuallyEquals } from '../../../support/eventually.ts'

const service = '/api/v1/namespaces/default/services/kubernetes'
const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes'
const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'

/** The time after which a replica looks at its service again, and after which one that was killed is forgotten. */
const refreshMs = 10_000
const forgottenMs = 15_000

describe('the service kubernetes', () => {
  const clock = createFakeClock(Date.parse('2025-05-01T00:00:00Z'))
  let store: Store
  let kit: EndpointKit
  let open: { close(): Promise<void> }[]

  beforeEach(async () => {
    store = createMemoryStore({ clock, log: silentLogger })
    kit = await createEndpointKit({ store })
    open = []
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(async () => {
    for (const each of open) await each.close()
    await kit.close()
    await store.close()
  })

  /** A replica that keeps the service, and has looked after it once. */
  async function replica(
    advertised: string,
    config: Partial<ServicesConfig> = {},
    port = 6443,
  ): Promise<{ own: EndpointKit; close(): Promise<void> }> {
    const block = parseCidr('10.0.0.0/24')
    assert.ok(block)
    // Each with its own view of the store, as in a process of its own.
    const own = await createEndpointKit({ store })
    const { registry, scheme } = own
    const composed = composeServices(
      {
        blocks: [block],
        nodePorts: { first: 30_000, last: 32_767 },
        advertised,
        keepsEndpoints: true,
        ownNodePort: 0,
        ...config,
      },
      '/registry',
      {
        clock,
        random: createSeededRandom(1),
        log: silentLogger,
        metrics: silentMetrics,
        registry,
        scheme,
        store,
        gate: () => false,
        port: Promise.resolve(port),
      },
    )
    open.push(composed, own)
    const keeper = composed.hooks.find(({ name }) => name === 'bootstrap-controller')
    await keeper?.run()
    return { own, close: () => composed.close() }
  }

  /** As the kit's own view has it, which may be behind for a moment. */
  async function addresses(): Promise<unknown> {
    const { json } = await kit.request('GET', endpoints)
    const [subset] = (json['subsets'] ?? []) as { addresses: { ip: string }[] }[]
    return subset?.addresses.map(({ ip }) => ip)
  }

  const become = (wanted: readonly string[]): Promise<void> =>
    eventuallyEquals(
      async () => JSON.stringify(await addresses()),
      JSON.stringify(wanted),
      `addresses ${wanted.join(', ')}`,
    )

  it('has the first address of its block, and has the replicas as endpoints', async () => {
    await replica('192.0.2.1')
    const { spec } = (await kit.request('GET', service)).json as unknown as { spec: Record<string, unknown> }
    assert.equal(spec['clusterIP'], '10.0.0.1')
    assert.deepEqual(spec['ports'], [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }])
    await replica('192.0.2.2')
    assert.deepEqual(await addresses(), ['192.0.2.1', '192.0.2.2'])
    const { json } = await kit.request('GET', slice)
    assert.deepEqual(json['endpoints'], [
      { addresses: ['192.0.2.1'], conditions: { ready: true } },
      { addresses: ['192.0.2.2'], conditions: { ready: true } },
    ])
    assert.deepEqual(json['ports'], [{ name: 'https', port: 6443, protocol: 'TCP' }])
    assert.equal(json.metadata.labels?.['kubernetes.io/service-name'], 'kubernetes')
  })

  it('drops a replica that stops at another’s next check, and a killed one after a while', async () => {
    await replica('192.0.2.1')
    const second = await replica('192.0.2.2')
    await second.close()
    clock.advance(refreshMs)
    await become(['192.0.2.1'])

    const lease = '/registry/masterleases/192.0.2.3'
    const killed = kit.scheme.objects.encodeForStorage({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: '' } })
    await store.create(lease, killed, { ttlSeconds: forgottenMs / 1000 })
    clock.advance(refreshMs)
    await become(['192.0.2.1', '192.0.2.3'])
    clock.advance(refreshMs)
    await become(['192.0.2.1'])
  })

  it('is restored when it was deleted', async () => {
    const { own } = await replica('192.0.2.1')
    for (const url of [service, endpoints, slice]) {
      await own.request('DELETE', url)
      assert.equal((await own.request('GET', url)).status, 404)
    }
    clock.advance(refreshMs)
    await become(['192.0.2.1'])
    assert.equal((await kit.request('GET', service)).status, 200)
    await eventuallyEquals(async () => (await kit.request('GET', slice)).status, 200, 'the slice')
  })

  it('follows the flags of a replica’s start, and keeps later changes by clients', async () => {
    await replica('192.0.2.1')
    const { own } = await replica('192.0.2.1', { ownNodePort: 30_443 }, 7443)
    const spec = async (): Promise<Record<string, unknown>> =>
      ((await kit.request('GET', service)).json as unknown as { spec: Record<string, unknown> }).spec
    const nodePort = { name: 'https', port: 443, protocol: 'TCP', targetPort: 7443, nodePort: 30_443 }
    assert.deepEqual([(await spec())['type'], (await spec())['ports']], ['NodePort', [nodePort]])
    await own.request('PATCH', service, {
      body: { spec: { ports: [{ ...nodePort, targetPort: 8443 }] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await own.request('DELETE', endpoints)
    assert.equal((await own.request('GET', endpoints)).status, 404)
    clock.advance(refreshMs)
    await eventually(async () => (await addresses()) !== undefined, 'the endpoints again')
    assert.deepEqual((await spec())['ports'], [{ ...nodePort, targetPort: 8443 }])

    await replica('192.0.2.1')
    const plain = { name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }
    assert.deepEqual([(await spec())['type'], (await spec())['ports']], ['ClusterIP', [plain]])
  })

  for (const loopback of ['127.0.0.1', '127.1.2.3', '::1'])
    it(`has no endpoints where the replica can only be reached at ${loopback}`, async () => {
      await replica(loopback)
      assert.equal((await kit.request('GET', service)).status, 200)
      assert.equal((await kit.request('GET', endpoints)).status, 404)
    })

  it('leaves the endpoints alone with --endpoint-reconciler-type=none', async () => {
    await replica('192.0.2.1', { keepsEndpoints: false })
    assert.equal((await kit.request('GET', endpoints)).status, 404)
  })
})
