import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { podsOf, scalesOf, staleInMs } from '../../../lib/controllers/disruption/observe.ts'
import { needsScale, plan, type SomePod, withoutDisruptionTarget } from '../../../lib/controllers/disruption/plan.ts'
import { runScripts } from '../../support/controllerscript.ts'

const { pods, replicationcontrollers } = resources.core.v1
const { deployments, replicasets, statefulsets } = resources.apps.v1

runScripts('disruption', ({ key, nowMs, input, lister }) => {
  const listers = {
    budgets: lister(resources.policy.v1.poddisruptionbudgets),
    pods: lister(pods),
    deployments: lister(deployments),
    replicasets: lister(replicasets),
    statefulsets: lister(statefulsets),
    replicationcontrollers: lister(replicationcontrollers),
  }
  const budget = listers.budgets.get(key)
  if (!budget) return undefined
  const found = podsOf(budget, listers.pods)
  const { known, others, unmanaged } = scalesOf(found, listers)
  const scale = needsScale(budget) ? known + Number(input['others'] ?? 0) : 0
  const { status, notDeleted, againAfterMs } = plan({ budget, pods: found, scale }, nowMs)
  return {
    status,
    notDeleted: notDeleted.map(({ metadata }) => metadata.name),
    againAfterMs,
    ...(needsScale(budget) && unmanaged.length > 0
      ? { unmanaged: unmanaged.map(({ metadata }) => metadata.name) }
      : {}),
    ...(others.length > 0 ? { others } : {}),
  }
})

describe('a DisruptionTarget condition', () => {
  const sinceMs = Date.parse('2026-01-01T00:00:00Z')
  const podWith = (condition: object, phase = 'Running', more: object = {}): SomePod =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', ...more },
      spec: { containers: [] },
      status: {
        phase,
        conditions: [{ type: 'DisruptionTarget', lastTransitionTime: '2026-01-01T00:00:00Z', ...condition }],
      },
    }) as unknown as SomePod

  it('is stale after two minutes without a deletion', () => {
    assert.equal(staleInMs(podWith({ status: 'True' }), sinceMs + 1000), 119_000)
    assert.equal(staleInMs(podWith({ status: 'True' }), sinceMs + 120_000), 0)
  })

  it('stays where the pod has finished, is being deleted, or was ended by its kubelet, and where it is False', () => {
    assert.equal(staleInMs(podWith({ status: 'True' }, 'Failed'), sinceMs), undefined)
    assert.equal(staleInMs(podWith({ status: 'True' }, 'Running', { deletionTimestamp: 'x' }), sinceMs), undefined)
    assert.equal(staleInMs(podWith({ status: 'True', reason: 'TerminationByKubelet' }), sinceMs), undefined)
    assert.equal(staleInMs(podWith({ status: 'False' }), sinceMs), undefined)
  })

  it('a stale condition becomes False, without a reason', () => {
    const { status } = withoutDisruptionTarget(podWith({ status: 'True', reason: 'EvictionByEvictionAPI' }), sinceMs)
    assert.deepEqual(status.conditions, [
      { type: 'DisruptionTarget', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ])
  })
})
