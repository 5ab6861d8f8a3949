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
  const inline = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd.example.com', volumeHandle: 'h' } }
  const below = 'spec.source.inlineVolumeSpec'
  const context = 'in the context of inline volumes'
  refusesToCreate(attachment, [
    ['an inline volume that is in order', (o) => (o.spec.source = { inlineVolumeSpec: inline }), []],
    [
      'an inline volume of nothing',
      (o) => (o.spec.source = { inlineVolumeSpec: {} }),
      [
        `${below}.csi: Required value: has to be specified ${context}`,
        `${below}.accessModes: Required value`,
        `${below}: Required value: must specify a volume type`,
      ],
    ],
    [
      'an inline volume with what only volumes of claims have',
      (o) =>
        (o.spec.source = {
          inlineVolumeSpec: {
            ...inline,
            claimRef: { name: 'c' },
            capacity: { storage: '1Gi' },
            persistentVolumeReclaimPolicy: 'Delete',
            nodeAffinity: { required: { nodeSelectorTerms: [] } },
            storageClassName: 'fast',
            volumeMode: 'Block',
          },
        }),
      [
        `${below}.claimRef: Forbidden: may not be specified ${context}`,
        `${below}.capacity: Forbidden: may not be specified ${context}`,
        `${below}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain ${context}`,
        `${below}.nodeAffinity: Forbidden: may not be specified ${context}`,
        `${below}.storageClassName: Forbidden: may not be specified ${context}`,
        `${below}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem ${context}`,
      ],
    ],
  ])
  refusesToUpdate(
    attachment,
    [
      [
        'messages of 1025 bytes',
        (o) => {
          const error = { message: 'x'.repeat(1025) }
          o.status = { attached: false, attachError: error, detachError: error }
        },
        ['status.attachError.message: Too long…', 'status.detachError.message: Too long…'],
      ],
      [
        'a message of 1024 bytes, which is none',
        (o) => (o.status = { attached: false, attachError: { message: 'x'.repeat(1024) } }),
        [],
      ],
    ],
    'status',
  )

  const populator = { apiGroup: 'example.com', kind: 'Populator', name: 'p' }
  it('a claim keeps a data source of any type under dataSourceRef, and under dataSource, too', () => {
    const given = { ...claim, spec: { ...(claim['spec'] as object), dataSource: undefined, dataSourceRef: populator } }
    const { object, findings } = created(given)
    assert.deepEqual(findings, [])
    assert.deepEqual(object['spec'], { ...(object['spec'] as object), dataSourceRef: populator, dataSource: populator })
    const after = updated(object, (o) => (o.metadata.labels = { a: 'b' }))
    assert.deepEqual(after.findings, [])
    assert.deepEqual(after.object['spec'], object['spec'])
  })
  it('a claim drops a data source of an unknown type under dataSource alone', () => {
    const given = { ...claim, spec: { ...(claim['spec'] as object), dataSource: populator, dataSourceRef: undefined } }
    const { object } = created(given)
    assert.ok(!('dataSource' in (object['spec'] as object)) && !('dataSourceRef' in (object['spec'] as object)))
  })

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
      [
        'status.allocatedResourceStatuses: Unsupported value: "Resizing": supported values: "ControllerResizeInProgress"',
      ],
    ],
    [
      'resources that are not for claims to have',
      {
        allocatedResourceStatuses: { cpu: 'NodeResizePending' },
        allocatedResources: { 'kubernetes.io/x': '1', 'a b': '1' },
      },
      [
        'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
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
    it(`a resize is refused with ${title}`, () => {
      const old = created(claim).object
      const { findings } = updated(old, (o) => Object.assign(o['status'] as object, status), { subresource: 'status' })
      assert.equal(findings.length, causes.length, findings.join('\n'))
      for (const [index, cause] of causes.entries()) assert.equal(findings[index]?.slice(0, cause.length), cause)
    })
})
