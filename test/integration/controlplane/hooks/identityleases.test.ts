import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, type FakeClock, silentLogger } from '../../../../lib/base/index.ts'
import { createIdentityLeases } from '../../../../lib/controlplane/hooks/identityleases.ts'
import { serverId } from '../../../../lib/controlplane/peers/serverid.ts'
import type { ApiObject } from '../../../../lib/object/index.ts'
import { createEndpointKit, type EndpointKit } from '../../../support/endpointkit.ts'
import { eventually, eventuallyEquals } from '../../../support/eventually.ts'

const url = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
const hourMs = 3_600_000

interface Lease extends ApiObject {
  spec: { holderIdentity: string; leaseDurationSeconds: number; renewTime: string }
}

describe('identity of API servers', () => {
  let kit: EndpointKit
  let clock: FakeClock
  const running: { close(): Promise<void> }[] = []
  beforeEach(async () => {
    kit = await createEndpointKit()
    clock = createFakeClock(Date.parse('2025-05-01T00:00:00Z'))
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } })
  })
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close()
    await kit.close()
  })

  async function start(hostName: string, seed = 1): Promise<{ close(): Promise<void> }> {
    const parts = { clock, random: createSeededRandom(seed), log: silentLogger, registry: kit.registry }
    const hooks = createIdentityLeases(parts, { hostName })
    const leases = { close: async () => void (await Promise.all(hooks.map((hook) => hook.close()))) }
    running.push(leases)
    for (const hook of hooks) await hook.run()
    return leases
  }

  async function leases(): Promise<Lease[]> {
    return (await kit.request('GET', url)).json.items as Lease[]
  }

  it('are named after their host', () => {
    // The digest of both texts, each after its length in two bytes (hashlib and base64 of Python).
    assert.equal(serverId('node-1'), 'apiserver-lgabes5ywnaqeagh5dny4zlzs4')
  })

  it('each server has a Lease with its identity, and renews it', async () => {
    await start('node-1')
    const [lease] = await leases()
    assert.equal(lease?.metadata.name, serverId('node-1'))
    assert.deepEqual(lease.metadata.labels, {
      'apiserver.kubernetes.io/identity': 'kube-apiserver',
      'kubernetes.io/hostname': 'node-1',
    })
    assert.match(lease.spec.holderIdentity, /^apiserver-[a-z2-7]{26}_[0-9a-f-]{36}$/)
    assert.equal(lease.spec.leaseDurationSeconds, 3600)
    assert.equal(lease.spec.renewTime, '2025-05-01T00:00:00.000000Z')
    clock.advance(10_000)
    const times = async (): Promise<string> => (await leases()).map(({ spec }) => spec.renewTime).join()
    await eventuallyEquals(() => times(), '2025-05-01T00:00:10.000000Z', 'the renewal')
  })

  it('a restarted server takes over its Lease', async () => {
    await (await start('node-1')).close()
    const [before] = await leases()
    await start('node-1', 2)
    const [after, ...others] = await leases()
    assert.equal(others.length, 0)
    assert.equal(after?.metadata.uid, before?.metadata.uid)
    assert.notEqual(after?.spec.holderIdentity, before?.spec.holderIdentity)
  })

  it('a deleted Lease is restored', async () => {
    await start('node-1')
    await kit.request('DELETE', `${url}/${serverId('node-1')}`)
    clock.advance(10_000)
    await eventuallyEquals(async () => (await leases()).length, 1, 'the Lease')
  })

  it('the Lease of a server that has not renewed it in time is deleted, and no other', async () => {
    const spec = { holderIdentity: 'x', leaseDurationSeconds: 3600 }
    const put = async (name: string, labels: object, age: number): Promise<void> => {
      const renewTime = new Date(clock.now() - age).toISOString().replace('Z', '000Z')
      const { status } = await kit.request('POST', url, {
        body: { metadata: { name, labels }, spec: { ...spec, renewTime } },
      })
      assert.equal(status, 201)
    }
    const ours = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' }
    await put('old', ours, hourMs + 1000)
    await put('young', ours, hourMs - 1000)
    await put('stranger', {}, 2 * hourMs)
    await start('node-1')
    const names = async (): Promise<string[]> => (await leases()).map(({ metadata }) => metadata.name ?? '').sort()
    assert.deepEqual(await names(), [serverId('node-1'), 'stranger', 'young'].sort())
    clock.advance(hourMs)
    await eventually(async () => (await names()).length < 3, 'the deletion')
    assert.deepEqual(await names(), [serverId('node-1'), 'stranger'].sort())
  })
})
