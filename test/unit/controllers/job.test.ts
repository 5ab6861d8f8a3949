import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { IndexSet } from '../../../lib/controllers/job/indexset.ts'
import { plan } from '../../../lib/controllers/job/plan.ts'
import { finishedMs, trackingFinalizer } from '../../../lib/controllers/job/pod.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { runScripts } from '../../support/controllerscript.ts'

/**
 * `input.pods`: pods as `name running index=2 code=42 failures=1`: name, then `pending`, `running`, `ready`, `succeeded`,
 * `failed`, `going`, `released` (without the finalizer), `disrupted` (condition DisruptionTarget).
 */
runScripts('job', ({ input, lister, nowMs, key }) => {
  const job = lister(resources.batch.v1.jobs).get(key)
  if (!job) return undefined
  const pods = ((input['pods'] ?? []) as string[]).map(podOf)
  const failures = (input['failures'] ?? { count: 0, lastMs: 0 }) as { count: number; lastMs: number }
  const step = plan({ job, pods, failures, endedMs: finishedMs }, nowMs)
  const names = (of: readonly Frozen<Pod>[]) => (of.length === 0 ? undefined : of.map(({ metadata }) => metadata.name))
  const { status } = step
  return {
    create:
      step.create.length === 0
        ? undefined
        : step.create.map(({ index, failures: f }) =>
            index === undefined ? 'pod' : `${index}${f ? ` after ${f.counted}+${f.ignored}` : ''}`,
          ),
    drop: names(step.drop),
    kill: names(step.kill),
    release: names(step.release),
    events: step.events.length === 0 ? undefined : step.events.map(({ reason, message }) => `${reason}: ${message}`),
    againAfterMs: step.againAfterMs,
    counts:
      status &&
      `active ${status.active} succeeded ${status.succeeded} failed ${status.failed} terminating ${status.terminating}`,
    uncounted:
      status?.uncountedTerminatedPods && Object.keys(status.uncountedTerminatedPods).length > 0
        ? status.uncountedTerminatedPods
        : undefined,
    indexes: status?.completedIndexes,
    failedIndexes: status?.failedIndexes || undefined,
    completionTime: input['tellsTime'] ? status?.completionTime : undefined,
    startTime: input['tellsTime'] ? (status?.startTime ?? 'none') : undefined,
    conditions: status?.conditions?.map(
      ({ type, status: value, reason, message }) => `${type} ${value} ${reason}: ${message}`,
    ),
  }
})

function podOf(text: string): Frozen<Pod> {
  const [name = '', ...states] = text.split(' ')
  const is = (state: string): boolean => states.includes(state)
  const valueOf = (key: string) => states.find((each) => each.startsWith(`${key}=`))?.slice(key.length + 1)
  const index = valueOf('index')
  const code = valueOf('code')
  const phase = is('failed') ? 'Failed' : is('succeeded') ? 'Succeeded' : is('pending') ? 'Pending' : 'Running'
  const terminated = { exitCode: Number(code ?? (is('failed') ? 1 : 0)), finishedAt: '2025-12-31T23:59:58Z' }
  const over = is('failed') || is('succeeded')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      creationTimestamp: '2025-12-31T00:00:00Z',
      ...(is('released') ? {} : { finalizers: [trackingFinalizer] }),
      ...(is('going') ? { deletionTimestamp: '2025-12-31T23:59:50Z' } : {}),
      annotations: {
        ...(index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': index }),
        ...(valueOf('failures') === undefined
          ? {}
          : { 'batch.kubernetes.io/job-index-failure-count': valueOf('failures') ?? '' }),
      },
    },
    spec: {},
    status: {
      phase,
      ...(over
        ? {
            containerStatuses: [
              {
                name: 'c',
                image: 'i',
                imageID: 'i',
                ready: false,
                restartCount: 0,
                state: { terminated },
                lastState: {},
              },
            ],
          }
        : {
            containerStatuses: [
              {
                name: 'c',
                image: 'i',
                imageID: 'i',
                ready: is('ready'),
                restartCount: Number(valueOf('restarts') ?? 0),
                state: {},
                lastState: {},
              },
            ],
          }),
      conditions: [
        ...(is('ready') ? [{ type: 'Ready', status: 'True' }] : []),
        ...(is('disrupted') ? [{ type: 'DisruptionTarget', status: 'True' }] : []),
      ],
    },
  }
}

describe('completion indexes', () => {
  for (const [text, indexes] of [
    ['', []],
    ['1', [1]],
    ['1,2', [1, 2]],
    ['1-3', [1, 2, 3]],
    ['0,2,4-7,9,10', [0, 2, 4, 5, 6, 7, 9, 10]],
  ] as const)
    it(`'${text}' is read and written`, () => {
      assert.equal(String(IndexSet.parse('', 11).plus(indexes)), text)
      assert.equal(String(IndexSet.parse(text, 11)), text)
      assert.equal(IndexSet.parse(text, 11).size, indexes.length)
    })
  it('indexes beyond the number of completions do not count, however large the range', () => {
    assert.equal(String(IndexSet.parse('1-4000000000,x,-3', 3)), '1,2')
  })
  it('a set of two thousand million indexes behaves like a set of numbers', () => {
    const all = IndexSet.parse('0-2147483647', 2_147_483_647)
    const left = all.minus(IndexSet.parse('0,5-7,2147483646', 2_147_483_647))
    assert.equal(String(left), '1-4,8-2147483645')
    assert.deepEqual([all.size, left.size], [2_147_483_647, 2_147_483_642])
    assert.deepEqual([left.has(7), left.has(8), left.has(2_147_483_646)], [false, true, false])
    assert.deepEqual([...left.gaps(2_147_483_647)], [0, 5, 6, 7, 2_147_483_646])
  })
  it('sets of indexes behave like sets of numbers', () => {
    const small = fc.uniqueArray(fc.nat(30))
    fc.assert(
      fc.property(small, small, (left, right) => {
        const [a, b] = [left, right].map((indexes) => IndexSet.parse('', 31).plus(indexes)) as [IndexSet, IndexSet]
        const listed = (of: Iterable<number>): string => String(IndexSet.parse('', 31).plus(of))
        assert.equal(String(a.union(b)), listed([...left, ...right]))
        assert.equal(String(a.minus(b)), listed(new Set(left).difference(new Set(right))))
        assert.deepEqual(
          [...a.gaps(31)],
          Array.from({ length: 31 }, (_, index) => index).filter((index) => !left.includes(index)),
        )
        for (let index = 0; index <= 31; index++) assert.equal(a.has(index), left.includes(index))
        assert.equal(String(IndexSet.parse(String(a), 31)), String(a))
      }),
    )
  })
})
