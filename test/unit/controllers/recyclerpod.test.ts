import assert from 'node:assert/strict'
import type { PersistentVolume, Pod } from '../../../api/gen/core/v1.ts'
import { defaultControllerSettings, listerOf } from '../../../lib/controller/index.ts'
import { podsUsing } from '../../../lib/controllers/pvbinder/podclaims.ts'
import { recyclerPod } from '../../../lib/controllers/pvbinder/recyclerpod.ts'

const volumeOf = (spec: object): PersistentVolume =>
  ({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec, status: {} }) as PersistentVolume
const folder = { hostPath: { path: '/tmp/v', type: 'Directory' } }
const share = { nfs: { server: 's', path: '/p', readOnly: true } }

describe('the pod that empties a volume', () => {
  it('is named after its volume, and mounts that', () => {
    const { metadata, spec } = recyclerPod(volumeOf(folder), defaultControllerSettings)
    assert.deepEqual(metadata, { namespace: 'default', name: 'recycler-for-v' })
    assert.equal(spec.restartPolicy, 'Never')
    assert.deepEqual(spec.volumes, [{ name: 'vol', hostPath: { path: '/tmp/v' } }])
    assert.deepEqual(spec.containers?.[0]?.volumeMounts, [{ name: 'vol', mountPath: '/scrub' }])
    const { spec: other } = recyclerPod(volumeOf(share), defaultControllerSettings)
    assert.deepEqual(other.volumes, [{ name: 'vol', nfs: { server: 's', path: '/p' } }])
  })

  it('has a deadline by the size of its volume', () => {
    const settings = { ...defaultControllerSettings, pvRecyclerIncrementTimeoutNfs: 7 }
    const deadlines: [source: object, storage: string | undefined, seconds: number][] = [
      [folder, undefined, 60],
      [folder, '1Gi', 60],
      [folder, '3Gi', 90],
      [folder, '3000M', 60],
      [folder, '10Ti', 307_200],
      [share, '1Gi', 300],
      [share, '42Gi', 300],
      [share, '43Gi', 301],
    ]
    for (const [source, storage, seconds] of deadlines) {
      const volume = volumeOf({ ...source, ...(storage === undefined ? {} : { capacity: { storage } }) })
      assert.equal(recyclerPod(volume, settings).spec.activeDeadlineSeconds, seconds, storage ?? 'no size')
    }
  })

  it('follows the template of its kind of volume, but for the name, the deadline and the first volume', () => {
    const template = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'ours', generateName: 'x-', labels: { a: 'b' } },
      spec: {
        activeDeadlineSeconds: 5,
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'more', emptyDir: {} },
        ],
        containers: [],
      },
      status: {},
    } as Pod
    const settings = { ...defaultControllerSettings, recyclerPods: { nfs: template } }
    assert.deepEqual(recyclerPod(volumeOf(share), settings), {
      ...template,
      metadata: { namespace: 'ours', labels: { a: 'b' }, name: 'recycler-for-v' },
      spec: {
        ...template.spec,
        activeDeadlineSeconds: 300,
        volumes: [
          { name: 'data', nfs: { server: 's', path: '/p' } },
          { name: 'more', emptyDir: {} },
        ],
      },
    })
    assert.equal(recyclerPod(volumeOf(folder), settings).metadata.namespace, 'default')
  })

  it('waits for pods that use the claim and have not ended', () => {
    const pod = (name: string, phase: string, volume: object): Pod =>
      ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'n', name },
        spec: { nodeName: 'node', volumes: [{ name: 'c', ...volume }], containers: [] },
        status: { phase },
      }) as Pod
    const uses = { persistentVolumeClaim: { claimName: 'web-c' } }
    const pods = listerOf([
      pod('runs', 'Running', uses),
      pod('done', 'Succeeded', uses),
      pod('broken', 'Failed', uses),
      pod('web', 'Pending', { ephemeral: {} }),
      pod('other', 'Running', { persistentVolumeClaim: { claimName: 'other' } }),
    ])
    const volume = volumeOf({ ...share, claimRef: { namespace: 'n', name: 'web-c' } })
    assert.deepEqual(podsUsing(volume, pods), ['n/runs', 'n/web'])
  })
})
