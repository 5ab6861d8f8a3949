import assert from 'node:assert/strict'
import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { deployments, replicasets } = resources.apps.v1
const { configmaps, events, namespaces, pods, serviceaccounts } = resources.core.v1

function deploymentOf(name: string, image: string, replicas: number): Deployment {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'default', name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image, resources: {} }] } },
      strategy: {},
    },
    status: {},
  }
}

describe('controllers in the process of their server', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  before(async () => {
    ;({ plane, whenSettled } = await startManagedPlane({ controllers: true }))
  })
  after(async () => {
    await plane.stop()
  })

  const podsOf = async (app: string) =>
    (await plane.client.resource(pods).list({ namespace: 'default', labelSelector: `app=${app}` })).items

  /** What a kubelet would do. */
  async function makeReady(app: string): Promise<void> {
    for (const pod of await podsOf(app)) {
      if (pod.status.conditions?.some(({ type }) => type === 'Ready')) continue
      const status = {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      }
      await plane.client
        .resource(pods)
        .patchStatus(pod.metadata, 'merge', { status })
        .catch(() => {})
    }
  }

  it('a deployment makes a set, which makes pods', async () => {
    await plane.client.resource(deployments).create(deploymentOf('web', 'one', 3))
    await eventuallyEquals(async () => (await podsOf('web')).length, 3, 'three pods')
    const { items } = await plane.client.resource(replicasets).list({ labelSelector: 'app=web' })
    assert.equal(items.length, 1)
    assert.equal(items[0]?.metadata.annotations?.['deployment.kubernetes.io/revision'], '1')
    for (const pod of await podsOf('web')) assert.equal(pod.metadata.ownerReferences?.[0]?.uid, items[0]?.metadata.uid)
  })

  it('the statuses of a new deployment and of its set are written once, together with the pods that the set made', async () => {
    const seen: Record<string, string[]> = { Deployment: [], ReplicaSet: [] }
    const follow = (type: typeof deployments | typeof replicasets) =>
      plane.client.resource<Deployment | ReplicaSet>(type).watch(
        {
          namespace: 'default',
          labelSelector: 'app=once',
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
        },
        {
          onEvents(batch) {
            for (const event of batch) {
              if (event.type === 'BOOKMARK') continue
              const { observedGeneration = 0, replicas = 0 } = event.object.status
              seen[event.object.kind]?.push(`generation ${observedGeneration}, ${replicas} pods`)
            }
          },
          onEnd() {},
        },
      )
    const watching = [follow(deployments), follow(replicasets)]
    const made = deploymentOf('once', 'one', 3)
    await plane.client
      .resource(deployments)
      .create({ ...made, metadata: { ...made.metadata, labels: { app: 'once' } } })
    await whenSettled()
    const states = ['generation 0, 0 pods', 'generation 1, 3 pods']
    await eventuallyEquals(() => seen, { Deployment: states, ReplicaSet: states }, 'two states of each')
    for (const each of watching) await each.close()
  })

  it('a changed template is rolled out and back, and the other set is left with no pods', async () => {
    const client = plane.client.resource(deployments)
    await client.create(deploymentOf('roll', 'one', 4))
    const image = 'two'
    const isDone = async (wanted: string, revision: string): Promise<boolean> => {
      await makeReady('roll')
      const { metadata, status } = await client.get({ namespace: 'default', name: 'roll' })
      const all = await podsOf('roll')
      return (
        all.length === 4 &&
        all.every(({ spec }) => spec.containers?.[0]?.image === wanted) &&
        metadata.annotations?.['deployment.kubernetes.io/revision'] === revision &&
        status.conditions?.find(({ type }) => type === 'Progressing')?.reason === 'NewReplicaSetAvailable'
      )
    }
    await eventually(() => isDone('one', '1'), 'the first image')
    await client.patch({ namespace: 'default', name: 'roll' }, 'strategic', {
      spec: { template: { spec: { containers: [{ name: 'c', image }] } } },
    })
    await eventually(() => isDone(image, '2'), 'the second image')
    const { items } = await plane.client.resource(replicasets).list({ labelSelector: 'app=roll' })
    assert.deepEqual(new Set(items.map(({ spec }) => spec.replicas)), new Set([0, 4]))

    const annotations = { 'deprecated.deployment.rollback.to': '1' }
    await client.patch({ namespace: 'default', name: 'roll' }, 'merge', { metadata: { annotations } })
    await eventually(() => isDone('one', '3'), 'the first image again')
    await eventually(async () => {
      const all = await plane.client.resource(events).list({ namespace: 'default' })
      const message = 'Rolled back deployment "roll" to revision 1'
      return all.items.some((event) => event.reason === 'DeploymentRollback' && event.message === message)
    }, 'an event')
  })

  it('a deployment is scaled to its replicas', async () => {
    const client = plane.client.resource(deployments)
    await client.create(deploymentOf('scale', 'one', 1))
    await eventuallyEquals(async () => (await podsOf('scale')).length, 1, 'one pod')
    await client.patch({ namespace: 'default', name: 'scale' }, 'merge', { spec: { replicas: 5 } })
    await eventuallyEquals(async () => (await podsOf('scale')).length, 5, 'five pods')
    await client.patch({ namespace: 'default', name: 'scale' }, 'merge', { spec: { replicas: 2 } })
    await eventuallyEquals(async () => (await podsOf('scale')).length, 2, 'two pods')
  })

  it('a deployment with Recreate adopts sets of other sizes', async () => {
    const { spec } = deploymentOf('heir', 'one', 1)
    for (const name of ['first', 'second'])
      await plane.client.resource(replicasets).create({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          namespace: 'default',
          name: `heir-${name}`,
          labels: { app: 'heir' },
          annotations: { 'deployment.kubernetes.io/desired-replicas': '4' },
        },
        spec: { replicas: 1, selector: spec.selector, template: spec.template },
        status: { replicas: 0 },
      })
    const heir = deploymentOf('heir', 'two', 1)
    await plane.client.resource(deployments).create({ ...heir, spec: { ...heir.spec, strategy: { type: 'Recreate' } } })
    await eventually(async () => {
      const images = (await podsOf('heir')).map((pod) => pod.spec.containers?.[0]?.image)
      return images.join() === 'two'
    }, 'its only pod')
  })

  it('the workload controllers write nothing once the state is as wanted', async () => {
    const client = plane.client.resource(deployments)
    await client.create(deploymentOf('still', 'one', 2))
    await eventuallyEquals(async () => (await podsOf('still')).length, 2, 'two pods')
    await eventuallyEquals(
      async () => (await client.get({ namespace: 'default', name: 'still' })).status.replicas,
      2,
      'its status',
    )
    const revision = await whenSettled()
    const [pod] = await podsOf('still')
    assert.ok(pod)
    await plane.client.resource(pods).patch(pod.metadata, 'merge', { metadata: { annotations: { some: 'note' } } })
    assert.equal(await whenSettled(), revision + 1)
  })

  it('a new namespace gets its account and its authority; a deleted one is deleted with its content', async () => {
    const all = plane.client.resource(namespaces)
    await all.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' }, spec: {}, status: {} })
    const maps = plane.client.resource(configmaps)
    await eventuallyEquals(async () => (await maps.list({ namespace: 'going' })).items.length, 1, 'the authority')
    await eventuallyEquals(
      async () => (await plane.client.resource(serviceaccounts).list({ namespace: 'going' })).items.length,
      1,
      'the account',
    )
    await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'going', name: 'a' } })
    await all.delete({ name: 'going' })
    await eventually(async () => {
      const { items } = await all.list({ fieldSelector: 'metadata.name=going' })
      return items.length === 0
    }, 'the end of the namespace')
    assert.deepEqual((await maps.list({ namespace: 'going' })).items, [])
  })
})
