import assert from 'node:assert/strict'
import type { StatefulSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { createKubelet } from '../../support/kubelet.ts'

const { controllerrevisions, statefulsets } = resources.apps.v1
const { persistentvolumeclaims, pods, replicationcontrollers } = resources.core.v1

function setOf(name: string, more: Partial<StatefulSet['spec']> = {}): StatefulSet {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace: 'default', name },
    spec: {
      replicas: 3,
      serviceName: name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'one', resources: {} }] } },
      updateStrategy: {},
      ...more,
    },
    status: { replicas: 0, availableReplicas: 0 },
  }
}

describe('statefulset and replicationcontroller controllers against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: ['statefulset-controller', 'replicationcontroller-controller'] })
  })
  after(async () => {
    await plane.stop()
  })
  const kubelet = createKubelet(() => plane)
  const sets = () => plane.client.resource(statefulsets)
  const name = (set: string) => ({ namespace: 'default', name: set })

  async function runUntilReady(app: string, count: number): Promise<void> {
    await eventually(async () => {
      await kubelet.run(app)
      const { metadata, status } = await sets().get(name(app))
      return (
        status.observedGeneration === metadata.generation &&
        status.availableReplicas === count &&
        status.replicas === count &&
        status.currentRevision === status.updateRevision
      )
    }, `${count} pods of ${app}`)
  }

  it('makes pods one after the other with their claims, and labels them with their revision', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: {},
    }
    await sets().create(setOf('db', { volumeClaimTemplates: [claim] }))
    await eventuallyEquals(async () => (await kubelet.podsOf('db')).length, 1, 'the first pod')
    await runUntilReady('db', 3)
    const made = await kubelet.podsOf('db')
    assert.deepEqual(new Set(made.map(({ metadata }) => metadata.name)), new Set(['db-0', 'db-1', 'db-2']))
    const { status } = await sets().get(name('db'))
    for (const { metadata, spec } of made) {
      assert.equal(metadata.labels?.['controller-revision-hash'], status.currentRevision)
      assert.equal(metadata.labels?.['statefulset.kubernetes.io/pod-name'], metadata.name)
      assert.equal(metadata.generateName, 'db-')
      assert.equal(spec.hostname, metadata.name)
      assert.equal(spec.subdomain, 'db')
      assert.equal(metadata.ownerReferences?.[0]?.kind, 'StatefulSet')
    }
    const claims = await plane.client.resource(persistentvolumeclaims).list({ labelSelector: 'app=db' })
    assert.deepEqual(
      new Set(claims.items.map(({ metadata }) => metadata.name)),
      new Set(['data-db-0', 'data-db-1', 'data-db-2']),
    )
    await eventually(async () => (await kubelet.reasons('db')).includes('SuccessfulCreate'), 'an event')
  })

  it('updates from the highest pod down, keeps a history, and returns to an old revision under its name', async () => {
    await sets().create(setOf('roll', { replicas: 2 }))
    await runUntilReady('roll', 2)
    const { currentRevision: first } = (await sets().get(name('roll'))).status
    const withImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } })
    await sets().patch(name('roll'), 'strategic', withImage('two'))
    await eventually(async () => (await sets().get(name('roll'))).status.updateRevision !== first, 'the new revision')
    await runUntilReady('roll', 2)
    for (const pod of await kubelet.podsOf('roll')) assert.equal(pod.spec.containers?.[0]?.image, 'two')
    await sets().patch(name('roll'), 'strategic', withImage('one'))
    await eventuallyEquals(
      async () => (await sets().get(name('roll'))).status.updateRevision,
      first,
      'the old revision',
    )
    await runUntilReady('roll', 2)
    const { items } = await plane.client.resource(controllerrevisions).list({ labelSelector: 'app=roll' })
    assert.deepEqual(new Set(items.map(({ revision }) => revision)), new Set([2, 3]))
  })

  it('a set whose name is too long for its pods gets an event and no pods', async () => {
    const long = 'x'.repeat(63)
    await sets().create(setOf(long, { replicas: 1, serviceName: 'a' }))
    await eventually(async () => (await kubelet.reasons(long)).includes('FailedCreate'), 'the event')
    assert.deepEqual(await kubelet.podsOf(long), [])
  })

  it('writes nothing once the state is as wanted', async () => {
    await sets().create(setOf('still', { replicas: 2 }))
    await runUntilReady('still', 2)
    const read = async () => {
      const set = await sets().get(name('still'))
      const all = await kubelet.podsOf('still')
      return [set, ...all].map(({ metadata }) => metadata.resourceVersion).join()
    }
    assert.equal(await kubelet.writesAfter(300, read), false)
  })

  it('a replication controller keeps its pods', async () => {
    const labels = { app: 'rc' }
    await plane.client.resource(replicationcontrollers).create({
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { namespace: 'default', name: 'rc' },
      spec: {
        replicas: 2,
        selector: labels,
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'one', resources: {} }] } },
      },
      status: { replicas: 0 },
    })
    await eventuallyEquals(async () => (await kubelet.podsOf('rc')).length, 2, 'two pods')
    const [pod] = await kubelet.podsOf('rc')
    assert.equal(pod?.metadata.ownerReferences?.[0]?.kind, 'ReplicationController')
    await plane.client.resource(pods).delete(pod?.metadata ?? {}, { gracePeriodSeconds: 0 })
    await eventually(async () => {
      const all = await kubelet.podsOf('rc')
      return all.length === 2 && all.every(({ metadata }) => metadata.uid !== pod?.metadata.uid)
    }, 'another pod in its place')
    await eventuallyEquals(
      async () => (await plane.client.resource(replicationcontrollers).get(name('rc'))).status.replicas,
      2,
      'the status',
    )
  })
})
