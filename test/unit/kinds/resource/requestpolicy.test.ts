import assert from 'node:assert/strict'
import { checkCapacity } from '../../../../lib/kinds/resource/requestpolicy.ts'
import { type FieldError, FieldPath } from '../../../../lib/object/index.ts'

type Policy = NonNullable<Parameters<typeof checkCapacity>[1]['requestPolicy']>

function findings(requestPolicy: Policy, isShared = true): string[] {
  const errors: FieldError[] = []
  checkCapacity(errors, { value: '10Gi', requestPolicy }, isShared, FieldPath.root('c'))
  return errors.map(({ field, message }) => `${field.replace('c.requestPolicy', 'p')}: ${message}`)
}

describe('the request policy of a device’s capacity', () => {
  const cases: [string, Policy, string[]][] = [
    ['without limits', { default: '1Gi' }, []],
    ['with values', { default: '1Gi', validValues: ['1024Mi', '2Gi'] }, []],
    ['with a range', { default: '1Gi', validRange: { min: '0', max: '4Gi', step: '512Mi' } }, []],
    [
      'with values and a range',
      { default: '1Gi', validValues: ['1Gi'], validRange: { min: '0' } },
      [
        'p: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ],
    ],
    [
      'with values and no default',
      { validValues: ['1Gi'] },
      ['p.default: Required value: required when validValues is defined'],
    ],
    [
      'with a range and no default',
      { validRange: { min: '0' } },
      ['p.default: Required value: required when validRange is defined'],
    ],
    [
      'with descending values',
      { default: '1Gi', validValues: ['2Gi', '1Gi'] },
      ['p.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order'],
    ],
    [
      'with a value twice',
      { default: '1Gi', validValues: ['1Gi', '1024Mi'] },
      ['p.validValues[1]: Duplicate value: "1073741824"'],
    ],
    [
      'with a value above the capacity',
      { default: '1Gi', validValues: ['1Gi', '20480Mi'] },
      ['p.validValues[1]: Invalid value: "20Gi": option is larger than capacity value: 10Gi'],
    ],
    [
      'with a default that is none of its values',
      { default: '3Gi', validValues: ['1Gi'] },
      ['p.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy'],
    ],
    [
      'with too many values',
      { default: '1', validValues: Array.from({ length: 11 }, (_, index) => String(index + 1)) },
      [
        'p.validValues: Too many: 11: must have at most 10 items',
        'p.validValues: Invalid value: "1": default value is not valid according to the requestPolicy',
      ],
    ],
    [
      'with a range without a minimum',
      { default: '1Gi', validRange: { max: '2Gi' } },
      ['p.validRange.min: Required value: required when validRange is defined'],
    ],
    [
      'with a minimum above all',
      { default: '1Gi', validRange: { min: '20Gi' } },
      [
        'p.validRange.min: Invalid value: "20Gi": min is larger than capacity value: 10Gi',
        'p.validRange.min: Invalid value: "1Gi": default is less than min: 20Gi',
      ],
    ],
    [
      'with a maximum above the capacity, and one below all',
      { default: '1Gi', validRange: { min: '0', max: '20Gi' } },
      ['p.validRange.max: Invalid value: "20Gi": max is larger than capacity value: 10Gi'],
    ],
    [
      'with a maximum below all',
      { default: '3Gi', validRange: { min: '2Gi', max: '1Gi' } },
      [
        'p.validRange.max: Invalid value: "2Gi": min is larger than max: 1Gi',
        'p.validRange.max: Invalid value: "3Gi": default is more than max: 1Gi',
      ],
    ],
    [
      'with a step above the capacity',
      { default: '1Gi', validRange: { min: '1Gi', step: '10Gi' } },
      ['p.validRange.step: Invalid value: "10Gi": one step 11Gi is larger than capacity value: 10Gi'],
    ],
    [
      'with a default and a maximum beside the steps',
      { default: '3Gi', validRange: { min: '0', max: '5Gi', step: '2Gi' } },
      [
        'p.validRange.step: Invalid value: "3Gi": value is not a multiple of a given step (2Gi) from (0)',
        'p.validRange.step: Invalid value: "5Gi": value is not a multiple of a given step (2Gi) from (0)',
      ],
    ],
    [
      'with a step of nothing',
      { default: '1Gi', validRange: { min: '0', step: '0' } },
      ['p.validRange.step: Invalid value: "1Gi": value is not a multiple of a given step (0) from (0)'],
    ],
  ]
  for (const [title, policy, expected] of cases)
    it(`${title} is ${expected.length === 0 ? 'valid' : 'refused'}`, () => {
      assert.deepEqual(findings(policy), expected)
    })

  it('is refused for a device that is not shared', () => {
    assert.deepEqual(findings({ default: '1Gi' }, false), ['p: Forbidden: allowMultipleAllocations must be true'])
  })
})
