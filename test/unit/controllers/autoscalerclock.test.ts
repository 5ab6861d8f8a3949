import assert from 'node:assert/strict'
import type { HorizontalPodAutoscaler } from '../../../api/gen/autoscaling/v2.ts'
import { type Clock, createFakeClock, silentMetrics } from '../../../lib/base/index.ts'
import { type ControllerContext, defaultControllerSettings } from '../../../lib/controller/index.ts'
import { Autoscaling, type Parts } from '../../../lib/controllers/horizontalpodautoscaler/autoscaling.ts'
import { createAutoscalerMetrics } from '../../../lib/controllers/horizontalpodautoscaler/metrics.ts'
import { noPast, type Past } from '../../../lib/controllers/horizontalpodautoscaler/normalize.ts'
import type { Frozen } from '../../../lib/object/index.ts'

const target = { type: 'Value', value: '100' }
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { namespace: 'default', name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target } }],
  },
  status: {},
} as unknown as Frozen<HorizontalPodAutoscaler>

describe('an autoscaler', () => {
  it('makes a workload smaller in time though the wall clock was set back', async () => {
    const time = createFakeClock()
    let skewMs = 3_600_000
    const clock: Clock = { ...time, now: () => time.now() + skewMs }
    let replicas = 3
    const scale = {
      get: async () => await Promise.resolve({ metadata: {}, spec: { replicas }, status: { selector: 'app=web' } }),
      async update(_name: unknown, { spec }: { spec: { replicas: number } }) {
        replicas = spec.replicas
        return await Promise.resolve({})
      },
    }
    const settings = defaultControllerSettings
    const context = { clock, settings, events: { event() {} }, log: { info() {} } } as unknown as ControllerContext
    async function look(past: Past): Promise<Past> {
      const parts = {
        context,
        client: { resource: () => ({ subresource: () => scale }) },
        kinds: { resourceOf: async () => await Promise.resolve({}) },
        // A third of what three pods are for.
        api: { external: async () => await Promise.resolve(33_000) },
        pods: { in: () => [], all: () => [] },
        selectors: new Map(),
        metrics: createAutoscalerMetrics(silentMetrics, () => 1),
        past,
      } as unknown as Parts
      return (await new Autoscaling(parts, autoscaler).run()).past
    }

    let past = await look(noPast)
    assert.equal(replicas, 3)
    skewMs = 0
    time.advance(settings.horizontalPodAutoscalerDownscaleStabilization + 1000)
    past = await look(past)
    assert.equal(replicas, 1)
    assert.equal(past.removed.length, 1)
  })
})
