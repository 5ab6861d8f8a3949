import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Pod } from '../../../api/gen/core/v1.ts'
import {
  noHistory,
  normalize,
  type ScaleRequest,
  type ScalingHistory,
  withChange,
} from '../../../lib/controllers/horizontalpodautoscaler/normalize.ts'
import {
  replicasByAverage,
  replicasByShare,
  replicasByUtilization,
  replicasByValue,
} from '../../../lib/controllers/horizontalpodautoscaler/replicas.ts'
import { requestsOf } from '../../../lib/controllers/horizontalpodautoscaler/requests.ts'
import type { Frozen } from '../../../lib/object/index.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const tolerances = { up: 0.1, down: 0.1 }
const delays = { cpuInitializationMs: 300_000, initialReadinessMs: 30_000 }
const at = (ms: number): string => new Date(ms).toISOString().replace('.000', '')

function pod(
  name: string,
  more: { phase?: string; ready?: string; startMs?: number; changedMs?: number; deleting?: boolean } = {},
): Frozen<Pod> {
  const { phase = 'Running', ready = 'True', startMs = now - 3_600_000, changedMs = startMs, deleting = false } = more
  return {
    metadata: { name, ...(deleting ? { deletionTimestamp: at(now) } : {}) },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
    status: {
      phase,
      startTime: at(startMs),
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: at(changedMs) }],
    },
  } as unknown as Frozen<Pod>
}

describe('pods by the share of what they request', () => {
  /** `usages`: of each pod in thousandths of a processor; undefined: no sample. */
  const replicas = (
    target: number,
    usages: readonly (number | undefined)[],
    pods = usages.map((_, index) => pod(`p${index}`)),
    current = pods.length,
  ): number => {
    const samples = new Map(
      usages.flatMap((milli, index) =>
        milli === undefined ? [] : [[`p${index}`, { milli, atMs: now, windowMs: 30_000 }] as const],
      ),
    )
    const requests = requestsOf(pods, 'cpu', undefined)
    return replicasByUtilization({ current, pods, samples, tolerances, delays, nowMs: now }, requests, target).replicas
  }
  const cases: [title: string, found: () => number, expected: number][] = [
    ['are more when they use more', () => replicas(30, [300, 500, 700]), 5],
    ['are fewer when they use less', () => replicas(50, [100, 300, 500, 250, 250]), 3],
    ['stay within the tolerance', () => replicas(100, [1010, 1030, 1020]), 3],
    ['stay at its very end', () => replicas(100, [1100, 1100]), 2],
    ['without a sample count as using nothing when more are wanted', () => replicas(50, [undefined, 1000]), 2],
    ['without a sample count as using all when fewer are wanted', () => replicas(50, [undefined, 100, 100, 100]), 3],
    [
      'that are pending count as using nothing when more are wanted',
      () => replicas(30, [400, 500, 700], [pod('p0', { phase: 'Pending' }), pod('p1'), pod('p2')]),
      4,
    ],
    [
      'that are pending do not count when fewer are wanted',
      () => replicas(100, [undefined, 300, 300], [pod('p0', { phase: 'Pending' }), pod('p1'), pod('p2')]),
      1,
    ],
    [
      'that have just started do not count yet',
      () =>
        replicas(
          30,
          [900, 300, 300],
          [pod('p0', { startMs: now - 60_000, ready: 'False', changedMs: now - 60_000 }), pod('p1'), pod('p2')],
        ),
      3,
    ],
    [
      'that fail or go away do not count',
      () =>
        replicas(30, [900, 900, 300], [pod('p0', { phase: 'Failed' }), pod('p1', { deleting: true }), pod('p2')], 1),
      1,
    ],
  ]
  for (const [title, found, expected] of cases) it(title, () => assert.equal(found(), expected))

  it('pods by the share of their requests need a request and a sample', () => {
    const bare = { ...pod('p'), spec: { containers: [{ name: 'c' }] } } as unknown as Frozen<Pod>
    assert.throws(() => requestsOf([bare], 'cpu', undefined), /missing request for cpu in container c of Pod p/)
    assert.throws(() => replicas(50, [undefined, undefined]), /did not receive metrics for targeted pods/)
    assert.throws(() => replicas(50, []), /no pods returned by selector/)
  })

  it('never change against the direction of the measurement', () => {
    const usage = fc.option(fc.nat(3000), { nil: undefined, freq: 4 })
    fc.assert(
      fc.property(
        fc.array(usage, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 200 }),
        (usages, target) => {
          const known = usages.filter((each) => each !== undefined)
          if (known.length === 0) return
          const ratio = Math.trunc(known.reduce((sum, each) => sum + each, 0) / 10 / known.length) / target
          const found = replicas(target, usages)
          if (ratio > 1) assert.ok(found >= usages.length)
          if (ratio < 1) assert.ok(found <= usages.length)
        },
      ),
    )
  })
})

describe('pods by other measures', () => {
  const pods = ['a', 'b', 'c'].map((name) => pod(name))
  it('pods by an average count are computed as those by utilization', () => {
    const samples = new Map(
      pods.map(({ metadata }) => [metadata.name ?? '', { milli: 20_000, atMs: now, windowMs: 60_000 }]),
    )
    const given = { current: 3, pods, samples, tolerances, delays: undefined, nowMs: now }
    assert.deepEqual(replicasByAverage(given, 15_000), { replicas: 4, averageMilli: 20_000 })
  })
  it('pods by a value of another object depend on the ready pods', () => {
    assert.equal(
      replicasByValue({ current: 3, pods: [...pods, pod('d', { ready: 'False' })], tolerances }, 20_000, 15_000),
      4,
    )
    assert.equal(replicasByValue({ current: 0, pods: [], tolerances }, 20_000, 15_000), 2)
    assert.equal(replicasByValue({ current: 7, pods, tolerances }, 15_500, 15_000), 7)
  })
  it('pods by a share of a value depend on the number of pods', () => {
    assert.deepEqual(replicasByShare({ statusReplicas: 3, tolerances }, 8600, 2000), {
      replicas: 5,
      averageMilli: 2867,
    })
    assert.equal(replicasByShare({ statusReplicas: 3, tolerances }, 6100, 2000).replicas, 3)
  })
})

describe('the number that is wanted', () => {
  const request = (more: Partial<ScaleRequest>): ScaleRequest => ({
    current: 5,
    desired: 5,
    min: 1,
    max: 100,
    behavior: undefined,
    downscaleStabilizationMs: 300_000,
    ...more,
  })
  const past = (...recommendations: [ago: number, replicas: number][]): ScalingHistory => ({
    ...noHistory,
    recommendations: recommendations.map(([ago, replicas]) => ({ atMs: now - ago * 1000, replicas })),
  })
  const cases: [
    title: string,
    request: ScaleRequest,
    past: ScalingHistory,
    replicas: number,
    able: string,
    limit: string,
  ][] = [
    ['is what the metrics ask for', request({ desired: 7 }), noHistory, 7, 'ReadyForNewScale', 'DesiredWithinRange'],
    [
      'falls only as far as the highest of five minutes',
      request({ desired: 2 }),
      past([200, 4], [301, 9]),
      4,
      'ScaleDownStabilized',
      'DesiredWithinRange',
    ],
    ['at most doubles', request({ desired: 50 }), noHistory, 10, 'ReadyForNewScale', 'ScaleUpLimit'],
    ['may be four at once', request({ current: 1, desired: 50 }), noHistory, 4, 'ReadyForNewScale', 'ScaleUpLimit'],
    ['stays at the most', request({ desired: 50, max: 8 }), noHistory, 8, 'ReadyForNewScale', 'TooManyReplicas'],
    ['stays at the least', request({ desired: 1, min: 3 }), noHistory, 3, 'ReadyForNewScale', 'TooFewReplicas'],
    [
      'rises only to the lowest of its window',
      request({ desired: 9, behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } }),
      past([30, 6], [70, 2]),
      6,
      'ScaleUpStabilized',
      'DesiredWithinRange',
    ],
    [
      'falls by its own window',
      request({ desired: 2, behavior: { scaleDown: { stabilizationWindowSeconds: 10 } } }),
      past([9, 4], [20, 9]),
      4,
      'ScaleDownStabilized',
      'DesiredWithinRange',
    ],
    [
      'rises by pods at a time',
      request({ desired: 50, behavior: { scaleUp: { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] } } }),
      noHistory,
      7,
      'ReadyForNewScale',
      'ScaleUpLimit',
    ],
    [
      'falls by percent at a time',
      request({
        current: 10,
        desired: 1,
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 25, periodSeconds: 60 }] },
        },
      }),
      noHistory,
      7,
      'ReadyForNewScale',
      'ScaleDownLimit',
    ],
    [
      'takes the smallest of several policies where it says so',
      request({
        current: 10,
        desired: 50,
        behavior: {
          scaleUp: {
            selectPolicy: 'Min',
            policies: [
              { type: 'Pods', value: 2, periodSeconds: 60 },
              { type: 'Percent', value: 100, periodSeconds: 60 },
            ],
          },
        },
      }),
      noHistory,
      12,
      'ReadyForNewScale',
      'ScaleUpLimit',
    ],
    [
      'takes the largest by default',
      request({
        current: 10,
        desired: 50,
        behavior: {
          scaleUp: {
            policies: [
              { type: 'Pods', value: 2, periodSeconds: 60 },
              { type: 'Percent', value: 100, periodSeconds: 60 },
            ],
          },
        },
      }),
      noHistory,
      20,
      'ReadyForNewScale',
      'ScaleUpLimit',
    ],
    [
      'stays where a direction is disabled',
      request({ desired: 1, behavior: { scaleDown: { selectPolicy: 'Disabled', stabilizationWindowSeconds: 0 } } }),
      noHistory,
      5,
      'ReadyForNewScale',
      'ScaleDownLimit',
    ],
  ]
  for (const [title, given, before, replicas, able, limit] of cases)
    it(title, () => {
      const found = normalize(given, before, now)
      assert.deepEqual([found.replicas, found.ableToScale.reason, found.scalingLimited.reason], [replicas, able, limit])
    })

  it('counts pods that were added within the period of a policy', () => {
    const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } }
    const before = withChange(withChange(noHistory, 3, now - 30_000), 10, now - 90_000)
    assert.equal(
      normalize(request({ desired: 50, behavior }), before, now).replicas,
      6,
      'three of four were added already',
    )
  })
})
