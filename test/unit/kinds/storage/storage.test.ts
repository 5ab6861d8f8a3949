import assert from 'node:assert/strict'
import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { created, updated } from '../../../support/kindrun.ts'
import { valid as claim } from '../../../support/valid/PersistentVolumeClaim.ts'
import { valid as storageClass } from '../../../support/valid/StorageClass.ts'
import { valid as attachment } from '../../../support/valid/VolumeAttachment.ts'

const expression = { key: 'zone', values: ['a', 'b'] }

describe('kinds: storage', () => {
  refusesToCreate(storageClass, [
    [
      'a topology that asks for nothing',
      (o) => (o.allowedTopologies = [{}]),
      ['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""'],
    ],
    [
      'the same topology in another order',
      (o) =>
        (o.allowedTopologies = [
          { matchLabelExpressions: [expression] },
          { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] },
        ]),
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
  ])
  refusesToCreate(attachment, [
    [
      'a volume without a name',
      (o) => (o.spec.source.persistentVolumeName = ''),
      [
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        'spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain…',
      ],
    ],
  ])
  refusesToUpdate(claim, [
    [
      'another volume mode',
      (o) => (o.spec.volumeMode = 'Block'),
      ['spec: Forbidden: spec is immutable…', 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
    [
      'no size',
      (o) => delete o.spec.resources.requests,
      [
        'spec.resources[storage]: Required value',
        'spec: Forbidden: spec is immutable…',
        'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
      ],
    ],
  ])

  const resizes: readonly [title: string, status: object, findings: readonly string[]][] = [
    [
      'a state that there is not',
      { allocatedResourceStatuses: { 'example.com/x': 'NodeResizePending', storage: 'Resizing' } },
      ['status.allocatedResourceStatus: Unsupported value: "Resizing": supported values: "ControllerResizeInProgress"'],
    ],
    [
      'resources that are not for claims to have',
      {
        allocatedResourceStatuses: { cpu: 'NodeResizePending' },
        allocatedResources: { 'kubernetes.io/x': '1', 'a b': '1' },
      },
      [
        'status.allocatedResourceStatus: Unsupported value: "cpu": supported values: "storage"',
        'status.allocatedResources: Unsupported value: "kubernetes.io/x": supported values: "storage"',
        'status.allocatedResources: Invalid value: "a b": name part must consist of',
      ],
    ],
    [
      'less than nothing',
      { allocatedResources: { storage: '-1' } },
      ['status.allocatedResources[storage]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'what is',
      { allocatedResources: { storage: '1' }, allocatedResourceStatuses: { storage: 'NodeResizePending' } },
      [],
    ],
  ]
  for (const [title, status, causes] of resizes)
    it(`resizing says ${title}`, () => {
      const old = created(claim).object
      const { findings } = updated(old, (o) => Object.assign(o['status'] as object, status), { subresource: 'status' })
      assert.equal(findings.length, causes.length, findings.join('\n'))
      for (const [index, cause] of causes.entries()) assert.equal(findings[index]?.slice(0, cause.length), cause)
    })
})
