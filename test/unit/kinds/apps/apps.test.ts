import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { valid as daemonSet } from '../../../support/valid/DaemonSet.ts'
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
})
