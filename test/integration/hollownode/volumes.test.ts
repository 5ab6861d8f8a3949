import assert from 'node:assert/strict'
import type { PersistentVolumeClaim, PodSpec } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, isReady, startHollowPlane } from '../../support/hollowplane.ts'

const { persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1

describe('volumes of hollow nodes', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(2)
  })
  after(async () => {
    await hollow.plane.stop()
  })

  const claim = (name: string, more: Partial<PersistentVolumeClaim['spec']> = {}, annotations = {}) =>
    hollow.plane.client.resource(persistentvolumeclaims).create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: 'default', name, annotations },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
      status: {},
    })
  const get = (name: string) => hollow.plane.client.resource(persistentvolumeclaims).get({ namespace: 'default', name })
  const using = (claimName: string): Partial<PodSpec> => ({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  })

  it('a claim of the default class waits for its pod, gets a volume, and the pod runs', async () => {
    const made = await claim('data')
    assert.equal(made.spec.storageClassName, 'hollow')
    await hollow.createPod('user', using('data'))
    await hollow.until('user', isReady, 'the pod')
    const bound = await get('data')
    assert.deepEqual([bound.status.phase, bound.status.capacity], ['Bound', { storage: '1Gi' }])
    const volume = await hollow.plane.client.resource(persistentvolumes).get({ name: bound.spec.volumeName ?? '' })
    assert.deepEqual([volume.status.phase, volume.spec.csi?.driver], ['Bound', 'volumes.hollow.pilothouse'])
  })

  it('a claim that requests more is resized', async () => {
    const client = hollow.plane.client.resource(persistentvolumeclaims)
    await client.patch({ namespace: 'default', name: 'data' }, 'merge', {
      spec: { resources: { requests: { storage: '3Gi' } } },
    })
    await eventually(async () => (await get('data')).status.capacity?.['storage'] === '3Gi', 'the larger claim')
    const { volumeName: name = '' } = (await get('data')).spec
    const volume = await hollow.plane.client.resource(persistentvolumes).get({ name })
    assert.equal(volume.spec.capacity?.['storage'], '3Gi')
  })

  it('the volume of a deleted claim is deleted', async () => {
    const { volumeName: name = '' } = (await get('data')).spec
    await hollow.plane.client.resource(pods).delete({ namespace: 'default', name: 'user' })
    await hollow.plane.client.resource(persistentvolumeclaims).delete({ namespace: 'default', name: 'data' })
    const volumes = hollow.plane.client.resource(persistentvolumes)
    await eventually(
      async () => !(await volumes.list()).items.some(({ metadata }) => metadata.name === name),
      'the end of the volume',
    )
  })

  it('a claim whose provisioning fails reports why, and gets its volume once it may', async () => {
    const annotations = { 'hollow.pilothouse/provision-failure': 'the disks are full' }
    const { metadata } = await claim('failing', {}, annotations)
    await hollow.createPod('waiter', using('failing'))
    const told = 'ProvisioningFailed: failed to provision volume: the disks are full'
    await eventually(async () => (await hollow.eventsOf('failing')).includes(told), told)
    assert.equal((await hollow.pod('waiter')).spec.nodeName, undefined)
    const patch = { metadata: { annotations: { 'hollow.pilothouse/provision-failure': null } } }
    await hollow.plane.client.resource(persistentvolumeclaims).patch(metadata, 'merge', patch)
    await hollow.until('waiter', isReady, 'the pod')
  })

  it('a claim from a snapshot is refused, since there are none', async () => {
    const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
    await claim('copied', { dataSource })
    await hollow.createPod('copier', using('copied'))
    const told = 'ProvisioningFailed: failed to provision volume: volumes are not made of a VolumeSnapshot'
    await eventually(async () => (await hollow.eventsOf('copied')).includes(told), told)
  })

  it('an ephemeral volume is created and deleted with its pod', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    await hollow.createPod('short', {
      volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { metadata: {}, spec } } }],
    } as Partial<PodSpec>)
    await hollow.until('short', isReady, 'the pod')
    assert.equal((await get('short-scratch')).status.phase, 'Bound')
    await hollow.plane.client.resource(pods).delete({ namespace: 'default', name: 'short' })
    await eventually(
      async () =>
        !(await hollow.plane.client.resource(persistentvolumeclaims).list()).items.some(
          ({ metadata }) => metadata.name === 'short-scratch',
        ),
      'the end of the claim',
    )
  })
})
