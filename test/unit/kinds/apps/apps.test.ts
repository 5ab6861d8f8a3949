import assert from 'node:assert/strict'
import type { Loose } from '../../../support/kindcases.ts'
import { updated } from '../../../support/kindrun.ts'
import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
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

  it('a stateful set calls the count of the ready by its whole path, the others by its name', () => {
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
})
