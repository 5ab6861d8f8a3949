import assert from 'node:assert/strict'
import { compileSchema } from '../../../../lib/crd/schema/compile.ts'
import { createRuleEnvironment, createRuleSet } from '../../../../lib/crd/schema/rules.ts'

const positive = { type: 'object', properties: { x: { type: 'integer' } } }
const rule = (text: string): object => ({ 'x-kubernetes-validations': [{ rule: text }] })
const listOf = (items: object, more: object = {}): object => ({ type: 'array', items, ...more })
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
const keyedItem = {
  type: 'object',
  required: ['k'],
  properties: { k: { type: 'string' }, l: listOf({ ...positive, ...rule('self.x > 0') }) },
}

const schema = {
  type: 'object',
  properties: {
    plain: listOf({ ...positive, ...rule('self.x > 0') }),
    deep: listOf({ type: 'object', properties: { inner: listOf({ type: 'integer', ...rule('self > 0') }) } }),
    maps: listOf({ type: 'object', additionalProperties: { type: 'integer', ...rule('self > 0') } }),
    set: listOf({ type: 'integer', ...rule('self > 0') }, { 'x-kubernetes-list-type': 'set' }),
    keyed: listOf(keyedItem, keyed),
    optional: listOf({
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 0 || oldSelf.hasValue()', optionalOldSelf: true }],
    }),
  },
}

type Fields = Readonly<Record<string, unknown>>

/** Before, now, and the fields that are refused; all other violations are forgiven with a warning. */
const cases: readonly (readonly [title: string, old: Fields | undefined, now: Fields, refused: readonly string[]])[] = [
  ['a list as it was', { plain: [{ x: 0 }] }, { plain: [{ x: 0 }] }, []],
  ['a list as it was beside a change', { plain: [{ x: 0 }] }, { plain: [{ x: 0 }], set: [1] }, []],
  ['a list with another item more', { plain: [{ x: 0 }] }, { plain: [{ x: 0 }, { x: 1 }] }, ['plain[0]']],
  ['a new list', {}, { plain: [{ x: 0 }] }, ['plain[0]']],
  ['a new object', undefined, { plain: [{ x: 0 }] }, ['plain[0]']],
  ['a list that was null', { plain: null }, { plain: [{ x: 0 }] }, ['plain[0]']],
  ['a list within a list as it was', { deep: [{ inner: [0] }] }, { deep: [{ inner: [0] }] }, []],
  ['a list within a changed list', { deep: [{ inner: [0] }] }, { deep: [{ inner: [0] }, {}] }, ['deep[0].inner[0]']],
  ['maps within a list as it was', { maps: [{ a: 0 }] }, { maps: [{ a: 0 }] }, []],
  ['maps within a changed list', { maps: [{ a: 0 }] }, { maps: [{ a: 0, b: 1 }] }, ['maps[0][a]']],
  ['a set as it was', { set: [0] }, { set: [0] }, []],
  ['a changed set', { set: [0] }, { set: [0, 1] }, ['set[0]']],
  [
    'an item with keys as it was',
    { keyed: [{ k: 'a', l: [{ x: 0 }] }] },
    { keyed: [{ k: 'a', l: [{ x: 0 }] }, { k: 'b' }] },
    [],
  ],
  ['a list of a new item with keys', { keyed: [] }, { keyed: [{ k: 'a', l: [{ x: 0 }] }] }, ['keyed[0].l[0]']],
  ['a rule that looks at oldSelf', { optional: [0] }, { optional: [0] }, ['optional[0]']],
]

describe('rules on items that have no keys', () => {
  const rules = createRuleSet(compileSchema(schema as never), createRuleEnvironment())
  for (const [title, old, now, refused] of cases)
    it(`${refused.length === 0 ? 'forgive' : 'refuse'} ${title}`, () => {
      const { errors, warnings } = rules.validate(now, old)
      assert.deepEqual(
        errors.map(({ field }) => field),
        refused,
      )
      assert.equal(warnings.length, refused.length === 0 ? 1 : 0)
    })
})

describe('rules without an outcome', () => {
  const text = (format: string, rule: string): object => ({
    type: 'string',
    format,
    'x-kubernetes-validations': [{ rule }],
  })
  const broken: readonly (readonly [string, object, unknown, RegExp])[] = [
    ['a time', text('date-time', 'self == oldSelf'), 'soon', /^Invalid date-time formatted string soon: parsing time "soon" as "2006-01-02T15:04:05": cannot parse "soon" as "2006" evaluating rule: self/],
    ['a time with a month too many', text('date-time', 'self == self'), '2024-13-01T00:00:00Z', /: parsing time "2024-13-01T00:00:00Z": month out of range evaluating/],
    ['a day', text('date', 'self == self'), '2024-02-30', /^Invalid date formatted string 2024-02-30: parsing time "2024-02-30": day out of range evaluating/],
    ['a duration', text('duration', 'self == self'), 'long', /^Invalid duration long: unable to parse long as duration evaluating/],
    ['a rule that fails', { type: 'integer', 'x-kubernetes-validations': [{ rule: '1 / self == 1' }] }, 0, /^division by zero evaluating rule/],
    ['a rule that does not compile', { type: 'integer', 'x-kubernetes-validations': [{ rule: 'sel == 1' }] }, 0, /^rule compile error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'sel'/],
    ['a rule of another type', { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self' }] }, 0, /^rule compile error: cel expression must evaluate to a bool$/],
  ] // biome-ignore format: one line each
  for (const [what, a, value, message] of broken)
    it(`are refused, though nothing changed: ${what}`, () => {
      const schema = compileSchema({ type: 'object', properties: { a } } as never)
      const rules = createRuleSet(schema, createRuleEnvironment())
      const { errors, warnings } = rules.validate({ a: value }, { a: value })
      assert.equal(warnings.length, 0)
      assert.equal(errors.length, 1)
      const [, detail = ''] = /^Invalid value: "[a-z]+": (.*)$/s.exec(errors[0]?.message ?? '') ?? []
      assert.match(detail, message)
    })

  it('read a field of text without its format, and a time without a zone', () => {
    const a = {
      type: 'string',
      format: 'date-time',
      'x-kubernetes-validations': [{ rule: 'self.getFullYear() > 1960' }],
    }
    const rules = createRuleSet(compileSchema({ type: 'object', properties: { a } } as never), createRuleEnvironment())
    for (const value of ['', '2024-01-01T00:00:00', '2024-01-01T00:00:00.5'])
      assert.deepEqual(rules.validate({ a: value }, undefined).errors, [], value)
  })
})
