import assert from 'node:assert/strict'
import type { StatefulSet } from '../../../api/gen/apps/v1.ts'
import type { Job } from '../../../api/gen/batch/v1.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { listerOf } from '../../../lib/controller/index.ts'
import { plan as planDeployment } from '../../../lib/controllers/deployment/plan.ts'
import { plan as planJob } from '../../../lib/controllers/job/plan.ts'
import type { Action } from '../../../lib/controllers/statefulset/plan.ts'
import { plan as planSet } from '../../../lib/controllers/statefulset/plan.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const most = 2_147_483_647
const nowMs = Date.parse('2026-01-01T00:00:00Z')
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
}

/** Numbers in objects: the cost of a plan must not grow with them. */
describe('plans for the largest numbers', () => {
  function setOf(spec: Partial<StatefulSet['spec']>): Frozen<StatefulSet> {
    return {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { namespace: 'default', name: 'web', uid: 's1', generation: 1 },
      spec: { replicas: most, selector: { matchLabels: { app: 'web' } }, template, updateStrategy: {}, ...spec },
      status: { replicas: 0 },
    } as unknown as Frozen<StatefulSet>
  }

  function podOf(ordinal: number, revision = 'new'): Frozen<Pod> {
    const name = `web-${ordinal}`
    return {
      metadata: { namespace: 'default', name, uid: name, labels: { 'controller-revision-hash': revision } },
      spec: {},
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    } as unknown as Frozen<Pod>
  }

  const revisions = { current: { name: 'old', template }, update: { name: 'new', template } }
  const stepOf = (set: Frozen<StatefulSet>, pods: readonly Frozen<Pod>[], severalUnavailable = false) =>
    planSet({ set, pods, claims: listerOf([]), severalUnavailable }, revisions, nowMs)
  const textOf = (action: Action): string => ('pod' in action ? `${action.do} ${action.pod.metadata.name}` : action.do)

  it('an ordered set of two thousand million replicas makes the next pod', () => {
    const pods = [podOf(0), podOf(1)].map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels: labelled(pod) } }))
    assert.deepEqual(stepOf(setOf({}), pods).phases.flat().map(textOf), ['create web-2'])
  })

  const labelled = ({ metadata }: Frozen<Pod>) => ({
    ...metadata.labels,
    'statefulset.kubernetes.io/pod-name': metadata.name ?? '',
  })

  it('a parallel set of two thousand million replicas makes one burst of pods, and continues with the next at once', () => {
    const { phases, againAfterMs } = stepOf(setOf({ podManagementPolicy: 'Parallel' }), [podOf(1), podOf(most - 1)])
    const actions = phases.flat().map(textOf)
    assert.equal(againAfterMs, 1)
    assert.deepEqual(actions.slice(0, 3), ['create web-0', 'update web-1', 'create web-2'])
    assert.equal(actions.length, 500)
  })

  it('a set updates its pods beside two thousand million that are missing', () => {
    const set = setOf({
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%', partition: 1 } },
      ordinals: { start: 5 },
    })
    const old = [5, 6, 7].map((ordinal) => podOf(ordinal, 'old'))
    const deleted = stepOf(set, old, true)
      .phases.flat()
      .filter((action) => action.do === 'delete')
    assert.deepEqual(deleted.map(textOf), ['delete web-7', 'delete web-6'])
    // The default is one at a time, from the top: those that are missing come first.
    const one = { ...set, spec: { ...set.spec, updateStrategy: { type: 'RollingUpdate' } } }
    assert.equal(
      stepOf(one, old)
        .phases.flat()
        .some((action) => action.do === 'delete'),
      false,
    )
  })

  it('a set makes no pods of ordinals that it could not parse again', () => {
    const set = setOf({ podManagementPolicy: 'Parallel', ordinals: { start: most - 1 } })
    assert.deepEqual(stepOf(set, []).phases.flat().map(textOf), [`create web-${most - 1}`, `create web-${most}`])
  })

  it('an indexed job of two thousand million completions makes one batch of pods', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { namespace: 'default', name: 'pi', uid: 'j1' },
      spec: {
        parallelism: most,
        completions: most,
        completionMode: 'Indexed',
        backoffLimitPerIndex: most,
        successPolicy: { rules: [{ succeededIndexes: `0-${most - 1}`, succeededCount: most }] },
        selector: {},
        template,
      },
      status: { startTime: '2025-12-31T00:00:00Z', completedIndexes: `0-9,20-${most - 1000}`, failedIndexes: '12-14' },
    } as Frozen<Job>
    const failures = { count: 0, lastMs: 0 }
    const { create, status } = planJob({ job, pods: [], failures, endedMs: () => 0 }, nowMs)
    assert.equal(create.length, 500)
    assert.deepEqual(
      create.slice(0, 8).map(({ index }) => index),
      [10, 11, 15, 16, 17, 18, 19, most - 999],
    )
    assert.equal(status?.completedIndexes, `0-9,20-${most - 1000}`)
    assert.equal(status?.succeeded, most - 1000 - 20 + 1 + 10)
  })

  it('a set of a deployment that was more revisions than an annotation may name keeps the newest ones', () => {
    const annotations = {
      'deployment.kubernetes.io/revision': '7',
      'deployment.kubernetes.io/revision-history': Array.from({ length: 120_000 }, () => '1').join(','),
    }
    const set = { metadata: { name: 'a', annotations }, spec: { replicas: 1, template }, status: { replicas: 1 } }
    const other = {
      metadata: { name: 'b', annotations: { 'deployment.kubernetes.io/revision': '8' } },
      spec: { replicas: 0, template: { ...template, spec: { containers: [] } } },
      status: { replicas: 0 },
    }
    const deployment = {
      metadata: { name: 'd', namespace: 'default', uid: 'u' },
      spec: { replicas: most, selector: {}, template, strategy: { type: 'RollingUpdate' }, revisionHistoryLimit: most },
      status: {},
    }
    const seen = { deployment, sets: [set, other], pods: () => [] } as unknown as Parameters<typeof planDeployment>[0]
    const startMs = threadCpuMs()
    const changed = planDeployment(seen).change.find(({ set: { metadata } }) => metadata.name === 'a')
    const history = changed?.set.metadata.annotations?.['deployment.kubernetes.io/revision-history'] ?? ''
    assert.equal(history.length, 1999)
    assert.match(history, /^1,.*,1,7$/)
    assert.ok(threadCpuMs() - startMs < 2000, 'each of 120,000 revisions joined again takes a minute')
  })
})
