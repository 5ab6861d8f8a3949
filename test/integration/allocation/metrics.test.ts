import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { createMemoryStore, type Store } from '../../../lib/storage/index.ts'
import { createReplica, type Replica, range } from '../../support/allocationkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'

const url = '/api/v1/namespaces/default/services'
const ports = [{ port: 80 }]

describe('allocation: metrics', () => {
  let store: Store
  let replica: Replica
  let other: Replica
  beforeEach(async () => {
    store = createMemoryStore({ clock: systemClock, log: silentLogger })
    replica = await createReplica(store, ['10.0.0.0/24', 'fd00::/112'], 1)
    other = await createReplica(store, ['10.0.0.0/24', 'fd00::/112'], 2)
    await replica.kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(async () => {
    await replica.close()
    await other.close()
    await store.close()
  })

  async function create(name: string, spec: object, query = '', at = replica): Promise<number> {
    const body = { metadata: { name }, spec: { ports, ...spec } }
    return (await at.kit.request('POST', `${url}${query}`, { body })).status
  }

  /** Samples of both families, without their common beginning and without durations. */
  async function samples(of = replica): Promise<Record<string, number>> {
    const { body } = await of.metrics.exposition()
    const found = body.matchAll(/^kube_apiserver_((?:clusterip|nodeport)_\S+) (\S+)$/gm)
    const all = Array.from(found, ([, name = '', value]) => [name.replace('_allocator', ''), Number(value)] as const)
    return Object.fromEntries(all.filter(([name]) => !name.includes('duration')))
  }

  /** Waits until addresses of the IPv4 block are as many. */
  async function untilAllocated(count: number, of = replica): Promise<void> {
    const allocated = 'clusterip_allocated_ips{cidr="10.0.0.0/24"}'
    await eventuallyEquals(async () => (await samples(of))[allocated], count, `${count} addresses`)
  }

  it('count allocations and failures, by block and by who chose the value', async () => {
    assert.equal(await create('any', {}), 201)
    assert.equal(await create('both', { ipFamilyPolicy: 'RequireDualStack' }), 201)
    assert.equal(await create('named', { clusterIP: '10.0.0.7' }), 201)
    assert.equal(await create('again', { clusterIP: '10.0.0.7' }), 422)
    assert.equal(await create('try', {}, '?dryRun=All'), 201)
    assert.equal(await create('node', { type: 'NodePort', clusterIP: '10.0.0.8' }), 201)
    const { base } = range
    const outside = [{ port: 80, nodePort: base - 1 }]
    assert.equal(await create('outside', { type: 'NodePort', clusterIP: '10.0.0.9', ports: outside }), 422)
    const expected = {
      'clusterip_allocation_total{cidr="10.0.0.0/24",scope="dynamic"}': 2,
      'clusterip_allocation_total{cidr="10.0.0.0/24",scope="static"}': 3,
      'clusterip_allocation_total{cidr="fd00::/112",scope="dynamic"}': 1,
      'clusterip_allocation_errors_total{cidr="10.0.0.0/24",scope="static"}': 1,
      'clusterip_allocated_ips{cidr="10.0.0.0/24"}': 4,
      'clusterip_allocated_ips{cidr="fd00::/112"}': 1,
      'clusterip_available_ips{cidr="10.0.0.0/24"}': 250,
      'clusterip_available_ips{cidr="fd00::/112"}': 65_534,
      'nodeport_allocation_total{scope="dynamic"}': 1,
      'nodeport_allocation_errors_total{scope="static"}': 1,
      nodeport_allocated_ports: 1,
      nodeport_available_ports: range.size - 1,
    }
    await untilAllocated(4)
    assert.deepEqual(await samples(), expected)
    const { body } = await replica.metrics.exposition()
    assert.match(
      body,
      /^kube_apiserver_clusterip_allocator_allocation_duration_seconds_count\{cidr="10\.0\.0\.0\/24"\} 5$/m,
    )
  })

  it('a full range counts as an error for dynamic and static requests', async () => {
    const many = (from: number) =>
      Array.from({ length: range.size / 2 }, (_, index) => ({ name: `p${index}`, port: from + index }))
    for (const [name, from] of [
      ['a', 100],
      ['b', 200],
    ] as const)
      assert.equal(await create(name, { type: 'NodePort', ports: many(from) }), 201)
    assert.equal(await create('c', { type: 'NodePort' }), 500)
    const { [`nodeport_allocation_errors_total{scope="dynamic"}`]: failed, nodeport_available_ports: left } =
      await samples()
    assert.deepEqual([failed, left], [1, 0])
  })

  it('show what other replicas have allocated and released', async () => {
    assert.equal(await create('any', {}), 201)
    await untilAllocated(1, other)
    await replica.kit.request('DELETE', `${url}/any`)
    await untilAllocated(0, other)
  })
})
