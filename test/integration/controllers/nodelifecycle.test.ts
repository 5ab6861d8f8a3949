import assert from 'node:assert/strict'
import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { type Clock, systemClock } from '../../../lib/base/index.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { nodelifecycle } from '../../../lib/controllers/nodelifecycle/index.ts'
import { tainteviction } from '../../../lib/controllers/tainteviction/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'
import { settled } from '../../support/settled.ts'

const { events, namespaces, nodes, pods } = resources.core.v1
const { leases } = resources.coordination.v1

describe('the life of nodes against the API', () => {
  let plane: ControlPlane
  let manager: Manager
  /** Passes over the nodes that have begun. */
  let passes = 0
  before(async () => {
    plane = await startControlPlane()
    const settings = {
      nodeMonitorPeriod: 50,
      nodeMonitorGracePeriod: 1500,
      nodeStartupGracePeriod: 60_000,
      nodeEvictionRate: 100,
    }
    const clock: Clock = {
      ...systemClock,
      after: (ms, run) =>
        systemClock.after(ms, () => {
          run()
          if (ms > settings.nodeMonitorPeriod - 15 && ms <= settings.nodeMonitorPeriod) passes++
        }),
    }
    manager = await runControllers(plane, [nodelifecycle, tainteviction], settings, { clock })
  })
  after(async () => {
    await manager.close()
    await plane.stop()
  })

  const readyCondition = (status: string): object => ({
    type: 'Ready',
    status,
    lastHeartbeatTime: new Date().toISOString().replace(/\.\d+/, ''),
    lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''),
    reason: 'KubeletReady',
    message: '',
  })
  const makeNode = async (name: string): Promise<void> => {
    const made = await plane.client
      .resource(nodes)
      .create({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {}, status: {} } as Node)
    await plane.client
      .resource(nodes)
      .updateStatus({ ...made, status: { conditions: [readyCondition('True')] } } as Node)
  }
  /** Two passes begin after the informers show what there is now, so that one is through, and all work that it made is done. */
  const passed = async (): Promise<void> => {
    await settled(manager, plane.client)
    const before = passes
    await eventually(() => passes >= before + 2, 'two passes')
    await settled(manager, plane.client)
  }
  const read = async (name: string) => await plane.client.resource(nodes).get({ name })
  const taintsOf = async (name: string): Promise<string[]> =>
    ((await read(name)).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort()

  it('a node without a status leaves its pods ready, and has no taint that evicts them', async () => {
    await plane.client
      .resource(nodes)
      .create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'new' }, spec: {}, status: {} } as Node)
    const made = await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'early' },
      spec: { nodeName: 'new', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
    } as Pod)
    await plane.client
      .resource(pods)
      .updateStatus({ ...made, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } as Pod)
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace: 'default' })
      return items.some(({ reason, involvedObject }) => reason === 'RegisteredNode' && involvedObject.name === 'new')
    }, 'a look at the node')
    await passed()
    const { status } = await plane.client.resource(pods).get({ namespace: 'default', name: 'early' })
    assert.deepEqual(
      status.conditions?.map((condition) => condition.status),
      ['True'],
    )
    assert.deepEqual(
      (await taintsOf('new')).filter((taint) => taint.endsWith('NoExecute')),
      [],
    )
    await plane.client.resource(pods).delete({ namespace: 'default', name: 'early' })
    await plane.client.resource(nodes).delete({ name: 'new' })
  })

  it('a silent node is unreachable, its pods are not ready and then deleted; the one that renews its lease stays', async () => {
    await plane.client
      .resource(namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-node-lease' } } as never)
      .catch(() => undefined)
    await makeNode('lively')
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'kube-node-lease', name: 'lively' },
    }
    await plane.client
      .resource(leases)
      .create({ ...lease, spec: { holderIdentity: 'lively', leaseDurationSeconds: 40 } } as Lease)
    const renewing = setInterval(() => {
      const renewTime = new Date().toISOString().replace('Z', '000Z')
      void plane.client.resource(leases).patch(lease.metadata, 'merge', { spec: { renewTime } })
    }, 200)
    try {
      await makeNode('silent')
      const made = await plane.client.resource(pods).create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'default', name: 'p' },
        spec: {
          nodeName: 'silent',
          containers: [{ name: 'c', image: 'i' }],
          terminationGracePeriodSeconds: 0,
          tolerations: [
            { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
          ],
        },
      } as Pod)
      await plane.client
        .resource(pods)
        .updateStatus({ ...made, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } as Pod)
      const unreachable = ['node.kubernetes.io/unreachable:NoExecute', 'node.kubernetes.io/unreachable:NoSchedule']
      await eventuallyEquals(async () => (await taintsOf('silent')).join(), unreachable.join(), 'both taints')
      const ready = (await read('silent')).status.conditions?.find(({ type }) => type === 'Ready')
      assert.deepEqual(
        [ready?.status, ready?.reason, ready?.message],
        ['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.'],
      )
      await eventually(async () => {
        const { items } = await plane.client.resource(pods).list({ namespace: 'default' })
        return items.length === 0
      }, 'the end of the pod')
      const { items } = await plane.client.resource(events).list({ namespace: 'default' })
      const reasons = new Set(
        items.map(({ reason, involvedObject }) => `${reason} ${involvedObject.kind}/${involvedObject.name}`),
      )
      for (const wanted of [
        'RegisteredNode Node/silent',
        'NodeNotReady Node/silent',
        'NodeNotReady Pod/p',
        'TaintManagerEviction Pod/p',
      ])
        assert.ok(reasons.has(wanted), `${wanted} in ${[...reasons].join(', ')}`)
      assert.deepEqual(await taintsOf('lively'), [])
    } finally {
      clearInterval(renewing)
    }
  })

  it('a node that reports NotReady is tainted, and its pods keep the status that its kubelet reports', async () => {
    await makeNode('failing')
    await eventuallyEquals(async () => (await taintsOf('failing')).length, 0, 'no taint of a new node')
    const made = await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'fine' },
      spec: { nodeName: 'failing', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
    } as Pod)
    await plane.client
      .resource(pods)
      .updateStatus({ ...made, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } as Pod)
    await settled(manager, plane.client)
    await plane.client.resource(nodes).patchStatus({ name: 'failing' }, 'strategic', {
      status: { conditions: [{ ...readyCondition('False'), reason: 'KubeletNotReady' }] },
    } as never)
    const tainted = ['node.kubernetes.io/not-ready:NoExecute', 'node.kubernetes.io/not-ready:NoSchedule']
    await eventuallyEquals(async () => (await taintsOf('failing')).join(), tainted.join(), 'both taints')
    await passed()
    const { status } = await plane.client.resource(pods).get({ namespace: 'default', name: 'fine' })
    assert.equal(status.conditions?.[0]?.status, 'True')
    const { items } = await plane.client.resource(events).list({ namespace: 'default' })
    const told = items.filter(
      ({ reason, involvedObject }) => reason === 'NodeNotReady' && involvedObject.name === 'failing',
    )
    assert.deepEqual(told, [])
    await plane.client.resource(pods).delete({ namespace: 'default', name: 'fine' })
    await plane.client.resource(nodes).delete({ name: 'failing' })
  })

  it('a node that reports again loses its taints at once', async () => {
    const silent = await read('silent')
    await plane.client
      .resource(nodes)
      .updateStatus({ ...silent, status: { conditions: [readyCondition('True')] } } as Node)
    await eventuallyEquals(async () => (await taintsOf('silent')).length, 0, 'no taints')
  })

  it('no pod is evicted while no node is ready', async () => {
    // Both are silent from here on.
    await eventually(async () => {
      const both = await Promise.all(['lively', 'silent'].map(read))
      return both.every(({ status }) =>
        status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'Unknown'),
      )
    }, 'both nodes being silent')
    const only = 'node.kubernetes.io/unreachable:NoSchedule'
    await eventually(async () => {
      const taints = await Promise.all(['lively', 'silent'].map(taintsOf))
      return taints.every((each) => each.join() === only)
    }, 'taints that only keep pods away')
  })
})
