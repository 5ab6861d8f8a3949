import assert from 'node:assert/strict'
import type { ApiObject } from '../../../../lib/object/index.ts'
import type { Loose } from '../../../support/kindcases.ts'
import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { created, updated } from '../../../support/kindrun.ts'
import { valid as daemonSet } from '../../../support/valid/DaemonSet.ts'
import { valid as deployment } from '../../../support/valid/Deployment.ts'
import { valid as replicaSet } from '../../../support/valid/ReplicaSet.ts'
import { valid as statefulSet } from '../../../support/valid/StatefulSet.ts'

describe('kinds: apps', () => {
  refusesToCreate(statefulSet, [
    [
      'a container may mount what a claim template makes',
      (o) => (o.spec.template.spec.containers[0].volumeMounts = [{ name: 'd', mountPath: '/data' }]),
      [],
    ],
    [
      'a claim template takes the place of a volume of its name',
      (o) => (o.spec.template.spec.volumes = [{ name: 'd', hostPath: { path: '' } }]),
      [],
    ],
    [
      'a mount of nothing',
      (o) => (o.spec.template.spec.containers[0].volumeMounts = [{ name: 'e', mountPath: '/data' }]),
      ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "e"'],
    ],
    [
      'a claim template without a name',
      (o) => delete o.spec.volumeClaimTemplates[0].metadata.name,
      [
        'spec.template.spec.volumes[0].persistentVolumeClaim.claimName: Required value',
        'spec.template.spec.volumes[0].name: Required value',
      ],
    ],
  ])
  refusesToCreate(daemonSet, [
    [
      'a selector that is not there matches nothing',
      (o) => delete o.spec.selector,
      ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
    ],
    [
      'a selector that is no selector',
      (o) => (o.spec.selector = { matchLabels: { a: '-' } }),
      ['spec.selector.matchLabels: Invalid value: "-": a valid label must be…'],
    ],
  ])
  refusesToCreate(daemonSet, [
    [
      'a text for a number takes nothing away',
      (o) => (o.spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 'x', maxSurge: 0 } }),
      [
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "x": a valid percent string must…',
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
    ],
  ])
  refusesToUpdate(daemonSet, [
    [
      'another selector, before anything else',
      (o) => (o.spec.selector = {}),
      [
        'spec.selector: Invalid value: {}: field is immutable',
        'spec.selector: Invalid value: {}: empty selector is invalid for daemonset',
      ],
    ],
  ])

  it('a stateful set reports the ready count by its whole path, the others by its name', () => {
    const counts = { replicas: 2, readyReplicas: 1, availableReplicas: 2 }
    for (const [valid, than] of [
      [statefulSet, 'status.readyReplicas'],
      [deployment, 'readyReplicas'],
      [replicaSet, 'readyReplicas'],
    ] as const) {
      const { findings } = updated(valid, (o: Loose) => (o.status = counts), { subresource: 'status' })
      assert.deepEqual(findings, [`status.availableReplicas: Invalid value: 2: cannot be greater than ${than}`])
    }
  })

  const reported: readonly [title: string, valid: ApiObject, status: object, findings: readonly string[]][] = [
    [
      'a deployment',
      deployment,
      { replicas: 1, updatedReplicas: 2, readyReplicas: 2, unavailableReplicas: -1 },
      [
        'unavailableReplicas: Invalid value: -1: must be greater than or equal to 0',
        'updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      ],
    ],
    [
      'a stateful set',
      statefulSet,
      { replicas: 1, updatedReplicas: 2, currentReplicas: 2 },
      [
        'currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
      ],
    ],
    [
      'a replica set, of nothing but what it has',
      replicaSet,
      { replicas: -1 },
      [
        'replicas: Invalid value: -1: must be greater than or equal to 0',
        'fullyLabeledReplicas: Invalid value: 0: cannot be greater than status.replicas',
        'readyReplicas: Invalid value: 0: cannot be greater than status.replicas',
        'availableReplicas: Invalid value: 0: cannot be greater than status.replicas',
      ],
    ],
  ]
  for (const [title, valid, status, expected] of reported)
    it(`counts of ${title} are checked in its own order`, () => {
      const { findings } = updated(valid, (o: Loose) => (o.status = status), { subresource: 'status' })
      assert.deepEqual(
        findings,
        expected.map((finding) => `status.${finding}`),
      )
    })

  it("a daemon set's status leaves the count of its templates alone", () => {
    const name = 'deprecated.daemonset.template.generation'
    const { object } = created(daemonSet)
    const change = (o: Loose): void => void (o.metadata.annotations = { mine: 'x' })
    const { object: after } = updated(object, change, { subresource: 'status' })
    assert.deepEqual(after.metadata.annotations, { mine: 'x', [name]: '1' })
  })
})
