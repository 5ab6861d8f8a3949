import assert from 'node:assert/strict'
import type { Node, PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const { events, nodes, persistentvolumeclaims, pods } = resources.core.v1
const namespace = 'default'

describe('nodes and what is on them against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: ['taint-eviction-controller', 'ephemeral-volume-controller'] })
  })
  after(async () => {
    await plane.stop()
  })
  const makePod = async (name: string, spec: object): Promise<void> => {
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name },
      spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0, ...spec },
    } as Pod)
  }
  const podThere = async (name: string): Promise<boolean> => {
    const { items } = await plane.client.resource(pods).list({ namespace })
    return items.some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined)
  }
  const taint = async (taints: object[]): Promise<void> => {
    await plane.client.resource(nodes).patch({ name: 'n1' }, 'merge', { spec: { taints } })
  }

  it('a NoExecute taint evicts the pods that do not tolerate it, and those of a short toleration later', async () => {
    const made = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }
    await plane.client.resource(nodes).create(made as Node)
    const tolerating = (seconds?: number): object => ({
      nodeName: 'n1',
      tolerations: [
        {
          key: 'gone',
          operator: 'Exists',
          ...(seconds === undefined ? {} : { effect: 'NoExecute', tolerationSeconds: seconds }),
        },
      ],
    })
    await makePod('plain', { nodeName: 'n1' })
    await makePod('short', tolerating(1))
    await makePod('patient', tolerating())
    await makePod('elsewhere', { nodeName: 'n2' })
    await taint([{ key: 'gone', effect: 'NoExecute' }])
    await eventually(async () => !(await podThere('plain')), 'the end of the pod')
    assert.ok(await podThere('short'), 'it stays for its time')
    await eventually(async () => !(await podThere('short')), 'the end of the pod that tolerates for a second')
    assert.ok((await podThere('patient')) && (await podThere('elsewhere')))
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace })
      return items.some(
        ({ reason, message }) =>
          reason === 'TaintManagerEviction' && message === 'Marking for deletion Pod default/plain',
      )
    }, 'the event')
  })

  it('a taint that is removed in time evicts nothing', async () => {
    await taint([])
    await makePod('spared', {
      nodeName: 'n1',
      tolerations: [{ key: 'gone', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 }],
    })
    await taint([{ key: 'gone', effect: 'NoExecute' }])
    await makePod('other', { nodeName: 'n1' })
    await eventually(async () => !(await podThere('other')), 'a pod that goes at once')
    await taint([])
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace })
      return items.some(({ message }) => message === 'Cancelling deletion of Pod default/spared')
    }, 'the event')
    assert.ok(await podThere('spared'))
  })

  it('an ephemeral volume gets its claim, owned by the pod', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const metadata = { labels: { a: 'b' } }
    await makePod('scratch', { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata, spec } } }] })
    let claim: PersistentVolumeClaim | undefined
    await eventually(async () => {
      const { items } = await plane.client.resource(persistentvolumeclaims).list({ namespace })
      claim = items[0] as PersistentVolumeClaim | undefined
      return claim !== undefined
    }, 'the claim')
    assert.equal(claim?.metadata.name, 'scratch-v')
    assert.deepEqual(claim?.metadata.labels, { a: 'b' })
    const [owner] = claim?.metadata.ownerReferences ?? []
    assert.deepEqual(
      [owner?.kind, owner?.name, owner?.controller, owner?.blockOwnerDeletion],
      ['Pod', 'scratch', true, true],
    )
    assert.deepEqual(claim?.spec.accessModes, ['ReadWriteOnce'])
  })

  it('another owner’s claim of that name is not used', async () => {
    await plane.client.resource(persistentvolumeclaims).create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name: 'thief-v' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    } as unknown as PersistentVolumeClaim)
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    await makePod('thief', { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }] })
    const wanted = 'ephemeral volume v: PVC default/thief-v was not created for pod default/thief (pod is not owner)'
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace })
      return items.some(({ reason, message }) => reason === 'FailedBinding' && message === wanted)
    }, 'the event')
  })
})

describe('classes of volume attributes against the API', () => {
  it('a class stays until no claim names it', async () => {
    const plane = await startControlPlane({
      controllers: ['volumeattributesclass-protection-controller'],
      featureGates: { VolumeAttributesClass: true },
      runtimeConfig: { 'storage.k8s.io/v1beta1': true },
    })
    try {
      const path = '/apis/storage.k8s.io/v1/volumeattributesclasses'
      const send = async (method: string, where: string, body?: object): Promise<Response> =>
        await plane.fetch(where, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
      const made = await send('POST', path, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttributesClass',
        metadata: { name: 'gold' },
        driverName: 'd.example.com',
        parameters: { a: 'b' },
      })
      assert.equal(made.status, 201)
      await eventually(
        async () => (await (await send('GET', `${path}/gold`)).text()).includes('vac-protection'),
        'the finalizer',
      )
      const claim = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeAttributesClassName: 'gold',
      }
      await send('POST', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'c' },
        spec: claim,
      })
      await send('DELETE', `${path}/gold`)
      assert.equal((await send('GET', `${path}/gold`)).status, 200)
      await send('DELETE', `/api/v1/namespaces/${namespace}/persistentvolumeclaims/c`)
      await eventuallyEquals(async () => (await send('GET', `${path}/gold`)).status, 404, 'the end of the class')
    } finally {
      await plane.stop()
    }
  })
})
