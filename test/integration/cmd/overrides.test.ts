import assert from 'node:assert/strict'
import { Etcd3 } from 'etcd3'
import { request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { watchText } from '../../support/watchtext.ts'

interface Item {
  metadata: { name: string; resourceVersion: string }
}

const events = '/api/v1/namespaces/default/events'
const configMaps = '/api/v1/namespaces/default/configmaps'
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'

const eventOf = (name: string): object => ({
  metadata: { name },
  involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
  reason: 'Testing',
  type: 'Normal',
})

describe('apiserver: resources in an etcd of their own', function () {
  if (!process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs etcd')
    return
  }
  this.timeout(120_000)
  const folder = scratchFolder('overrides')
  let main: EtcdServer
  let other: EtcdServer
  let server: ServerProcess
  let replica: ServerProcess
  before(async () => {
    main = await startEtcd()
    other = await startEtcd()
    const flags = [
      `--etcd-servers=${main.url}`,
      '--log-flush-frequency=50ms',
      // The group named once as a whole and once for a resource, which goes first; a resource that there is not.
      `--etcd-servers-overrides=/events#${other.url},coordination.k8s.io/*#${other.url}`,
      `--etcd-servers-overrides=coordination.k8s.io/leasecandidates#${main.url},example.com/things#${other.url}`,
    ]
    server = await startServer('cmd/apiserver/main.ts', flags, folder.path)
    replica = await startServer('cmd/apiserver/main.ts', flags, folder.path)
  })
  after(async () => {
    for (const one of [server, replica]) assert.equal(await one?.stop(), 0)
    await main?.stop()
    await other?.stop()
    folder.remove()
  })

  async function create(path: string, body: object, at = server): Promise<Item> {
    const { status, body: text } = await request(at, path, { method: 'POST', body: JSON.stringify(body) })
    assert.equal(status, 201, text)
    return JSON.parse(text) as Item
  }

  async function list(path: string, at = server): Promise<{ names: string[]; version: string }> {
    const { status, body } = await request(at, path)
    assert.equal(status, 200, body)
    const { items, metadata } = JSON.parse(body) as { items: Item[]; metadata: { resourceVersion: string } }
    return { names: items.map((item) => item.metadata.name), version: metadata.resourceVersion }
  }

  async function stored(etcd: EtcdServer, prefix: string): Promise<{ keys: string[]; revision: string }> {
    const client = new Etcd3({ hosts: etcd.url })
    try {
      const { kvs, header } = await client.getAll().prefix(`/registry/${prefix}`).exec()
      return { keys: kvs.map(({ key }) => key.toString()), revision: header.revision }
    } finally {
      client.close()
    }
  }

  it('stores each resource in the etcd of its flag, with the versions of that etcd', async () => {
    for (let count = 0; count < 20; count++) await create(configMaps, { metadata: { name: `c${count}` } })
    const event = await create(events, eventOf('happened'))
    const lease = await create(leases, { metadata: { name: 'held' }, spec: { holderIdentity: 'me' } })
    assert.deepEqual((await stored(other, 'events/')).keys, ['/registry/events/default/happened'])
    assert.deepEqual((await stored(other, 'leases/default/')).keys, ['/registry/leases/default/held'])
    assert.deepEqual((await stored(other, 'configmaps/')).keys, [])
    assert.deepEqual((await stored(main, 'events/')).keys, [])
    assert.equal((await stored(main, 'configmaps/default/c')).keys.length, 20)
    const { revision } = await stored(other, '')
    for (const item of [event, lease]) assert.ok(Number(item.metadata.resourceVersion) <= Number(revision))
    assert.equal((await list(events)).version, revision)
    assert.equal((await list('/apis/events.k8s.io/v1/namespaces/default/events')).version, revision)
  })

  it('shows one replica at once what another wrote, and watches what followed', async () => {
    const { version } = await list(events, replica)
    await create(events, eventOf('seen'))
    assert.ok((await list(events, replica)).names.includes('seen'))
    const target = `${events}?watch=1&resourceVersion=${version}&timeoutSeconds=30`
    const body = await watchText(replica, target, 1)
    assert.match(body, /^\{"type":"ADDED","object":\{.*"name":"seen"/)
    assert.equal(body.trim().split('\n').length, 1)
  })

  it('reports an override of a resource that does not exist', () => {
    assert.match(server.output(), /--etcd-servers-overrides: no such resource is kept.*things\.example\.com/)
    assert.doesNotMatch(server.output(), /no such resource is kept.*(events|leases)/)
  })

  it('has health checks of each set of servers, which are excluded with those of the first set', async () => {
    const { body } = await request(server, '/readyz?verbose')
    for (const name of ['etcd', 'etcd-readiness', 'etcd-override-0', 'etcd-override-readiness-0', 'etcd-override-1'])
      assert.ok(body.includes(`[+]${name} ok\n`), body)
    const excluded = (await request(server, '/livez?verbose&exclude=etcd')).body
    assert.match(excluded, /^\[\+\]etcd excluded: ok\n\[\+\]etcd-override-0 excluded with etcd: ok$/m)
    assert.doesNotMatch(excluded, /etcd-(override-)?readiness|warn/)
    assert.match(
      (await request(server, '/livez?verbose&exclude=etcd-override-0')).body,
      /^\[\+\]etcd-override-0 excluded: ok$/m,
    )
    assert.equal((await request(server, '/readyz/etcd-override-readiness-0')).body, 'ok')
  })

  it('shows revisions, objects, requests and sizes of all stores in its metrics', async () => {
    const { body } = await request(server, '/metrics')
    for (const line of [
      /^apiserver_storage_objects\{resource="configmaps"\} 2\d$/m,
      /^apiserver_storage_objects\{resource="events"\} 2$/m,
      /^apiserver_storage_objects\{resource="deployments\.apps"\} 0$/m,
      /^apiserver_resource_objects\{group="coordination\.k8s\.io",resource="leases"\} [1-9]/m,
      /^apiserver_resource_size_estimate_bytes\{group="coordination\.k8s\.io",resource="leases"\} [1-9]/m,
      /^apiserver_resource_size_estimate_bytes\{group="apps",resource="deployments"\} 0$/m,
      /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} [1-9]/m,
      /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-1"\} [1-9]/m,
      new RegExp(`^pilothouse_store_member_up\\{endpoint="${main.url}",storage_cluster_id="etcd-0"\\} 1$`, 'm'),
      new RegExp(`^pilothouse_store_member_is_leader\\{endpoint="${other.url}",storage_cluster_id="etcd-1"\\} 1$`, 'm'),
      /^etcd_requests_total\{group="",operation="create",resource="events"\} [1-9]/m,
      /^etcd_requests_total\{group="",operation="create",resource="services"\} [1-9]/m,
      /^etcd_request_duration_seconds_count\{group="coordination\.k8s\.io",operation="create",resource="leases"\} [1-9]/m,
    ])
      assert.ok(line.test(body), String(line))
    for (const resource of ['events', 'configmaps'])
      assert.match(
        body,
        new RegExp(`^apiserver_watch_cache_resource_version\\{group="",resource="${resource}"\\} [1-9]`, 'm'),
      )
  })

  it('serves the rest while the other etcd is down, not ready, and all once it is back', async () => {
    await other.kill()
    assert.equal((await request(server, '/readyz')).status, 500)
    assert.match((await request(server, '/readyz?verbose')).body, /^\[-\]etcd-override-0 failed: reason withheld$/m)
    assert.equal((await request(server, '/livez?exclude=etcd')).status, 200)
    await create(configMaps, { metadata: { name: 'meanwhile' } })
    assert.ok((await list(configMaps, replica)).names.includes('meanwhile'))
    await other.start()
    await eventuallyEquals(async () => (await request(server, '/readyz')).status, 200, 'readiness')
    await create(events, eventOf('back'))
    assert.ok((await list(events, replica)).names.includes('back'))
  })
})
