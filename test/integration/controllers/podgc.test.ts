import assert from 'node:assert/strict'
import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { createFakeClock, systemClock } from '../../../lib/base/index.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { podgc } from '../../../lib/controllers/podgc/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'
import { settled } from '../../support/settled.ts'

const { nodes, pods } = resources.core.v1
const passMs = 20_000

describe('pod garbage collection', () => {
  let plane: ControlPlane
  let manager: Manager
  let metrics = createMetrics()
  let clock = createFakeClock(Date.now())
  before(async () => {
    plane = await startControlPlane({ controllers: [] })
  })
  after(async () => {
    await plane.stop()
  })
  beforeEach(() => {
    metrics = createMetrics()
    clock = createFakeClock(Date.now())
  })
  afterEach(async () => {
    await manager.close()
    for (const { metadata } of (await plane.client.resource(pods).list()).items)
      await plane.client.resource(pods).delete(metadata, { gracePeriodSeconds: 0 })
  })

  /** Runs the controller; its passes come as the test moves the clock. */
  async function run(terminatedPodGcThreshold: number): Promise<void> {
    const { now, monotonicMs, every, after } = clock
    const passes = { ...systemClock, now, monotonicMs, every, after }
    manager = await runControllers(plane, [podgc], { terminatedPodGcThreshold }, { clock: passes, metrics })
    await manager.whenSynced()
  }

  async function makePod(name: string, nodeName: string, phase?: 'Failed' | 'Succeeded'): Promise<void> {
    const made = await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    } as Pod)
    if (phase) await plane.client.resource(pods).updateStatus({ ...made, status: { ...made.status, phase } } as Pod)
  }

  /** One pass over all that there is now, to its end. */
  async function pass(): Promise<void> {
    await settled(manager, plane.client)
    clock.advance(passMs)
    await settled(manager, plane.client)
  }

  const names = async (): Promise<string[]> =>
    (await plane.client.resource(pods).list()).items.map(({ metadata }) => metadata.name ?? '').sort()

  async function counted(): Promise<string[]> {
    const { body } = await metrics.exposition('text', ['pod_gc_collector_force_delete_pods_total'])
    return body.split('\n').filter((line) => line.startsWith('pod_gc')).sort() // biome-ignore format: one line
  }

  it("deletes a missing node's pods once the node has been missing for forty seconds", async () => {
    await makePod('stays', 'there')
    await makePod('goes', 'missing')
    await plane.client.resource(nodes).create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'there' } } as Node)
    await run(0)
    for (let passes = 0; passes < 2; passes++) {
      await pass()
      assert.deepEqual(await names(), ['goes', 'stays'], 'in quarantine')
    }
    await pass()
    await eventuallyEquals(async () => (await names()).join(), 'stays', 'the pod goes')
  })

  it('forgets that a node was missing when it reappears', async () => {
    await makePod('a', 'blinking')
    await run(0)
    await pass()
    const { metadata } = await plane.client
      .resource(nodes)
      .create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'blinking' } } as Node)
    await pass()
    await plane.client.resource(nodes).delete(metadata)
    for (let passes = 0; passes < 2; passes++) await pass()
    assert.deepEqual(await names(), ['a'])
  })

  it('counts a pod that is deleted for two reasons once', async () => {
    await makePod('old', 'missing', 'Failed')
    await run(1)
    await pass()
    await pass()
    await makePod('new', 'missing', 'Succeeded')
    // In this pass the node's quarantine ends, and two pods that have ended are one too many.
    await pass()
    await eventuallyEquals(async () => (await names()).length, 0, 'both go')
    // A deletion is counted once its answer has arrived, which is later than the pod is gone.
    const total = async (): Promise<number> => (await counted()).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0) // biome-ignore format: one line
    await eventually(async () => (await total()) >= 2, 'both are counted')
    await settled(manager, plane.client)
    assert.deepEqual(await total(), 2, (await counted()).join('\n'))
  })
})
