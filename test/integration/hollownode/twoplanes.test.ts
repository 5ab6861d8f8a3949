import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, type HollowNodeOptions, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { type EtcdCluster, startEtcdCluster } from '../../support/etcd.ts'
import { eventually } from '../../support/eventually.ts'

const { nodes, pods } = resources.core.v1
const { leases } = resources.coordination.v1

describe('two control planes with hollow nodes on one etcd', function () {
  if (!process.env['PILOTHOUSE_ETCD']) {
    it.skip('needs etcd')
    return
  }
  this.timeout(60_000)
  let etcd: EtcdCluster
  let first: ControlPlane
  const start = async (of: HollowNodeOptions): Promise<ControlPlane> =>
    await startControlPlane({ storage: { etcd: etcd.urls }, nodes: of })
  const leaseOf = async (name: string) => await first.client.resource(leases).get({ namespace: 'kube-system', name })
  const createPod = async (name: string): Promise<void> => {
    const spec = { containers: [{ name: 'main', image: 'i', resources: {} }] }
    const metadata = { namespace: 'default', name }
    await first.client.resource(pods).create({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} })
  }
  before(async () => {
    etcd = await startEtcdCluster(1)
    first = await start({ count: 2 })
  })
  after(async () => {
    await first?.stop()
    await etcd?.stop()
  })

  it('a second one with the same names is refused with the option to set', async () => {
    await assert.rejects(start({ count: 1 }), (error: Error) => {
      assert.match(
        error.message,
        /^nodes named hollow-0 and so on are served by another process, \S+: nodes\.prefix gives/,
      )
      return true
    })
    const { items } = await first.client.resource(nodes).list()
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name ?? '').toSorted((a, b) => (a < b ? -1 : 1)),
      ['hollow-0', 'hollow-1'],
    )
  })

  it('one scheduler of two works, and pods of both have addresses of their own', async () => {
    await eventually(async () => (await leaseOf('kube-scheduler')).spec.holderIdentity !== '', 'a scheduler that leads')
    const leader = (await leaseOf('kube-scheduler')).spec.holderIdentity
    const second = await start({ count: 2, prefix: 'other' })
    try {
      const ports = new Set<number | undefined>()
      await eventually(async () => {
        const { items } = await first.client.resource(nodes).list()
        for (const { status } of items) ports.add(status.daemonEndpoints?.kubeletEndpoint?.Port)
        return items.length === 4
      }, 'the nodes of both')
      assert.equal(ports.size, 4)
      assert.equal((await leaseOf('kube-scheduler')).spec.holderIdentity, leader)
      await Promise.all(Array.from({ length: 8 }, async (_, index) => await createPod(`pod-${index}`)))
      const addresses = new Map<string, string>()
      await eventually(async () => {
        const { items } = await first.client.resource(pods).list({ namespace: 'default' })
        for (const { metadata, status } of items) addresses.set(metadata.name ?? '', status.podIP ?? '')
        return items.every(({ status }) => status.phase === 'Running')
      }, 'pods that run')
      assert.equal(new Set(addresses.values()).size, 8, 'addresses of their own')
    } finally {
      await second.stop()
    }
    assert.equal((await leaseOf('hollow-nodes-other')).spec.holderIdentity, '')
  })

  it('a prefix that is free again is served at once, and schedules after the first has stopped', async () => {
    const second = await start({ count: 1, prefix: 'other' })
    try {
      await first.stop()
      await eventually(async () => {
        const lease = await second.client.resource(leases).get({ namespace: 'kube-system', name: 'kube-scheduler' })
        return (
          lease.spec.holderIdentity ===
          (await second.client.resource(leases).get({ namespace: 'kube-system', name: 'hollow-nodes-other' })).spec
            .holderIdentity
        )
      }, 'the second scheduler')
    } finally {
      await second.stop()
    }
  })

  it('names that no label takes are refused', async () => {
    for (const prefix of ['', 'Big', 'a.b', '-a', 'x'.repeat(51)])
      await assert.rejects(start({ count: 1, prefix }), /^Error: nodes\.prefix must be 1 to 50 lower case letters/)
  })
})
