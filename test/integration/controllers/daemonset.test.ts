import assert from 'node:assert/strict'
import type { DaemonSet } from '../../../api/gen/apps/v1.ts'
import type { Node } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'
import { createKubelet } from '../../support/kubelet.ts'

const { controllerrevisions, daemonsets } = resources.apps.v1
const { nodes } = resources.core.v1

function setOf(name: string): DaemonSet {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'default', name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'one', resources: {} }] } },
      updateStrategy: {},
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  }
}

describe('daemonset controller against the API', () => {
  let plane: ControlPlane
  const kubelet = createKubelet(() => plane)
  const sets = () => plane.client.resource(daemonsets)
  const at = (name: string) => ({ namespace: 'default', name })
  before(async () => {
    plane = await startControlPlane({ controllers: ['daemonset-controller'] })
    for (const name of ['a', 'b', 'c']) await makeNode(name)
  })
  after(async () => {
    await plane.stop()
  })

  /** A node that is ready: new ones are tainted until they are. */
  async function makeNode(name: string): Promise<void> {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {}, status: {} }
    await plane.client.resource(nodes).create(node as Node)
    await plane.client.resource(nodes).patch({ name }, 'merge', { spec: { taints: null } })
  }

  async function runUntilReady(app: string, count: number): Promise<void> {
    await eventually(async () => {
      await kubelet.run(app)
      const { metadata, status } = await sets().get(at(app))
      return (
        status.observedGeneration === metadata.generation &&
        status.desiredNumberScheduled === count &&
        status.updatedNumberScheduled === count &&
        status.numberAvailable === count
      )
    }, `${count} pods of ${app}`)
  }

  it('every node gets a pod bound to it alone; a new node gets one, too', async () => {
    await sets().create(setOf('log'))
    await runUntilReady('log', 3)
    const [pod] = await kubelet.podsOf('log')
    const required = pod?.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    assert.deepEqual(required?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.key, 'metadata.name')
    assert.equal(pod?.spec.tolerations?.length, 6)
    await makeNode('d')
    await runUntilReady('log', 4)
    await plane.client.resource(nodes).patch({ name: 'd' }, 'merge', {
      spec: { taints: [{ key: 'away', value: 'now', effect: 'NoExecute' }] },
    })
    await runUntilReady('log', 3)
    await plane.client.resource(nodes).delete({ name: 'd' })
  })

  it('a changed template is rolled out; undone, its old revision is used again', async () => {
    await sets().create(setOf('roll'))
    await runUntilReady('roll', 3)
    const withImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } })
    for (const image of ['two', 'one']) {
      await sets().patch(at('roll'), 'strategic', withImage(image))
      await runUntilReady('roll', 3)
      for (const { spec } of await kubelet.podsOf('roll')) assert.equal(spec.containers?.[0]?.image, image)
    }
    const { items } = await plane.client.resource(controllerrevisions).list({ labelSelector: 'app=roll' })
    assert.deepEqual(new Set(items.map(({ revision }) => revision)), new Set([2, 3]))
  })

  it('a pod that failed is replaced, and an event reports it', async () => {
    await sets().create(setOf('fails'))
    await runUntilReady('fails', 3)
    const [pod] = await kubelet.podsOf('fails')
    if (pod) await kubelet.finish(pod, 'Failed')
    await eventually(async () => {
      await kubelet.run('fails')
      const all = await kubelet.podsOf('fails')
      return all.length === 3 && all.every(({ metadata }) => metadata.uid !== pod?.metadata.uid)
    }, 'another pod')
    await eventually(async () => (await kubelet.reasons('fails')).includes('FailedDaemonPod'), 'the event')
  })

  it('a revision that another client adds waits for the next sync, in which duplicates are merged', async () => {
    await sets().create(setOf('twice'))
    await runUntilReady('twice', 3)
    const revisions = plane.client.resource(controllerrevisions)
    const names = async (): Promise<string[]> =>
      (await revisions.list({ labelSelector: 'app=twice' })).items.map(({ metadata }) => metadata.name ?? '').sort()
    const [own] = (await revisions.list({ labelSelector: 'app=twice' })).items
    assert.ok(own)
    // A sync for a change that came before would merge it at once.
    const read = async (): Promise<string> => (await sets().get(at('twice'))).metadata.resourceVersion ?? ''
    await eventually(async () => !(await kubelet.writesAfter(500, read)), 'the set has come to rest')
    const { labels, ownerReferences } = own.metadata
    const added = { name: 'added', namespace: 'default', labels, ownerReferences }
    await revisions.create({ ...own, metadata: added, revision: 0 })
    assert.equal(await kubelet.writesAfter(300, async () => (await names()).join()), false)
    assert.deepEqual(await names(), ['added', own.metadata.name])
    await sets().patch(at('twice'), 'merge', { metadata: { annotations: { a: 'b' } } })
    await eventually(async () => (await names()).length === 1, 'one of the two is left')
    assert.deepEqual(await names(), [own.metadata.name])
  })

  it('writes nothing once the state is as wanted', async () => {
    await sets().create(setOf('still'))
    await runUntilReady('still', 3)
    const read = async () =>
      [await sets().get(at('still')), ...(await kubelet.podsOf('still'))]
        .map(({ metadata }) => metadata.resourceVersion)
        .join()
    assert.equal(await kubelet.writesAfter(300, read), false)
  })
})
