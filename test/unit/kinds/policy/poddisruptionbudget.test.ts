import assert from 'node:assert/strict'
import { created, updated } from '../../../support/kindrun.ts'
import { valid } from '../../../support/valid/PodDisruptionBudget.ts'

const fine = { type: 'a.b/C', status: 'True', lastTransitionTime: '2025-05-01T00:00:00Z', reason: 'A:b', message: '' }

describe('kinds: conditions in the status of a disruption budget', () => {
  const cases: readonly [title: string, conditions: readonly object[], findings: readonly string[]][] = [
    ['are well formed', [fine, { ...fine, type: 'D' }], []],
    [
      'lack everything',
      [{}],
      [
        'conditions[0].type: Invalid value: "": name part must be non-empty',
        'conditions[0].type: Invalid value: "": name part must consist of',
        'conditions[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
        'conditions[0].lastTransitionTime: Required value',
        'conditions[0].reason: Required value',
      ],
    ],
    [
      'are not what they should be',
      [fine, { ...fine, observedGeneration: -1, reason: '1', message: 'x'.repeat(32769) }],
      [
        'conditions[1].type: Duplicate value: "a.b/C"',
        'conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
        'conditions[1].reason: Invalid value: "1": a condition reason must start with alphabetic character',
        'conditions[1].message: Too long: may not be more than 32768 bytes',
      ],
    ],
    [
      'tell too much',
      [{ ...fine, reason: 'x'.repeat(1025) }],
      ['conditions[0].reason: Too long: may not be more than 1024 bytes'],
    ],
  ]
  for (const [title, conditions, causes] of cases)
    it(title, () => {
      const old = created(valid).object
      const { findings } = updated(old, (o) => (o['status'] = { conditions } as never), { subresource: 'status' })
      assert.deepEqual(
        findings.map((finding, index) => finding.slice(0, 'status.'.length + (causes[index]?.length ?? 0))),
        causes.map((cause) => `status.${cause}`),
      )
    })
})
