import assert from 'node:assert/strict'
import { hasLargeDefaults } from '../../../lib/crd/definition/largedefaults.ts'

const fields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]))

describe('large defaults of a schema', () => {
  for (const [title, schema, isLarge] of [
    ['a schema without defaults has none', { type: 'object' }, false],
    ['a default of a few fields is none', { type: 'object', default: fields(3) }, false],
    ['a default of very many fields is one', { type: 'object', properties: { spec: { default: fields(2000) } } }, true],
    ['a default with a long text is one', { type: 'string', default: 'x'.repeat(70_000) }, true],
    [
      'many small defaults are large together',
      {
        type: 'object',
        properties: Object.fromEntries(Object.keys(fields(2100)).map((name) => [name, { default: 1 }])),
      },
      true,
    ],
    ['the defaults of a list that may be empty count for nothing', { items: { default: fields(3000) } }, false],
  ] as const)
    it(title, () => assert.equal(hasLargeDefaults(schema as never), isLarge))

  it('a version without a schema has none', () => assert.equal(hasLargeDefaults(undefined), false))
})
