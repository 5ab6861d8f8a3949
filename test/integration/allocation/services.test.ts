import assert from 'node:assert/strict'
import { createAddressMaps } from '../../../lib/allocation/index.ts'
import { createSeededRandom, silentLogger, systemClock } from '../../../lib/base/index.ts'
import { parseCidr } from '../../../lib/object/index.ts'
import { createMemoryStore, type Store, StoreError } from '../../../lib/storage/index.ts'
import { createReplica, type Replica, range } from '../../support/allocationkit.ts'
import type { EndpointKit } from '../../support/endpointkit.ts'

const url = '/api/v1/namespaces/default/services'
interface Spec {
  clusterIP: string
  clusterIPs: string[]
  ipFamilies: string[]
  ipFamilyPolicy: string
  healthCheckNodePort?: number
  ports: { nodePort?: number }[]
}

describe('allocation: addresses and ports of services', () => {
  let store: Store
  let replica: Replica
  let kit: EndpointKit
  const others: Replica[] = []

  async function begin(blocks: readonly string[] = ['10.0.0.0/24']): Promise<void> {
    store = createMemoryStore({ clock: systemClock, log: silentLogger })
    replica = await createReplica(store, blocks, 1)
    kit = replica.kit
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  }
  beforeEach(() => begin())
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close()
    await replica.close()
    await store.close()
  })

  async function create(name: string, spec: object, at: EndpointKit = kit): Promise<Spec> {
    const { status, json } = await at.request('POST', url, { body: { metadata: { name }, spec } })
    assert.equal(status, 201, json.message ?? '')
    return json['spec'] as Spec
  }

  async function refused(name: string, spec: object): Promise<string> {
    const { status, json } = await kit.request('POST', url, { body: { metadata: { name }, spec } })
    assert.equal(status, 422, json.message ?? '')
    return json.message ?? ''
  }

  async function addresses(): Promise<string[]> {
    const { json } = await kit.request('GET', '/apis/networking.k8s.io/v1/ipaddresses')
    return json.items.map(({ metadata }) => metadata.name ?? '')
  }

  const ports = [{ port: 80 }]

  it('allocates an address that is an IPAddress object, and releases it', async () => {
    const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = await create('s', { ports })
    assert.deepEqual(
      { clusterIPs, ipFamilies, ipFamilyPolicy },
      {
        clusterIPs: [clusterIP],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
    )
    const { json } = await kit.request('GET', `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`)
    assert.deepEqual(json['spec'], { parentRef: { resource: 'services', namespace: 'default', name: 's' } })
    await kit.request('DELETE', `${url}/s`)
    assert.deepEqual(await addresses(), [])
  })

  it('allocates a requested address and port once', async () => {
    assert.equal((await create('a', { clusterIP: '10.0.0.7', ports })).clusterIP, '10.0.0.7')
    assert.equal(
      await refused('b', { clusterIP: '10.0.0.7', ports }),
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.7"]: failed to allocate IP 10.0.0.7: provided IP is already allocated',
    )
    assert.match(await refused('b', { clusterIP: '1.2.3.4', ports }), /The range of valid IPs is 10\.0\.0\.0\/24$/)
    assert.match(await refused('b', { clusterIP: '10.0.0.255', ports }), /is not in the valid range/)
    await kit.request('DELETE', `${url}/a`)
    assert.equal((await create('b', { clusterIP: '10.0.0.7', ports })).clusterIP, '10.0.0.7')
  })

  it('releases what it allocated for a service that is refused', async () => {
    await refused('s', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }, { port: 81 }] })
    assert.deepEqual(await addresses(), [])
    assert.equal(await replica.nodePorts.take(30_001), 'ok')
  })

  it('shares one node port between protocols, and refuses one that is allocated or out of range', async () => {
    const dns = [
      { name: 'tcp', port: 53, nodePort: 30_005 },
      { name: 'udp', port: 53, protocol: 'UDP' },
    ]
    const spec = await create('dns', { type: 'NodePort', ports: dns })
    assert.deepEqual(
      spec.ports.map(({ nodePort }) => nodePort),
      [30_005, 30_005],
    )
    assert.match(
      await refused('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_005 }] }),
      /spec\.ports\[0\]\.nodePort: Invalid value: 30005: provided port is already allocated$/,
    )
    assert.match(
      await refused('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
      /Invalid value: 80: provided port is not in the valid range\. The range of valid ports is 30000-30063$/,
    )
  })

  it('refuses a node port that two ports of a new service request, and an allocated one in a dry run, too', async () => {
    const two = [
      { name: 'a', port: 80, nodePort: 30_006 },
      { name: 'b', port: 81, protocol: 'UDP', nodePort: 30_006 },
    ]
    const why = /spec\.ports\[1\]\.nodePort: Invalid value: 30006: provided port is already allocated$/
    assert.match(await refused('s', { type: 'NodePort', ports: two }), why)
    assert.equal(await replica.nodePorts.take(30_006), 'ok')
    const dryRun = async (...given: object[]): Promise<string> => {
      const body = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: given } }
      return (await kit.request('POST', `${url}?dryRun=All`, { body })).json.message ?? ''
    }
    assert.match(await dryRun({ port: 80, nodePort: 30_006 }), /30006: provided port is already allocated$/)
    await replica.nodePorts.release([30_006])
    assert.match(await dryRun(...two), why)
    assert.equal(await dryRun({ port: 80, nodePort: 30_006 }), '')
    assert.equal(await replica.nodePorts.isTaken(30_006), false)
  })

  it('follows the type: ports are allocated and released, the address stays', async () => {
    const balancer = await create('s', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports })
    const health = balancer.healthCheckNodePort ?? 0
    const port = balancer.ports[0]?.nodePort ?? 0
    assert.ok(health !== 0 && port !== 0 && health !== port)
    const patch = async (spec: object): Promise<Spec> => {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const { status, json } = await kit.request('PATCH', `${url}/s`, { headers, body: { spec } })
      assert.equal(status, 200, json.message ?? '')
      return json['spec'] as Spec
    }
    const plain = await patch({ type: 'ClusterIP' })
    assert.equal(plain.clusterIP, balancer.clusterIP)
    assert.deepEqual(plain.ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }])
    assert.equal(plain.healthCheckNodePort, undefined)
    assert.deepEqual([await replica.nodePorts.take(port), await replica.nodePorts.take(health)], ['ok', 'ok'])
    const external = await patch({ type: 'ExternalName', externalName: 'example.com' })
    assert.equal(external.clusterIP, undefined)
    assert.deepEqual(await addresses(), [])
  })

  it('keeps a node port that an update leaves out', async () => {
    const { ports: given } = await create('s', { type: 'NodePort', ports: [{ name: 'a', port: 80 }] })
    const { json } = await kit.request('GET', `${url}/s`)
    const body = { ...json, spec: { type: 'NodePort', ports: [{ name: 'a', port: 8080 }] } }
    const updated = await kit.request('PUT', `${url}/s`, { body })
    const spec = updated.json['spec'] as Spec
    assert.equal(spec.ports[0]?.nodePort, given[0]?.nodePort)
    assert.equal(spec.clusterIP, (json['spec'] as Spec).clusterIP)
  })

  it('allocates nothing in a dry run', async () => {
    const { json } = await kit.request('POST', `${url}?dryRun=All`, {
      body: { metadata: { name: 's' }, spec: { type: 'NodePort', ports } },
    })
    assert.match((json['spec'] as Spec).clusterIP, /^10\.0\.0\./)
    assert.deepEqual(await addresses(), [])
    assert.equal((await store.get('/registry/ranges/servicenodeports')).value, undefined)
  })

  it('stores its map of node ports before the first allocation: the first repair creates it', async () => {
    await replica.repair.run()
    const { value } = await store.get('/registry/ranges/servicenodeports')
    assert.ok(value)
    const expected = { group: '', version: 'v1', kind: 'RangeAllocation' }
    const mediaType = 'application/vnd.kubernetes.protobuf'
    const { object } = kit.scheme.objects.decodeObject(value.value, { mediaType, expected })
    assert.deepEqual([object['range'], object['data'] ?? ''], ['30000-30063', ''])
    await replica.repair.run()
    const again = await store.get('/registry/ranges/servicenodeports')
    assert.equal(again.value?.modRevision, value.modRevision, 'and later ones leave it as it is')
  })

  it('allocates nothing twice, although two replicas allocate concurrently, until the range is full', async () => {
    const second = await createReplica(store, ['10.0.0.0/24'], 2)
    others.push(second)
    const results = await Promise.all(
      Array.from({ length: range.size + 6 }, (_, index) =>
        (index % 2 ? kit : second.kit).request('POST', url, {
          body: { metadata: { name: `s${index}` }, spec: { type: 'NodePort', ports } },
        }),
      ),
    )
    const made = results.filter(({ status }) => status === 201).map(({ json }) => json['spec'] as Spec)
    assert.equal(made.length, range.size)
    assert.equal(new Set(made.map(({ ports: [port] }) => port?.nodePort)).size, range.size)
    assert.equal(new Set(made.map(({ clusterIP }) => clusterIP)).size, range.size)
    const failed = results.filter(({ status }) => status !== 201)
    assert.deepEqual(
      new Set(failed.map(({ json }) => json.message)),
      new Set(['Internal error occurred: failed to allocate a nodePort: range is full']),
    )
    assert.equal((await addresses()).length, range.size)
  })

  it('keeps what a service has when the outcome of an update that releases it is unknown', async () => {
    const {
      ports: [{ nodePort } = {}],
    } = await create('s', { type: 'NodePort', ports })
    const update = store.update.bind(store)
    store.update = (key, ...rest) =>
      key.includes('/services/') ? Promise.reject(new StoreError('unavailable', 'no answer')) : update(key, ...rest)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await assert.rejects(
      kit.request('PATCH', `${url}/s`, { headers, body: { spec: { type: 'ClusterIP' } } }),
      /no answer/,
    )
    assert.equal(await replica.nodePorts.take(nodePort ?? 0), 'taken')
  })

  it('leaves a released value with its new owner when another replica removed the service', async () => {
    const metadata = { name: 's', finalizers: ['example.com/held'] }
    const { json } = await kit.request('POST', url, { body: { metadata, spec: { type: 'NodePort', ports } } })
    const {
      ports: [{ nodePort } = {}],
    } = json['spec'] as Spec
    await kit.request('DELETE', `${url}/s`)
    const other = await createReplica(store, ['10.0.0.0/24'], 2)
    others.push(other)
    const release = (at: EndpointKit): Promise<unknown> =>
      at.request('PATCH', `${url}/s`, {
        body: { metadata: { finalizers: null } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
    const remove = store.delete.bind(store)
    store.delete = async (key, ...rest) => {
      if (key.includes('/services/')) {
        store.delete = remove
        await release(other.kit)
        await create('next', { type: 'NodePort', ports: [{ port: 80, nodePort }] }, other.kit)
      }
      return remove(key, ...rest)
    }
    await release(kit)
    assert.equal(await replica.nodePorts.take(nodePort ?? 0), 'taken')
  })

  it('answers a delete although releasing fails, which repairs do later', async () => {
    const { clusterIP } = await create('s', { type: 'NodePort', ports })
    const { get, update, delete: remove } = store
    const failing = (key: string): boolean => key.includes('/ranges/') || key.includes('/ipaddresses/')
    const fail = (): never => {
      throw new StoreError('unavailable', 'no answer')
    }
    store.get = async (key, ...rest) => (failing(key) ? fail() : get.call(store, key, ...rest))
    store.update = async (key, ...rest) => (failing(key) ? fail() : update.call(store, key, ...rest))
    store.delete = async (key, ...rest) => (failing(key) ? fail() : remove.call(store, key, ...rest))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await kit.request('PATCH', `${url}/s`, { headers, body: { spec: { type: 'ClusterIP' } } })
    assert.equal(patched.status, 200)
    const deleted = await kit.request('DELETE', `${url}/s`)
    assert.equal(deleted.status, 200)
    assert.equal((await kit.request('GET', `${url}/s`)).status, 404)
    assert.deepEqual(await addresses(), [clusterIP])
  })

  it('repairs: values of a service are allocated, values of none are released', async () => {
    const { clusterIP } = await create('s', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_009 }] })
    await replica.nodePorts.release([30_009])
    await replica.clusterIps.release([clusterIP], { namespace: 'default', name: 's' })
    assert.equal(await replica.nodePorts.take(30_010), 'ok')
    for (let run = 0; run < 5; run++) await replica.repair.run()
    assert.equal(await replica.nodePorts.take(30_009), 'taken')
    assert.equal(await replica.nodePorts.take(30_010), 'ok')
    assert.deepEqual(await addresses(), [clusterIP])
    const { body } = await replica.metrics.exposition()
    const found = Array.from(body.matchAll(/^apiserver_(\S+_repair_\S+ \d+)$/gm), ([, line]) => line)
    assert.deepEqual(found, [
      'clusterip_repair_ip_errors_total{type="repair"} 1',
      'clusterip_repair_reconcile_errors_total 0',
      'nodeport_repair_port_errors_total{type="repair"} 1',
      'nodeport_repair_port_errors_total{type="leak"} 1',
      'nodeport_repair_reconcile_errors_total 0',
    ])
  })

  it('does not release an address that another service owns', async () => {
    const { clusterIP } = await create('s', { ports })
    await replica.clusterIps.release([clusterIP], { namespace: 'default', name: 'another' })
    assert.deepEqual(await addresses(), [clusterIP])
  })

  it('deletes the endpoints of a service with it', async () => {
    await create('s', { ports })
    const endpoints = '/api/v1/namespaces/default/endpoints'
    await kit.request('POST', endpoints, { body: { metadata: { name: 's' } } })
    await kit.request('DELETE', `${url}/s`)
    assert.equal((await kit.request('GET', `${endpoints}/s`)).status, 404)
  })

  describe('beside a server that keeps maps of addresses', () => {
    const key = '/registry/ranges/serviceips'
    /** As such a server would have stored it: 10.0.0.1 is the first bit. */
    async function putMap(at: string, range: string, bits: bigint): Promise<void> {
      const hex = bits.toString(16)
      const data = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64')
      const object = { apiVersion: 'v1', kind: 'RangeAllocation', metadata: {}, range, data }
      assert.ok((await store.create(at, kit.scheme.objects.encodeForStorage(object))).ok)
    }
    /** Last parts of the addresses that are taken. */
    async function taken(at = key): Promise<number[]> {
      const { value } = await store.get(at)
      assert.ok(value)
      const expected = { group: '', version: 'v1', kind: 'RangeAllocation' }
      const mediaType = 'application/vnd.kubernetes.protobuf'
      const { object } = kit.scheme.objects.decodeObject(value.value, { mediaType, expected })
      const bits = BigInt(`0x0${Buffer.from(String(object['data'] ?? ''), 'base64').toString('hex')}`)
      return Array.from({ length: 254 }, (_, offset) => offset + 1).filter((last) => (bits >> BigInt(last - 1)) & 1n)
    }

    it('allocates nothing that the map has, and records there what it allocates and releases', async () => {
      await putMap(key, '10.0.0.0/24', 0b101n)
      assert.match(await refused('a', { clusterIP: '10.0.0.3', ports }), /provided IP is already allocated/)
      await create('b', { clusterIP: '10.0.0.2', ports })
      assert.deepEqual(await taken(), [1, 2, 3])
      const { clusterIP } = await create('c', { ports })
      assert.deepEqual(await taken(), [1, 2, 3, Number(clusterIP.split('.')[3])])
      for (const name of ['b', 'c']) await kit.request('DELETE', `${url}/${name}`)
      assert.deepEqual(await taken(), [1, 3])
    })

    for (const name of ['etcd', 'embedded'] as const)
      it(`${name === 'etcd' ? 'makes the map in' : 'makes no map in'} a store of the name ${name}`, async () => {
        await create('a', { clusterIP: '10.0.0.9', ports })
        const cidr = parseCidr('10.0.0.0/24')
        assert.ok(cidr)
        // The store's name alone determines whether other servers may share it.
        const shared: Store = new Proxy(store, {
          get(target, key) {
            if (key === 'name') return name
            const found: unknown = Reflect.get(target, key, target)
            return typeof found === 'function' ? (found.bind(target) as unknown) : found
          },
        })
        const maps = createAddressMaps(
          { store: shared, scheme: kit.scheme, random: createSeededRandom(1) },
          { blocks: [cidr], prefix: '/registry' },
        )
        await maps.repair(new Set(['10.0.0.9']))
        const { value } = await store.get(key)
        assert.equal(value !== undefined, name === 'etcd')
        if (value) assert.deepEqual(await taken(), [9])
      })

    it('a refused service leaves the map unchanged', async () => {
      await putMap(key, '10.0.0.0/24', 0n)
      await refused('a', { clusterIP: '10.0.0.9', ports: [{ port: 80 }, { port: 81 }] })
      assert.deepEqual(await taken(), [])
    })

    it('repairs: values of services are in the map, others are dropped after a while', async () => {
      await create('a', { clusterIP: '10.0.0.9', ports })
      await putMap(key, '10.0.0.0/24', 0b1n)
      await replica.repair.run()
      assert.deepEqual(await taken(), [1, 9])
      for (let run = 0; run < 3; run++) await replica.repair.run()
      assert.deepEqual(await taken(), [9])
    })

    it('keeps values that are in both blocks when the operator changes the block', async () => {
      await putMap(key, '10.0.0.0/25', 0b1n)
      await create('a', { clusterIP: '10.0.0.200', ports })
      assert.deepEqual(await taken(), [1, 200])
    })

    it('creates no map where none exists', async () => {
      await create('a', { ports })
      await replica.repair.run()
      assert.equal((await store.get(key)).value, undefined)
    })
  })

  describe('with two families', () => {
    beforeEach(async () => {
      await replica.close()
      await store.close()
      await begin(['10.0.0.0/24', 'fd00::/112'])
    })

    it('gives one address, or one of each', async () => {
      assert.deepEqual((await create('one', { ports })).ipFamilies, ['IPv4'])
      const both = await create('both', { ipFamilyPolicy: 'PreferDualStack', ports })
      assert.deepEqual(both.ipFamilies, ['IPv4', 'IPv6'])
      assert.match(both.clusterIPs[1] ?? '', /^fd00::/)
      const six = await create('six', { ipFamilies: ['IPv6'], ports })
      assert.match(six.clusterIP, /^fd00::/)
    })

    it('releases the second address on the way to a single family', async () => {
      const both = await create('both', { ipFamilyPolicy: 'RequireDualStack', ports })
      const { status, json } = await kit.request('PATCH', `${url}/both`, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { ipFamilyPolicy: 'SingleStack' } },
      })
      assert.equal(status, 200, json.message ?? '')
      assert.deepEqual((json['spec'] as Spec).clusterIPs, [both.clusterIP])
      assert.deepEqual(await addresses(), [both.clusterIP])
    })
  })
})
