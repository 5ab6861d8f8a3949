import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Event, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { StorageClass } from '../../../api/gen/storage.k8s.io/v1.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { events, persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1
const { storageclasses } = resources.storage.v1
const namespace = 'default'

describe('claims and volumes against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    ;({ plane, whenSettled } = await startManagedPlane({ controllers: ['persistentvolume-binder-controller'] }))
  })
  after(async () => {
    await plane.stop()
  })

  const makeClaim = async (name: string, storage: string, spec: object = {}): Promise<void> => {
    await plane.client.resource(persistentvolumeclaims).create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
      status: {},
    } as PersistentVolumeClaim)
  }
  const makeVolume = async (name: string, storage: string, spec: object = {}): Promise<void> => {
    await plane.client.resource(persistentvolumes).create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: `/tmp/${name}` }, ...spec },
      status: {},
    } as PersistentVolume)
  }
  const makeClass = async (
    name: string,
    more: object = {},
    annotations: Record<string, string> = {},
  ): Promise<void> => {
    await plane.client.resource(storageclasses).create({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name, annotations },
      provisioner: 'd.example.com',
      ...more,
    } as StorageClass)
  }
  const claim = (name: string) => plane.client.resource(persistentvolumeclaims).get({ namespace, name })
  const volume = (name: string) => plane.client.resource(persistentvolumes).get({ name })
  const isBound = async (name: string, to: string): Promise<void> =>
    await eventually(
      async () => (await claim(name)).status.phase === 'Bound' && (await claim(name)).spec.volumeName === to,
      `${name} bound to ${to}`,
    )

  it('a pending claim is bound to a volume made later, which is Released when the claim is deleted', async () => {
    await makeClaim('first', '1Gi', { storageClassName: '' })
    await makeVolume('disk', '2Gi')
    await isBound('first', 'disk')
    const { spec, status, metadata } = await volume('disk')
    assert.equal(status.phase, 'Bound')
    assert.equal(spec.claimRef?.uid, (await claim('first')).metadata.uid)
    assert.equal(metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes')
    assert.deepEqual((await claim('first')).status.capacity, { storage: '2Gi' })
    await plane.client
      .resource(persistentvolumeclaims)
      .patch({ namespace, name: 'first' }, 'merge', { metadata: { finalizers: null } })
    await plane.client.resource(persistentvolumeclaims).delete({ namespace, name: 'first' })
    await eventuallyEquals(async () => (await volume('disk')).status.phase, 'Released', 'the volume is released')
  })

  it('twenty claims and twenty volumes are bound one to one', async () => {
    const all = Array.from({ length: 20 }, (_, at) => at)
    await Promise.all(all.map((at) => makeVolume(`many${at}`, `${at + 1}Gi`, { storageClassName: 'many' })))
    await Promise.all(all.map((at) => makeClaim(`many${at}`, '1Mi', { storageClassName: 'many' })))
    await eventually(async () => {
      const { items } = await plane.client.resource(persistentvolumeclaims).list({ namespace })
      const bound = items.filter(({ spec, status }) => spec.storageClassName === 'many' && status.phase === 'Bound')
      return bound.length === 20
    }, 'all are bound')
    const { items } = await plane.client.resource(persistentvolumes).list()
    const many = items.filter(({ spec }) => spec.storageClassName === 'many')
    for (const { metadata, spec } of many)
      assert.equal((await claim(spec.claimRef?.name ?? '')).spec.volumeName, metadata.name)
    assert.equal(new Set(many.map(({ spec }) => spec.claimRef?.name)).size, 20)
  })

  it('a class that becomes the default is set in claims without one, and its provisioner is requested', async () => {
    await makeClaim('plain', '1Gi')
    await eventually(async () => await isReported('plain', 'FailedBinding'), 'the event')
    await makeClass('fast', {}, { 'storageclass.kubernetes.io/is-default-class': 'true' })
    await eventually(
      async () =>
        (await claim('plain')).metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] === 'd.example.com',
      'the provisioner is asked',
    )
    assert.equal((await claim('plain')).spec.storageClassName, 'fast')
    // The provisioner makes a volume for the claim.
    const { uid = '' } = (await claim('plain')).metadata
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: 'plain', uid }
    await makeVolume('made', '1Gi', { storageClassName: 'fast', claimRef })
    await isBound('plain', 'made')
  })

  it('a claim of a class that waits for its first consumer gets an event, and stays Pending', async () => {
    await makeClass('late', { volumeBindingMode: 'WaitForFirstConsumer' })
    await makeVolume('late', '1Gi', { storageClassName: 'late' })
    await makeClaim('late', '1Gi', { storageClassName: 'late' })
    await eventually(async () => await isReported('late', 'WaitForFirstConsumer'), 'the event')
    assert.equal((await claim('late')).status.phase, 'Pending')
    await eventuallyEquals(async () => (await volume('late')).status.phase, 'Available', 'the volume is available')
  })

  it('a bound claim whose volume is removed is Lost', async () => {
    await makeVolume('brief', '1Gi', { storageClassName: 'brief' })
    await makeClaim('brief', '1Gi', { storageClassName: 'brief' })
    await isBound('brief', 'brief')
    await plane.client.resource(persistentvolumes).patch({ name: 'brief' }, 'merge', { metadata: { finalizers: null } })
    await plane.client.resource(persistentvolumes).delete({ name: 'brief' })
    await eventuallyEquals(async () => (await claim('brief')).status.phase, 'Lost', 'the claim is lost')
    await eventually(async () => await isReported('brief', 'ClaimLost'), 'the event')
  })

  it('volumes and claims that are bound are not written again', async () => {
    const versions = async (): Promise<unknown> => {
      const { items: volumes } = await plane.client.resource(persistentvolumes).list()
      const { items: claims } = await plane.client.resource(persistentvolumeclaims).list()
      return [...volumes, ...claims].map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`)
    }
    await plane.client
      .resource(persistentvolumes)
      .patch({ name: 'late' }, 'merge', { metadata: { annotations: { some: 'note' } } })
    const before = await versions()
    await whenSettled()
    assert.deepEqual(await versions(), before)
  })

  async function isReported(name: string, reason: string): Promise<boolean> {
    const { items } = await plane.client.resource(events).list({ namespace })
    return items.some((event: Pick<Event, 'reason' | 'involvedObject'>) => {
      return event.reason === reason && event.involvedObject.name === name
    })
  }

  const eventsOf = async (name: string): Promise<string[]> =>
    (await plane.client.resource(events).list({ namespace: 'default' })).items
      .filter(({ involvedObject }) => involvedObject?.name === name)
      .map(({ reason, message }) => `${reason} ${message}`)

  it('a folder below /tmp is removed with its volume, and none elsewhere, whatever links point to', async () => {
    const top = mkdtempSync('/tmp/pvbinder-')
    const elsewhere = mkdtempSync(join(homedir(), 'pvbinder-'))
    try {
      mkdirSync(join(top, 'data', 'deep'), { recursive: true })
      writeFileSync(join(top, 'data', 'deep', 'file'), 'x')
      mkdirSync(join(elsewhere, 'kept'))
      symlinkSync(elsewhere, join(top, 'link'))
      const paths: [name: string, path: string][] = [
        ['gone', join(top, 'data')],
        ['linked', join(top, 'link', 'kept')],
        ['outside', join(elsewhere, 'kept')],
      ]
      for (const [name, path] of paths) {
        await makeVolume(name, '1Gi', {
          hostPath: { path },
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: name,
        })
        await makeClaim(`of-${name}`, '1Gi', { storageClassName: name })
        await isBound(`of-${name}`, name)
        await plane.client.resource(persistentvolumeclaims).delete({ namespace, name: `of-${name}` }, {})
      }
      const isFailed = async (name: string): Promise<void> =>
        await eventuallyEquals(async () => (await volume(name)).status.phase, 'Failed', `${name} has failed`)
      await eventually(async () => (await volume('gone').catch(() => undefined)) === undefined, 'the volume is gone')
      assert.equal(existsSync(join(top, 'data')), false)
      await isFailed('linked')
      await isFailed('outside')
      assert.equal(existsSync(join(elsewhere, 'kept')), true)
      const message = `host_path deleter only supports /tmp/.+ but received provided ${join(elsewhere, 'kept')}`
      for (const name of ['linked', 'outside']) {
        assert.equal((await volume(name)).status.message, message)
        await eventually(async () => (await eventsOf(name)).includes(`VolumeFailedDelete ${message}`), 'its event')
      }
    } finally {
      rmSync(top, { recursive: true })
      rmSync(elsewhere, { recursive: true })
    }
  })

  it('a class of the host gets folders only with --enable-hostpath-provisioner', async () => {
    await makeClass('host', { provisioner: 'kubernetes.io/host-path' })
    await makeClaim('hosted', '1Gi', { storageClassName: 'host' })
    const message = 'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled'
    await eventually(async () => (await eventsOf('hosted')).includes(`ProvisioningFailed ${message}`), 'its event')
  })

  it('a volume to recycle is emptied by a pod, whose events are recorded, and is Available again', async () => {
    await releaseToRecycle('used')
    const pod = await recycler('used')
    assert.equal(pod.spec.activeDeadlineSeconds, 60)
    assert.deepEqual(pod.spec.volumes?.[0], { name: 'vol', hostPath: { path: '/tmp/used', type: '' } })
    await plane.client.resource(events).create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: 'pulled' },
      involvedObject: { namespace, name: 'recycler-for-used', uid: pod.metadata.uid },
      type: 'Normal',
      reason: 'Pulled',
      message: 'Image pulled',
    } as Event)
    await eventually(
      async () => (await eventsOf('used')).includes('RecyclerPod Recycler pod: Image pulled'),
      'the relayed event',
    )
    assert.equal((await volume('used')).status.phase, 'Released')
    await finish(pod, 'Succeeded')
    await eventuallyEquals(async () => (await volume('used')).status.phase, 'Available', 'the volume is free')
    assert.equal((await volume('used')).spec.claimRef, undefined)
    assert.equal(await podOf('used'), undefined)
    await eventually(async () => (await eventsOf('used')).includes('VolumeRecycled Volume recycled'), 'its event')
  })

  it('a recycler that fails, is deleted, or meets a pod of its name makes the volume Failed, and is tried again', async () => {
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'recycler-for-stuck' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    } as Pod)
    await releaseToRecycle('stuck')
    const isReportedAs = async (message: string): Promise<void> =>
      await eventually(async () => (await eventsOf('stuck')).includes(`VolumeFailedRecycle ${message}`), message)
    await isReportedAs('Recycle failed: old recycler pod found, will retry later')
    assert.equal((await volume('stuck')).status.phase, 'Failed')
    const again = async (phase: string): Promise<void> => {
      await plane.client.resource(persistentvolumes).patchStatus({ name: 'stuck' }, 'merge', { status: { phase } })
    }
    // The change to Failed has made it try again.
    const first = await recycler('stuck')
    await again('Released')
    await finish(first, 'Failed', 'no such host')
    await isReportedAs('Recycle failed: failed to recycle volume: no such host')
    const second = await recycler('stuck')
    assert.notEqual(second.metadata.uid, first.metadata.uid)
    await again('Released')
    await plane.client.resource(pods).delete(second.metadata, { gracePeriodSeconds: 0 })
    await isReportedAs('Recycle failed: failed to recycle volume: recycler pod was deleted')
    await finish(await recycler('stuck'), 'Succeeded')
    await eventuallyEquals(async () => (await volume('stuck')).status.phase, 'Available', 'the volume is free')
    assert.equal((await volume('stuck')).status.message, undefined)
  })

  it('a volume that pods still use is not emptied', async () => {
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'user' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'of-busy' } }],
      },
    } as Pod)
    await releaseToRecycle('busy')
    const message = `VolumeFailedRecycle Volume is used by pods: ${namespace}/user`
    await eventually(async () => (await eventsOf('busy')).includes(message), 'the event')
    assert.equal((await volume('busy')).status.phase, 'Released')
    assert.equal(await podOf('busy'), undefined)
  })

  /** A volume of that name whose claim has gone. */
  async function releaseToRecycle(name: string): Promise<void> {
    await makeVolume(name, '1Gi', { persistentVolumeReclaimPolicy: 'Recycle', storageClassName: name })
    await makeClaim(`of-${name}`, '1Gi', { storageClassName: name })
    await isBound(`of-${name}`, name)
    const at = { namespace, name: `of-${name}` }
    await plane.client.resource(persistentvolumeclaims).delete(at, {})
  }
  async function podOf(name: string): Promise<Frozen<Pod> | undefined> {
    const { items } = await plane.client.resource(pods).list({ namespace })
    return items.find(({ metadata }) => metadata.name === `recycler-for-${name}`)
  }
  async function recycler(name: string): Promise<Frozen<Pod>> {
    let found: Frozen<Pod> | undefined
    await eventually(async () => {
      found = await podOf(name)
      return found?.spec.activeDeadlineSeconds !== undefined && !found.status.phase?.startsWith('Fail')
    }, `the recycler of ${name}`)
    assert.ok(found)
    return found
  }
  async function finish({ metadata }: Frozen<Pod>, phase: string, message?: string): Promise<void> {
    await plane.client.resource(pods).patchStatus(metadata, 'merge', { status: { phase, message } })
  }
})
