import assert from 'node:assert/strict'
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { events, nodes, persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1
const { volumeattachments } = resources.storage.v1
const namespace = 'default'

describe('volumes of drivers against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    ;({ plane, whenSettled } = await startManagedPlane({
      controllers: [
        'persistentvolume-binder-controller',
        'persistentvolume-attach-detach-controller',
        'persistentvolume-expander-controller',
      ],
    }))
    const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' }
    await plane.client.resource(nodes).create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1', annotations },
      spec: {},
      status: {},
    } as unknown as Node)
    await plane.client.resource(persistentvolumes).create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'c',
        csi: { driver: 'd.example.com', volumeHandle: 'h' },
      },
      status: {},
    } as PersistentVolume)
    await plane.client.resource(persistentvolumeclaims).create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'c', resources: { requests: { storage: '1Gi' } } },
      status: {},
    } as PersistentVolumeClaim)
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'user' },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'i', resources: {} }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
      },
      status: {},
    } as Pod)
  })
  after(async () => {
    await plane.stop()
  })

  const attachments = async () => (await plane.client.resource(volumeattachments).list()).items
  const attached = async () => (await plane.client.resource(nodes).get({ name: 'n1' })).status.volumesAttached ?? []
  const isReported = async (name: string, reason: string): Promise<boolean> => {
    const { items } = await plane.client.resource(events).list({ namespace })
    return items.some((event) => event.reason === reason && event.involvedObject.name === name)
  }

  it('the volume of a pod is bound, attached by its driver, and listed in the node’s status', async () => {
    await eventuallyEquals(async () => (await attachments()).length, 1, 'the attachment')
    const [{ metadata, spec } = assert.fail('none')] = await attachments()
    assert.deepEqual(spec, {
      attacher: 'd.example.com',
      nodeName: 'n1',
      source: { persistentVolumeName: 'disk' },
    })
    assert.deepEqual(await attached(), [])
    await plane.client
      .resource(volumeattachments)
      .patchStatus({ name: metadata.name }, 'merge', { status: { attached: true } })
    await eventuallyEquals(async () => (await attached()).length, 1, 'the node is told')
    assert.deepEqual(await attached(), [{ name: 'kubernetes.io/csi/d.example.com^h', devicePath: '' }])
    await eventually(async () => await isReported('user', 'SuccessfulAttachVolume'), 'the event')
  })

  it('a claim that grows is left to its driver', async () => {
    const size = (storage: string) => ({ spec: { resources: { requests: { storage } } } })
    await plane.fetch('/apis/storage.k8s.io/v1/storageclasses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'c' }, provisioner: 'd.example.com', allowVolumeExpansion: true }),
    })
    await eventually(
      async () =>
        await plane.client
          .resource(persistentvolumeclaims)
          .patch({ namespace, name: 'data' }, 'merge', size('2Gi'))
          .then(
            () => true,
            () => false,
          ),
      'the claim may grow',
    )
    await eventually(async () => await isReported('data', 'ExternalExpanding'), 'the event')
  })

  it('a volume is detached when its pod is deleted and the node no longer uses it, not earlier', async () => {
    const use = async (volumesInUse: readonly string[]) =>
      await plane.client.resource(nodes).patchStatus({ name: 'n1' }, 'merge', { status: { volumesInUse } })
    await use(['kubernetes.io/csi/d.example.com^h'])
    await plane.client.resource(pods).delete({ namespace, name: 'user' }, { gracePeriodSeconds: 0 })
    await whenSettled()
    assert.equal((await attachments()).length, 1)
    assert.equal((await attached()).length, 1)
    await use([])
    await eventuallyEquals(async () => (await attachments()).length, 0, 'the attachment is gone')
    assert.deepEqual(await attached(), [])
  })
})
