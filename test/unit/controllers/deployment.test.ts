import assert from 'node:assert/strict'
import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import { plan } from '../../../lib/controllers/deployment/plan.ts'
import { statusAfter } from '../../../lib/controllers/deployment/status.ts'
import type { Frozen } from '../../../lib/object/index.ts'

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

  it('deletes pods of old sets that new ones make superfluous', () => {
    assert.deepEqual(sizes([set('one', 1, 1, 1), set('two', 2, 1, 1), set('three', 3, 2, 2)]), [['one', 0]])
  })

  it('does not count pods that a smaller set is about to delete', () => {
    // Three are to stay available: one of each set. The second one of the first set goes anyway.
    assert.deepEqual(sizes([set('one', 1, 1, 2), set('two', 2, 2, 1), set('three', 3, 1, 1)]), [['two', 1]])
  })
})

describe('the annotation that asks a deployment for an older template', () => {
  const key = 'deprecated.deployment.rollback.to'
  const asking = (to: string, more: object = {}): Frozen<Deployment> => ({
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...deployment.metadata.annotations, note: 'new', [key]: to } },
    spec: { ...deployment.spec, ...more },
  })
  const older = set('two', 2, 0, 0)
  const sets = [
    set('one', 1, 0, 0),
    { ...older, metadata: { ...older.metadata, annotations: { ...older.metadata.annotations, note: 'old' } } },
  ]
  const all = [...sets, set('three', 3, 3, 3)]
  const planned = (to: string, of = all) => plan({ deployment: asking(to), sets: of, pods: () => [] }).rollback
  const image = (of: Frozen<Deployment> | undefined) => of?.spec.template.spec.containers?.[0]?.image

  const cases: [title: string, to: string, of: Frozen<ReplicaSet>[], image: string, reason: string, message: string][] =
    [
      ['a revision', '1', all, 'one', 'DeploymentRollback', 'Rolled back deployment "web" to revision 1'],
      ['the one before the last', '0', all, 'two', 'DeploymentRollback', 'Rolled back deployment "web" to revision 2'],
      [
        'the present one',
        '3',
        all,
        'three',
        'DeploymentRollbackTemplateUnchanged',
        'The rollback revision contains the same template as current deployment "web"',
      ],
      [
        'none before the last',
        '0',
        all.slice(2),
        'three',
        'DeploymentRollbackRevisionNotFound',
        'Unable to find last revision.',
      ],
      [
        'an unknown one',
        '7',
        all,
        'three',
        'DeploymentRollbackRevisionNotFound',
        'Unable to find the revision to rollback to.',
      ],
    ]
  for (const [title, to, of, wanted, reason, message] of cases)
    it(`${title}: ${reason}, and the annotation is removed`, () => {
      const rollback = planned(to, of)
      assert.equal(image(rollback?.deployment), wanted)
      assert.equal(rollback?.deployment.metadata.annotations?.[key], undefined)
      assert.deepEqual([rollback?.event.reason, rollback?.event.message], [reason, message])
    })

  it('restores the annotations of that time, and no label of the set', () => {
    const labelled = {
      ...set('two', 2, 0, 0),
      spec: {
        ...sets[1]?.spec,
        template: { ...template('two'), metadata: { labels: { app: 'web', 'pod-template-hash': 'h' } } },
      },
    }
    const { deployment: after } =
      planned('0', [{ ...labelled, metadata: sets[1]?.metadata } as unknown as Frozen<ReplicaSet>, ...all.slice(2)]) ??
      {}
    assert.deepEqual(after?.metadata.annotations, { 'deployment.kubernetes.io/revision': '3', note: 'old' })
    assert.deepEqual(after?.spec.template, template('two'))
  })

  it('is ignored while the deployment is paused, and where it is no number', () => {
    const paused = plan({
      deployment: asking('1', { paused: true, revisionHistoryLimit: 0 }),
      sets: all,
      pods: () => [],
    })
    assert.deepEqual([paused.rollback, paused.remove], [undefined, []])
    assert.equal(planned('one'), undefined)
  })
})

describe('the set of a deployment’s template', () => {
  it('keeps its recorded sizes until it is resized, as they show that its deployment was', () => {
    const adopted = set('three', 3, 3, 3)
    const { 'deployment.kubernetes.io/max-replicas': _, ...annotations } = adopted.metadata.annotations ?? {}
    const sets = [{ ...adopted, metadata: { ...adopted.metadata, annotations } }]
    assert.deepEqual(plan({ deployment, sets, pods: () => [] }).change, [])
  })

  it('gets the revision after that of an adopted set, whichever int64 that is', () => {
    const adopted = set('old', 1, 3, 3)
    const annotations = {
      ...adopted.metadata.annotations,
      'deployment.kubernetes.io/revision': '3546343826724305832',
    }
    const { create, revision } = plan({
      deployment,
      sets: [{ ...adopted, metadata: { ...adopted.metadata, annotations } }],
      pods: () => [],
    })
    assert.equal(revision, '3546343826724305833')
    assert.equal(create?.metadata.annotations?.['deployment.kubernetes.io/revision'], revision)
  })

  it('gets the first revision beside a set whose own is no int64', () => {
    const adopted = set('old', 1, 3, 3)
    const annotations = { ...adopted.metadata.annotations, 'deployment.kubernetes.io/revision': '9223372036854775808' }
    const sets = [{ ...adopted, metadata: { ...adopted.metadata, annotations } }]
    assert.equal(plan({ deployment, sets, pods: () => [] }).revision, '1')
  })
})

describe('the status of a deployment', () => {
  const setWith = (name: string, revision: number, terminatingReplicas?: number): Frozen<ReplicaSet> => {
    const given = set(name, revision, 1, 1)
    const status = { ...given.status, ...(terminatingReplicas !== undefined && { terminatingReplicas }) }
    return { ...given, metadata: { ...given.metadata, uid: name }, status }
  }
  const terminatingOf = (sets: Frozen<ReplicaSet>[], reports: boolean): number | undefined => {
    const step = plan({ deployment, sets, pods: () => [] })
    return statusAfter(deployment, step, Date.parse('2026-01-04T00:00:00Z'), reports)?.status.terminatingReplicas
  }

  it('adds up the pods that are being deleted, once all of its sets report them', () => {
    assert.equal(terminatingOf([setWith('two', 2, 2), setWith('three', 3, 1)], true), 3)
    assert.equal(terminatingOf([setWith('two', 2), setWith('three', 3, 1)], true), undefined)
  })

  it('does not where the gate for it is off', () => {
    assert.equal(terminatingOf([setWith('two', 2, 2), setWith('three', 3, 1)], false), undefined)
  })
})
