import assert from 'node:assert/strict'
import type { Endpoints, Service } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventuallyEquals } from '../../support/eventually.ts'

const { endpoints, services } = resources.core.v1
const { endpointslices } = resources.discovery.v1
const namespace = 'default'

describe('Endpoints kept by hand against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: ['endpointslice-mirroring-controller'] })
  })
  after(async () => {
    await plane.stop()
  })
  const slices = async (): Promise<string[]> => {
    const { items } = await plane.client
      .resource(endpointslices)
      .list({ namespace, labelSelector: 'kubernetes.io/service-name=db' })
    return items.flatMap((slice) => (slice.endpoints ?? []).flatMap(({ addresses = [] }) => [...addresses]))
  }

  it('are mirrored, followed, and their EndpointSlices are deleted with the service', async () => {
    const metadata = { namespace, name: 'db' }
    await plane.client
      .resource(services)
      .create({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 5432 }] } } as unknown as Service)
    const made = await plane.client.resource(endpoints).create({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 5432 }] }],
    } as Endpoints)
    await eventuallyEquals(async () => (await slices()).join(), '10.1.2.3', 'the slice')
    const subsets = [{ addresses: [{ ip: '10.1.2.4' }], ports: [{ port: 5432 }] }]
    await plane.client.resource(endpoints).update({ ...made, subsets } as Endpoints)
    await eventuallyEquals(async () => (await slices()).join(), '10.1.2.4', 'the changed slice')
    await plane.client.resource(services).delete(metadata)
    await eventuallyEquals(async () => (await slices()).length, 0, 'the end of the slice')
    assert.deepEqual(await slices(), [])
  })
})
