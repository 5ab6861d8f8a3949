import assert from 'node:assert/strict'
import type { EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { endpoints: endpointsType, pods, services } = resources.core.v1
const { endpointslices } = resources.discovery.v1

describe('the controllers of endpoints against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    const controllers = ['endpointslice-controller', 'endpoints-controller']
    ;({ plane, whenSettled } = await startManagedPlane({ controllers }))
  })
  after(async () => {
    await plane.stop()
  })
  const name = (of: string) => ({ namespace: 'default', name: of })

  async function makeService(app: string): Promise<void> {
    await plane.client.resource(services).create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: name(app),
      spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
      status: { loadBalancer: {} },
    })
  }

  async function makePod(app: string, pod: string, ip: string): Promise<void> {
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...name(pod), labels: { app } },
      spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
      status: {},
    })
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] }
    await plane.client.resource(pods).patchStatus(name(pod), 'merge', { status })
    await setReady(pod, 'True')
  }

  async function setReady(pod: string, status: string): Promise<void> {
    const conditions = [{ type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z' }]
    await plane.client.resource(pods).patchStatus(name(pod), 'merge', { status: { conditions } })
  }

  async function slicesOf(app: string): Promise<readonly Frozen<EndpointSlice>[]> {
    const labelSelector = `kubernetes.io/service-name=${app}`
    return (await plane.client.resource(endpointslices).list({ namespace: 'default', labelSelector })).items
  }

  async function endpointsOf(app: string): Promise<string> {
    const all = (await slicesOf(app)).flatMap(({ endpoints }) => endpoints ?? [])
    return all
      .map(({ addresses, conditions: { ready, serving } }) => `${addresses?.join()} ${ready} ${serving}`)
      .sort()
      .join('; ')
  }

  const become = (app: string, wanted: string) =>
    eventuallyEquals(() => endpointsOf(app), wanted, `slices of ${app}: ${wanted}`)

  it('an EndpointSlice follows the pods of its service as they are created, fail, and are deleted', async () => {
    await makeService('web')
    await makePod('web', 'web-a', '10.1.0.1')
    await makePod('web', 'web-b', '10.1.0.2')
    await become('web', '10.1.0.1 true true; 10.1.0.2 true true')
    const [slice] = await slicesOf('web')
    assert.ok(slice)
    assert.equal(slice.metadata.ownerReferences?.[0]?.kind, 'Service')
    assert.equal(slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'], 'endpointslice-controller.k8s.io')
    assert.deepEqual(
      slice.ports?.map(({ name: port, port: number, protocol }) => [port, number, protocol]),
      [['http', 8080, 'TCP']],
    )
    await setReady('web-a', 'False')
    await become('web', '10.1.0.1 false false; 10.1.0.2 true true')
    await plane.client.resource(pods).patch(name('web-b'), 'merge', { metadata: { finalizers: ['example.com/stay'] } })
    await plane.client.resource(pods).delete(name('web-b'), { gracePeriodSeconds: 0 })
    await become('web', '10.1.0.1 false false; 10.1.0.2 false true')
    await plane.client.resource(pods).patch(name('web-b'), 'merge', { metadata: { finalizers: null } })
    await become('web', '10.1.0.1 false false')
  })

  async function addressesOf(app: string): Promise<string> {
    const { subsets = [] } = await plane.client.resource(endpointsType).get(name(app))
    const shown = (all: Frozen<{ ip: string }[]> = []) => all.map(({ ip }) => ip).join()
    return subsets.map(({ addresses, notReadyAddresses }) => `${shown(addresses)}/${shown(notReadyAddresses)}`).join()
  }

  it('Endpoints follow the pods as well, and are deleted with the service', async () => {
    const see = (wanted: string) =>
      eventuallyEquals(() => addressesOf('plain').catch(() => 'none'), wanted, `Endpoints: ${wanted}`)
    await makeService('plain')
    await makePod('plain', 'plain-a', '10.1.3.1')
    await makePod('plain', 'plain-b', '10.1.3.2')
    await see('10.1.3.1,10.1.3.2/')
    await setReady('plain-a', 'False')
    await see('10.1.3.2/10.1.3.1')
    await plane.client.resource(pods).delete(name('plain-a'), { gracePeriodSeconds: 0 })
    await see('10.1.3.2/')
    await plane.client.resource(services).delete(name('plain'))
    await see('none')
  })

  it('recreate an EndpointSlice that others delete', async () => {
    await makeService('again')
    await makePod('again', 'again-a', '10.1.1.1')
    await become('again', '10.1.1.1 true true')
    const [slice] = await slicesOf('again')
    await plane.client.resource(endpointslices).delete(name(slice?.metadata.name ?? ''))
    await become('again', '10.1.1.1 true true')
  })

  it('write the changes of a burst together, the first at once', async () => {
    await makeService('burst')
    await makePod('burst', 'burst-a', '10.1.4.1')
    await become('burst', '10.1.4.1 true true')
    await whenSettled({ aheadMs: 1500 })
    const generation = async () => (await slicesOf('burst'))[0]?.metadata.generation ?? 0
    const [before, startedMs] = [await generation(), performance.now()]
    for (let turn = 0; turn < 20; turn++) {
      await setReady('burst-a', turn % 2 === 0 ? 'False' : 'True')
      // Each state is seen by the controller.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const tookMs = performance.now() - startedMs
    await whenSettled({ aheadMs: 1500 })
    const writes = (await generation()) - before
    assert.ok(writes <= 2 + tookMs / 200, `${writes} writes in ${tookMs} ms`)
    assert.equal(await endpointsOf('burst'), '10.1.4.1 true true')
  })

  it('write nothing once the state is as wanted', async () => {
    await makeService('still')
    await makePod('still', 'still-a', '10.1.2.1')
    await become('still', '10.1.2.1 true true')
    await eventuallyEquals(() => addressesOf('still'), '10.1.2.1/', 'the Endpoints')
    const read = async () => {
      const all = [...(await slicesOf('still')), await plane.client.resource(endpointsType).get(name('still'))]
      return all.map(({ metadata }) => metadata.resourceVersion).join()
    }
    const before = await read()
    // What neither readiness nor addresses depend on.
    await plane.client.resource(pods).patch(name('still-a'), 'merge', { metadata: { annotations: { some: 'note' } } })
    await whenSettled({ aheadMs: 1500 })
    assert.equal(await read(), before)
  })
})
