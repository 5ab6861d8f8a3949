import assert from 'node:assert/strict'
import type { PodSpec } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, isReady, startHollowPlane } from '../../support/hollowplane.ts'

const { nodes, pods } = resources.core.v1

describe('scheduler', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(2)
  })
  after(async () => {
    await hollow.plane.stop()
  })
  afterEach(async () => {
    const client = hollow.plane.client.resource(pods)
    await client.deleteCollection({ namespace: 'default' }, { gracePeriodSeconds: 0 })
    await eventually(async () => (await client.list({ namespace: 'default' })).items.length === 0, 'no pods')
  })

  const withCpu = (cpu: string, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
    containers: [{ name: 'main', image: 'i', resources: { requests: { cpu } } }],
    ...more,
  })

  it('assigns a pod to a node, and reports it', async () => {
    await hollow.createPod('plain')
    const pod = await hollow.until('plain', isReady, 'a ready pod')
    assert.match(pod.spec.nodeName ?? '', /^hollow-[01]$/)
    const scheduled = pod.status.conditions?.find(({ type }) => type === 'PodScheduled')
    assert.equal(scheduled?.status, 'True')
    const told = `Scheduled: Successfully assigned default/plain to ${pod.spec.nodeName}`
    await eventually(async () => (await hollow.eventsOf('plain')).includes(told), told)
  })

  it('ignores pods of other schedulers, and pods with gates, until the gates are removed', async () => {
    await hollow.createPod('foreign', { schedulerName: 'another' })
    await hollow.createPod('gated', { schedulingGates: [{ name: 'example.org/gate' }] })
    await hollow.createPod('after')
    await hollow.until('after', isReady, 'a later pod')
    const gated = await hollow.pod('gated')
    assert.deepEqual([gated.spec.nodeName, (await hollow.pod('foreign')).spec.nodeName], [undefined, undefined])
    assert.equal(gated.status.conditions?.find(({ type }) => type === 'PodScheduled')?.reason, 'SchedulingGated')
    await hollow.plane.client.resource(pods).patch(gated.metadata, 'merge', { spec: { schedulingGates: null } })
    await hollow.until('gated', isReady, 'the pod without a gate')
  })

  it('an unschedulable pod has a condition and an event, and is scheduled once a node has room for it', async () => {
    await hollow.createPod('large', withCpu('20'), { labels: { part: 'a' } })
    await hollow.createPod('other', withCpu('20'))
    for (const name of ['large', 'other']) await hollow.until(name, isReady, name)
    await hollow.createPod('late', withCpu('20'))
    const message =
      '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.'
    const isTold = (pod: Awaited<ReturnType<HollowPlane['pod']>>): boolean =>
      pod.status.conditions?.some((each) => each.type === 'PodScheduled' && each.message === message) === true
    const pod = await hollow.until('late', isTold, 'the condition')
    assert.equal(pod.status.conditions?.find(({ type }) => type === 'PodScheduled')?.reason, 'Unschedulable')
    await eventually(async () => (await hollow.eventsOf('late')).includes(`FailedScheduling: ${message}`), 'the event')
    await hollow.plane.client.resource(pods).delete({ namespace: 'default', name: 'large' })
    await hollow.until('late', isReady, 'the pod in the free place')
  })

  it('a more important pod replaces a less important one, whose condition and event give the reason', async () => {
    await hollow.plane.client.resource(resources.scheduling.v1.priorityclasses).create({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
    })
    await hollow.createPod('low-0', withCpu('20'))
    await hollow.createPod('low-1', withCpu('20'), { annotations: { 'hollow.pilothouse/stop-delay': '2s' } })
    const [first, second] = [
      await hollow.until('low-0', isReady, 'low-0'),
      await hollow.until('low-1', isReady, 'low-1'),
    ]
    assert.notEqual(first.spec.nodeName, second.spec.nodeName)
    await hollow.createPod(
      'high',
      withCpu('20', {
        priorityClassName: 'high',
        nodeSelector: { 'kubernetes.io/hostname': second.spec.nodeName ?? '' },
      }),
    )
    const nominated = await hollow.until('high', ({ status }) => status.nominatedNodeName !== undefined, 'a nomination')
    assert.equal(nominated.status.nominatedNodeName, second.spec.nodeName)
    const victim = await hollow.pod('low-1')
    assert.notEqual(victim.metadata.deletionTimestamp, undefined)
    const target = victim.status.conditions?.find(({ type }) => type === 'DisruptionTarget')
    assert.deepEqual([target?.status, target?.reason], ['True', 'PreemptionByScheduler'])
    const high = await hollow.until('high', isReady, 'the important pod')
    assert.equal(high.spec.nodeName, second.spec.nodeName)
    const told = `Preempted: Preempted by pod ${high.metadata.uid} on node ${second.spec.nodeName}`
    assert.ok((await hollow.eventsOf('low-1')).includes(told))
  })

  it('a pod waits for a node that it selects, and is scheduled when a node gets the label', async () => {
    await hollow.createPod('waiting', { nodeSelector: { disk: 'ssd' } })
    const isTold = (pod: Awaited<ReturnType<HollowPlane['pod']>>): boolean =>
      pod.status.conditions?.some(({ message = '' }) => message.includes("2 node(s) didn't match")) === true
    await hollow.until('waiting', isTold, 'the condition')
    const client = hollow.plane.client.resource(nodes)
    await client.patch({ name: 'hollow-1' }, 'merge', { metadata: { labels: { disk: 'ssd' } } })
    const pod = await hollow.until('waiting', isReady, 'the pod')
    assert.equal(pod.spec.nodeName, 'hollow-1')
  })
})
