import assert from 'node:assert/strict'
import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { noHistory, type ScalingHistory } from '../../../lib/controllers/horizontalpodautoscaler/normalize.ts'
import { observe, type Seen } from '../../../lib/controllers/horizontalpodautoscaler/observe.ts'
import { type Plan, plan, rescaled } from '../../../lib/controllers/horizontalpodautoscaler/plan.ts'
import { type Frozen, type LabelSelector, parseLabelSelector } from '../../../lib/object/index.ts'
import { type Given, givenObject, runScripts } from '../../support/controllerscript.ts'

const { horizontalpodautoscalers } = resources.autoscaling.v2
const { deployments } = resources.apps.v1
const minuteMs = 60_000
const options = {
  tolerance: 0.1,
  delays: { cpuInitializationMs: 5 * minuteMs, initialReadinessMs: 30_000 },
  downscaleStabilizationMs: 5 * minuteMs,
  monotonicMs: 60 * minuteMs,
}

/** What the metrics APIs answer by the name of a metric: a number of thousandths, such numbers by pod, or an error. */
type Answer = number | Readonly<Record<string, number>> | string

/**
 * `input.replicas`: of the scale, or why it can't be read. `input.selector`: of its pods. `input.answers`: by metric.
 * `input.rivals`: selectors of other autoscalers, by key. `input.recommended`: earlier recommendations, as `3 min: 7`.
 * `input.refused`: why the server refuses a new scale.
 */
runScripts('horizontalpodautoscaler', async (given) => {
  const { nowMs, input } = given
  const seen = await see(given)
  const before = { ...noHistory, recommendations: recommendationsOf(input['recommended']) }
  const planned = plan(seen, input['recommended'] === undefined ? noHistory : before, { ...options, nowMs })
  return summaryOf(planned, seen, input['refused'] as string | undefined, nowMs)
})

async function see({ nowMs, key, input, lister }: Given): Promise<Seen> {
  const autoscaler = lister(horizontalpodautoscalers).get(key)
  assert.ok(autoscaler)
  const { replicas, selector = 'app=web', answers = {}, rivals = {} } = input
  const read = async (name: string): Promise<never> => {
    const answer = (answers as Readonly<Record<string, Answer>>)[name]
    if (answer === undefined || typeof answer === 'string') throw new Error(answer ?? 'nobody serves it')
    if (typeof answer === 'number') return answer as never
    const sample = (milli: number) => ({ milli, atMs: nowMs, windowMs: minuteMs })
    return new Map(Object.entries(answer).map(([pod, milli]) => [pod, sample(milli)])) as never
  }
  const scale = { metadata: { name: 'web' }, spec: { replicas }, status: { replicas, selector } } as Frozen<Scale>
  const get = async () => {
    if (typeof replicas === 'string') throw new Error(replicas)
    return scale
  }
  const selectors = Object.entries(rivals as Readonly<Record<string, string>>).map(
    ([other, text]): [string, LabelSelector] => [other, parseLabelSelector(text)],
  )
  const sources = {
    client: { resource: () => ({ subresource: () => ({ get }) }) } as never,
    kinds: { resourceOf: async () => deployments },
    api: {
      ofPods: (_namespace: string, _selector: string, name: string) => read(name),
      customOfPods: (_namespace: string, { name }: { name: string }) => read(name),
      customOfObject: (_namespace: string, { name }: { name: string }) => read(name),
      external: (_namespace: string, { name }: { name: string }) => read(name),
    },
    pods: lister(resources.core.v1.pods),
    clock: { monotonicMs: () => 0 } as never,
    selectors: new Map(selectors),
  }
  return await observe(sources, autoscaler)
}

function recommendationsOf(texts: unknown): ScalingHistory['recommendations'] {
  return ((texts ?? []) as readonly string[]).map((text) => {
    const [minutes, replicas] = text.split(' min: ')
    return { atMs: options.monotonicMs - Number(minutes) * minuteMs, replicas: Number(replicas) }
  })
}

/** Conditions as `AbleToScale True SucceededRescale`, events as `Normal SuccessfulRescale: its message`. */
function summaryOf(planned: Plan, { autoscaler }: Seen, refused: string | undefined, nowMs: number): unknown {
  const { rescale, judgements } = planned
  const outcome = rescale
    ? rescaled({ ...planned, rescale }, autoscaler.status, refused, { ...options, nowMs })
    : planned
  const { status, history, action, failed } = outcome
  const events = [...planned.events, ...(rescale ? outcome.events : [])]
  return {
    replicas: `${status.currentReplicas} → ${status.desiredReplicas}`,
    action: failed ? `${action}, failed` : action,
    conditions: status.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
    events: events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
    judgements: judgements.map(({ type, action, failed }) => `${type}: ${failed ? 'failed' : action}`),
    scaledAt: status.lastScaleTime,
    changes: [...history.added.map(({ change }) => change), ...history.removed.map(({ change }) => -change)],
  }
}

describe('an autoscaler', () => {
  it('scales a workload down in time though the wall clock was set back', async () => {
    const autoscaler = givenObject({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { namespace: 'default', name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 5,
        metrics: [
          { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '100' } } },
        ],
      },
    }) as Seen['autoscaler']
    const scale = { metadata: {}, spec: { replicas: 3 }, status: { replicas: 3 } } as Frozen<Scale>
    const seen: Seen = {
      autoscaler,
      target: { type: deployments, scale },
      pods: { selector: 'app=web', pods: [] },
      // A third of what three pods are for.
      readings: [{ value: 33_000, seconds: 0 }],
    }
    const nowMs = Date.parse('2026-01-01T12:00:00Z')
    const first = plan(seen, noHistory, { ...options, nowMs })
    assert.equal(first.rescale, undefined)
    const laterMs = options.monotonicMs + options.downscaleStabilizationMs + 1000
    const second = plan(seen, first.history, { ...options, nowMs: nowMs - 60 * minuteMs, monotonicMs: laterMs })
    assert.equal(second.rescale?.to, 1)
  })
})
