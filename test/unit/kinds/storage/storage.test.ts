import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
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
})
