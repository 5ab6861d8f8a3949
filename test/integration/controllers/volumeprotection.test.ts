import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1

describe('protection of volumes and claims against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    const controllers = ['persistentvolumeclaim-protection-controller', 'persistentvolume-protection-controller']
    ;({ plane, whenSettled } = await startManagedPlane({ controllers }))
  })
  after(async () => {
    await plane.stop()
  })
  const isGone = async (reading: Promise<unknown>): Promise<boolean> =>
    await reading.then(
      () => false,
      () => true,
    )

  it('a deleted claim stays while a pod on a node uses it', async () => {
    const claims = plane.client.resource(persistentvolumeclaims)
    const name = { namespace: 'default', name: 'data' }
    const resourcesWanted = { requests: { storage: '1Gi' } }
    const spec = { accessModes: ['ReadWriteOnce'], resources: resourcesWanted }
    await claims.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: name, spec, status: {} })
    const user = { namespace: 'default', name: 'user' }
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]
    const containers = [{ name: 'c', image: 'i', resources: {} }]
    const podSpec = { nodeName: 'n1', containers, volumes }
    await plane.client
      .resource(pods)
      .create({ apiVersion: 'v1', kind: 'Pod', metadata: user, spec: podSpec, status: {} })
    await eventuallyEquals(async () => (await claims.get(name)).metadata.finalizers?.length, 1, 'it is protected')
    await claims.delete(name)
    await whenSettled()
    assert.equal(await isGone(claims.get(name)), false)
    await plane.client.resource(pods).delete(user, { gracePeriodSeconds: 0 })
    await eventually(() => isGone(claims.get(name)), 'the claim is gone')
  })

  it('a deleted volume stays while it is bound', async () => {
    const volumes = plane.client.resource(persistentvolumes)
    const name = { name: 'disk' }
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/disk' } }
    await volumes.create({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: name, spec, status: {} })
    await volumes.patchStatus(name, 'merge', { status: { phase: 'Bound' } })
    await eventuallyEquals(async () => (await volumes.get(name)).metadata.finalizers?.length, 1, 'it is protected')
    await volumes.delete(name)
    await whenSettled()
    assert.equal(await isGone(volumes.get(name)), false)
    await volumes.patchStatus(name, 'merge', { status: { phase: 'Released' } })
    await eventually(() => isGone(volumes.get(name)), 'the volume is gone')
  })
})
