import assert from 'node:assert/strict'
import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { plan } from '../../../lib/controllers/deployment/plan.ts'

const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
})

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    namespace: 'default',
    name: 'web',
    uid: 'one',
    annotations: { 'deployment.kubernetes.io/revision': '3' },
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: template('three'),
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  },
  status: {},
} as unknown as Frozen<Deployment>

function set(name: string, revision: number, replicas: number, availableReplicas: number): Frozen<ReplicaSet> {
  const annotations = {
    'deployment.kubernetes.io/revision': String(revision),
    'deployment.kubernetes.io/desired-replicas': '3',
    'deployment.kubernetes.io/max-replicas': '4',
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { namespace: 'default', name, creationTimestamp: `2026-01-0${revision}T00:00:00Z`, annotations },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template(name) },
    status: { replicas: availableReplicas, availableReplicas },
  } as unknown as Frozen<ReplicaSet>
}

describe('the plan of a rolling deployment', () => {
  const sizes = (sets: Frozen<ReplicaSet>[]): [string, number][] =>
    plan({ deployment, sets, pods: () => [] }).change.map(({ set: { metadata, spec } }) => [
      metadata.name ?? '',
      spec.replicas ?? 1,
    ])

  it('takes pods of old sets that new ones make superfluous', () => {
    assert.deepEqual(sizes([set('one', 1, 1, 1), set('two', 2, 1, 1), set('three', 3, 2, 2)]), [['one', 0]])
  })

  it('does not count pods that a set which was made smaller is about to lose', () => {
    // Three are to stay available: one of each set. The second one of the first set goes anyway.
    assert.deepEqual(sizes([set('one', 1, 1, 2), set('two', 2, 2, 1), set('three', 3, 1, 1)]), [['two', 1]])
  })
})
