import assert from 'node:assert/strict'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const kinds = createKindSet(builtInKinds)
const limited = { nominalConcurrencyShares: 5, limitResponse: { type: 'Queue', queuing: { queues: 2 } } }

/** Cells hold numbers and booleans unchanged, although the columns have the type string. */
const cells: readonly [group: string, kind: string, fields: object, column: string, cell: unknown][] = [
  ['', 'ConfigMap', { data: { a: '1' }, binaryData: { b: 'MQ==' } }, 'Data', 2],
  ['', 'Secret', { data: { a: 'MQ==' } }, 'Data', 1],
  ['', 'Event', {}, 'Count', 1],
  ['', 'Event', { count: 3, series: { count: 7 } }, 'Count', 7],
  ['storage.k8s.io', 'StorageClass', { allowVolumeExpansion: true }, 'AllowVolumeExpansion', true],
  ['storage.k8s.io', 'StorageClass', {}, 'AllowVolumeExpansion', false],
  ['flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration', { spec: { limited } }, 'NominalConcurrencyShares', 5],
  ['flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration', { spec: { limited } }, 'Queues', 2],
  ['flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration', { spec: {} }, 'Queues', '<none>'],
]

describe('kinds: cells', () => {
  for (const [group, kind, fields, name, expected] of cells)
    it(`${kind} ${JSON.stringify(fields)}: ${name} is ${JSON.stringify(expected)}`, () => {
      const object = { apiVersion: 'v1', kind, metadata: { name: 'o' }, ...fields } as ApiObject
      const column = kinds.get(group, kind)?.columns?.find((one) => one.name === name)
      assert.ok(column)
      assert.equal(column.cell(object, { nowMs: 0, visitsLeft: 0 }), expected)
    })
})
