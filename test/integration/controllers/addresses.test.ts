import assert from 'node:assert/strict'
import type { Node, Service } from '../../../api/gen/core/v1.ts'
import type { ServiceCIDR } from '../../../api/gen/networking.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Transport } from '../../../lib/client/index.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { nodeipam } from '../../../lib/controllers/nodeipam/index.ts'
import { servicecidr } from '../../../lib/controllers/servicecidr/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const { events, nodes, services } = resources.core.v1
const { servicecidrs } = resources.networking.v1

describe('addresses of nodes and services against the API', () => {
  let plane: ControlPlane
  const managers: Manager[] = []
  const run = async (): Promise<Manager> => {
    const settings = { allocateNodeCidrs: true, clusterCidr: ['10.200.0.0/22', 'fd00:1::/62'] }
    const manager = await runControllers(plane, [nodeipam, servicecidr], settings)
    managers.push(manager)
    return manager
  }
  before(async () => {
    plane = await startControlPlane()
    await run()
  })
  after(async () => {
    for (const manager of managers) await manager.close()
    await plane.stop()
  })

  const makeNode = async (name: string): Promise<void> => {
    await plane.client.resource(nodes).create({ apiVersion: 'v1', kind: 'Node', metadata: { name } } as Node)
  }
  const blocksOf = async (name: string): Promise<string> =>
    ((await plane.client.resource(nodes).get({ name })).spec.podCIDRs ?? []).join()

  it('each node has a block of each family, and no two have the same', async () => {
    for (const name of ['a', 'b', 'c']) await makeNode(name)
    const all = async (): Promise<string[]> => await Promise.all(['a', 'b', 'c'].map(blocksOf))
    await eventually(async () => (await all()).every((blocks) => blocks !== ''), 'the blocks')
    const blocks = (await all()).flatMap((each) => each.split(','))
    assert.equal(new Set(blocks).size, 6, blocks.join(' '))
  })

  it('a manager that takes over knows the allocated blocks; the node beyond the last block gets an event', async () => {
    await managers.pop()?.close()
    await run()
    for (const name of ['d', 'e']) await makeNode(name)
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace: 'default' })
      return items.some(({ reason }) => reason === 'CIDRNotAvailable')
    }, 'the event')
    const waiting = (await blocksOf('d')) === '' ? 'd' : 'e'
    const blocks = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(blocksOf))
    assert.equal(new Set(blocks.filter((each) => each !== '')).size, 4, blocks.join(' '))
    await plane.client.resource(nodes).delete({ name: 'b' })
    await eventually(async () => (await blocksOf(waiting)) !== '', 'the block of the node that went')
  })

  it('a range of service addresses stays while a service has an address in it', async () => {
    const made = await plane.client.resource(servicecidrs).create({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'extra' },
      spec: { cidrs: ['10.97.0.0/24'] },
    } as ServiceCIDR)
    const read = async () =>
      await plane.client
        .resource(servicecidrs)
        .get({ name: 'extra' })
        .catch(() => undefined)
    const ready = async () => (await read())?.status?.conditions?.find(({ type }) => type === 'Ready')
    await eventuallyEquals(async () => (await ready())?.status, 'True', 'the range being ready')
    assert.deepEqual((await read())?.metadata.finalizers, ['networking.k8s.io/service-cidr-finalizer'])
    const metadata = { namespace: 'default', name: 's' }
    await eventually(async () => {
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { clusterIP: '10.97.0.9', ports: [{ port: 80 }] },
      }
      return await plane.client
        .resource(services)
        .create(service as Service)
        .then(
          () => true,
          () => false,
        )
    }, 'a service with an address of it')
    await plane.client.resource(servicecidrs).delete({ name: 'extra' }, { uid: made.metadata.uid })
    await eventuallyEquals(async () => (await ready())?.reason, 'Terminating', 'the condition')
    await plane.client.resource(services).delete(metadata)
    await eventually(async () => (await read()) === undefined, 'the end of the range')
  })
})

describe('addresses of nodes that others write at the same time', () => {
  it('are allocated one after the other: a node keeps its reserved block until the write succeeds', async () => {
    const plane = await startControlPlane()
    const client = plane.client.resource(nodes)
    const written = new Set<string>()
    /** Somebody else writes each node just before it gets its blocks for the first time. */
    const wrap = (transport: Transport): Transport => ({
      ...transport,
      async send(request) {
        const name = request.method === 'PATCH' ? /\/nodes\/(\w+)/.exec(request.url)?.[1] : undefined
        if (name !== undefined && !written.has(name)) {
          written.add(name)
          await client.patch({ name }, 'merge', { metadata: { labels: { written: 'true' } } })
        }
        return await transport.send(request)
      },
    })
    const settings = { allocateNodeCidrs: true, clusterCidr: ['10.201.0.0/20'] }
    const manager = await runControllers(plane, [nodeipam], settings, { wrap })
    const names = Array.from({ length: 4 }, (_, index) => `n${index}`)
    try {
      for (const name of names) await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } } as Node)
      const blocks = async () => (await client.list({})).items.map(({ spec }) => spec.podCIDR ?? '').sort()
      await eventually(async () => (await blocks()).every((block) => block !== ''), 'the blocks')
      assert.deepEqual(
        await blocks(),
        names.map((_, index) => `10.201.${index}.0/24`),
      )
      assert.equal(written.size, names.length)
    } finally {
      await manager.close()
      await plane.stop()
    }
  })
})
