import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { listerOf } from '../../../lib/controller/index.ts'
import { planClaim } from '../../../lib/controllers/pvbinder/claim.ts'
import { refusalOf } from '../../../lib/controllers/pvbinder/hostpath.ts'
import type { Plan, Seen } from '../../../lib/controllers/pvbinder/types.ts'
import { planVolume, type VolumePlan } from '../../../lib/controllers/pvbinder/volume.ts'
import { type Given, givenObject, runScripts } from '../../support/controllerscript.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const { persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1

runScripts('pvbinder', (given) => {
  const seen = seenOf(given)
  const claim = seen.claims.get(given.key)
  if (claim) return told(planClaim(claim, seen))
  const volume = seen.volumes.get(given.key)
  assert.ok(volume)
  const { namespace, name } = volume.spec.claimRef ?? {}
  return told(planVolume(volume, seen.claims.get(`${namespace}/${name}`)))
})

function seenOf({ lister, input }: Given): Seen {
  return {
    claims: lister(persistentvolumeclaims),
    volumes: lister(persistentvolumes),
    classes: lister(resources.storage.v1.storageclasses),
    pods: lister(pods),
    provisions: input['provisions'] !== false,
    makesFolders: input['makesFolders'] === true,
    attributesClasses: true,
  }
}

/** What each write is about; events by reason and message. */
function told({ steps, events, claimNext, recycleNext }: Plan & Partial<VolumePlan>): unknown {
  return {
    ...(steps.length > 0
      ? {
          writes: steps.map(({ write, object: { metadata, spec, status } }) => {
            const { annotations, finalizers } = metadata
            if (write === 'volumeStatus' || write === 'claimStatus') return { [write]: metadata.name, status }
            const { claimRef, volumeName, storageClassName } = spec as Record<string, unknown>
            const binding = write === 'volume' ? { claimRef } : { volumeName, storageClassName }
            return { [write]: metadata.name, ...binding, annotations, ...(finalizers ? { finalizers } : {}) }
          }),
        }
      : {}),
    ...(events.length > 0
      ? { events: events.map(({ about, type, reason, message }) => `${about.kind} ${type} ${reason} ${message}`) }
      : {}),
    ...(claimNext ? { claimNext } : {}),
    ...(recycleNext ? { recycleNext } : {}),
  }
}

describe('the binder of claims and volumes', () => {
  it('creates folders of the host for a class that requests them, one a claim, but none for block volumes', () => {
    const host = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'host' },
      provisioner: 'kubernetes.io/host-path',
      reclaimPolicy: 'Retain',
    }
    const planOf = (spec: object, volumes: object[] = []): unknown => {
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { namespace: 'ns', name: 'c', uid: 'u', resourceVersion: '7' },
        spec: { storageClassName: 'host', resources: { requests: { storage: '1Gi' } }, ...spec },
        status: { phase: 'Pending' },
      }
      const plan = planClaim(claim as never, {
        claims: listerOf([claim] as never[]),
        volumes: listerOf(volumes as never[]),
        classes: listerOf([host] as never[]),
        pods: listerOf([]),
        provisions: true,
        makesFolders: true,
        attributesClasses: true,
      })
      const made = plan.steps.find(({ write }) => write === 'newVolume')
      return [made && { ...made.object.spec, folder: 'folder' in made ? made.folder : '' }, plan.events[0]?.message]
    }
    const folder = '/tmp/hostpath_pv/u'
    assert.deepEqual(planOf({}), [
      {
        persistentVolumeReclaimPolicy: 'Retain',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        storageClassName: 'host',
        hostPath: { path: folder },
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          name: 'c',
          namespace: 'ns',
          uid: 'u',
          resourceVersion: '7',
        },
        folder,
      },
      'Successfully provisioned volume pvc-u using kubernetes.io/host-path',
    ])
    assert.deepEqual(planOf({ volumeMode: 'Block' }), [
      undefined,
      'Failed to provision volume with StorageClass "host": kubernetes.io/host-path does not support block volume provisioning',
    ])
  })

  it('deletes no folder but those below /tmp', () => {
    for (const path of ['/tmp', '/tmp/', '/tmp/.', '/tmp/x/..', '/tmpx/y', '/', '/home/tmp/x', '/tmp/../etc'])
      assert.notEqual(refusalOf(path), undefined, path)
    for (const path of ['/tmp/x', '/tmp/x/', '/tmp/x/y']) assert.equal(refusalOf(path), undefined, path)
  })

  it('chooses among ten thousand volumes without delaying other work', () => {
    const volumes = Array.from({ length: 10_000 }, (_, at) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `v${at}`, uid: `v${at}` },
      spec: { capacity: { storage: `${20_000 - at}Mi` }, accessModes: ['ReadWriteOnce'], storageClassName: 'c' },
      status: { phase: 'Available' },
    }))
    const claim = givenObject({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: 'n', name: 'p', uid: 'p' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'c', resources: { requests: { storage: '15000Mi' } } },
    })
    const lists = new Map<string, readonly unknown[]>([['persistentvolumes', volumes]])
    const seen = seenOf({
      nowMs: 0,
      key: '',
      input: {},
      lister: (type) => listerOf((lists.get(type.resource) ?? []) as never[]),
    })
    planClaim(claim as never, seen)
    const startMs = threadCpuMs()
    const { steps } = planClaim(claim as never, seen)
    assert.ok(threadCpuMs() - startMs < 500)
    assert.equal(steps[0]?.object.metadata.name, 'v5000')
  })
})
