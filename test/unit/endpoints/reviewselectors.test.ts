import assert from 'node:assert/strict'
import fc from 'fast-check'
import { selectorsOf } from '../../../lib/endpoints/virtual/reviewselectors.ts'
import { parseFieldSelector, parseLabelSelector } from '../../../lib/object/index.ts'

const words = [
  'a',
  'in',
  'notin',
  'x.io/in',
  'app',
  '',
  ' ',
  ',',
  '=',
  '!',
  '\\\\',
  '(',
  ')',
  'a,b',
  '!a',
  'a=b',
  '==',
  ' a ',
]
const word = fc.constantFrom(...words)
/** Keys and values are there: validation has asked for them. */
const requirement = fc.record({
  key: word.filter((each) => each !== ''),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
  values: fc.array(word, { minLength: 1, maxLength: 3 }),
})

/** What a requirement of one operator means, as text. */
const plain = (key: string, operator: string, values: readonly string[]): string =>
  `${key} ${operator} ${[...new Set(values)].sort().join('|')}`

describe('selectors of access reviews', () => {
  it('pass authorizers nothing but given requirements on labels', () => {
    const operators: Record<string, string> = { in: 'In', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' }
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 3 }), (requirements) => {
        const problems: string[] = []
        const { labelSelector } = selectorsOf({ labelSelector: { requirements } }, problems)
        const read = parseLabelSelector(labelSelector ?? '').requirements
        const given = new Set(
          requirements.map(({ key, operator, values }) => plain(key, operator, operator.endsWith('In') ? values : [])),
        )
        for (const { key, operator, values } of read)
          assert.ok(given.has(plain(key, operators[operator] ?? operator, values)), labelSelector ?? '')
        assert.ok(read.length === requirements.length || problems.length > 0, labelSelector ?? '')
      }),
      { numRuns: 3000 },
    )
  })

  it('pass authorizers nothing but given requirements on fields', () => {
    const operators: Record<string, string> = { '=': 'In', '!=': 'NotIn' }
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 3 }), (requirements) => {
        const problems: string[] = []
        const { fieldSelector } = selectorsOf({ fieldSelector: { requirements } }, problems)
        const read = parseFieldSelector(fieldSelector ?? '').requirements
        const given = new Set(requirements.map(({ key, operator, values }) => plain(key, operator, values.slice(0, 1))))
        for (const { field, operator, value } of read)
          assert.ok(given.has(plain(field, operators[operator] ?? '', [value])), fieldSelector ?? '')
        assert.ok(read.length === requirements.length || problems.length > 0, fieldSelector ?? '')
      }),
      { numRuns: 3000 },
    )
  })
})
