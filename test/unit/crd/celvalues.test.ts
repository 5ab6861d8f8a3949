import assert from 'node:assert/strict'
import { compile, createEnvironment, fromValue, kubernetesLibraries, toValue } from '../../../lib/cel/index.ts'
import { celTypeOf } from '../../../lib/crd/schema/celtypes.ts'
import { compileSchema } from '../../../lib/crd/schema/compile.ts'

const item = {
  type: 'object',
  properties: { k: { type: 'string' }, 'x-y': { type: 'integer' }, v: { type: 'integer' } },
}
const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: item }
const pairs = { ...keyed, 'x-kubernetes-list-map-keys': ['k', 'x-y'] }
const strings = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
const numbers = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } }
const schema = {
  type: 'object',
  properties: {
    set: strings,
    turned: strings,
    other: { type: 'array', items: { type: 'string' } },
    halves: numbers,
    list: keyed,
    changed: keyed,
    atomic: { type: 'array', items: item },
    pairs,
    absent: { type: 'string', nullable: true },
    inner: {
      type: 'object',
      nullable: true,
      properties: { x: { type: 'integer', nullable: true }, 'a-b': { type: 'string' }, if: { type: 'string' } },
    },
    names: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    kept: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { x: { type: 'integer' } },
    },
    keptElse: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { x: { type: 'integer' } },
    },
  },
}
const data = {
  set: ['a', 'b', 'c'],
  turned: ['c', 'b', 'a'],
  other: ['x', 'b', 'x'],
  halves: [1, 0.5],
  list: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  changed: [
    { k: 'c', v: 3 },
    { k: 'a', v: 9 },
  ],
  atomic: [{ k: 'a', v: 1 }],
  pairs: [
    { k: 'a', 'x-y': 1 },
    { k: 'a', 'x-y': 2 },
  ],
  absent: null,
  inner: { x: null, 'a-b': 'dash', if: 'word' },
  names: { a: null, b: 'c' },
  kept: { x: 1, unknown: { deep: [1] } },
  keptElse: { x: 1, unknown: { deep: [2] } },
}
/** Lists in another order, and `changed` in place of `list`. */
const oldData = { ...data, list: data.list.toReversed(), changed: data.list, pairs: data.pairs.toReversed() }
const self = celTypeOf(compileSchema(schema as Parameters<typeof compileSchema>[0]))
assert.ok(self)
const environment = createEnvironment({ variables: { self, oldSelf: self }, libraries: kubernetesLibraries() })

function result(expression: string): unknown {
  const compiled = compile(environment, expression)
  if (!compiled.ok) return `refused: ${compiled.issues.map(({ message }) => message).join('; ')}`
  assert.ok(self)
  const outcome = compiled.program.evaluate({ self: toValue(self, data), oldSelf: toValue(self, oldData) })
  return outcome.ok ? fromValue(outcome.value) : `failed: ${outcome.error.message}`
}

const cases: readonly (readonly [expression: string, wanted: unknown])[] = [
  // Sets: the order does not count, and a sum is a union that keeps the order of its left side.
  ['self.set == self.turned && self.turned == self.set', true],
  ["self.set == ['b', 'c', 'a'] && self.set != ['b', 'c']", true],
  ["['b', 'c', 'a'] == self.set", false],
  ['[self.set] == [self.turned] && self.set in [self.turned]', true],
  ["{'a': self.set} == {'a': self.turned} && optional.of(self.set) == optional.of(self.turned)", true],
  ['self.set + self.other', ['a', 'b', 'c', 'x']],
  ['self.other + self.set', ['x', 'b', 'x', 'a', 'b', 'c']],
  ["(self.set + self.other) == ['x', 'c', 'b', 'a']", true],
  ['self.set.filter(s, true) == self.turned', false],
  ['self.halves == [0.5, 1.0]', true],
  // Maps: by their keys, wherever they are; a sum replaces in place.
  ['self.list == oldSelf.list && oldSelf.list == self.list', true],
  ['self.list == oldSelf.list.filter(i, true)', true],
  ['self.changed == oldSelf.changed', false],
  ['(oldSelf.changed + self.changed).map(i, i.v)', [9, 2, 3]],
  ['(self.changed + oldSelf.changed).map(i, i.v)', [3, 1, 2]],
  ['(self.list + oldSelf.list) == oldSelf.list', true],
  ['self.pairs == oldSelf.pairs && size(self.pairs + oldSelf.pairs) == 2', true],
  [
    'self.list == self.atomic',
    "refused: found no matching overload for '_==_' applied to '(list(selfType.list.@idx), list(selfType.atomic.@idx))'",
  ],
  // A field that holds null is absent.
  ['has(self.absent) || has(self.inner.x) || self.?absent.hasValue()', false],
  ['self.absent', 'failed: no such key: absent'],
  ["dyn(self.names['a']) == null && has(self.names.a)", true],
  // Data is a map where its type is not known.
  ['type(self) == map && type(self.inner) == map', true],
  ["'a__dash__b' in dyn(self.inner) && dyn(self.inner)['a-b'] == 'dash' && dyn(self.inner).__if__ == 'word'", true],
  ['dyn(self.inner).size() == 3 && dyn(self.inner).exists(k, k == "x")', true],
  ["'%s'.format([dyn(self.list)])", '[{"k":"a", "v":1}, {"k":"b", "v":2}]'],
  // Fields without a schema count in comparisons of what has them.
  ['self.kept == self.kept && self.keptElse == self.keptElse', true],
]

describe('values of custom resources in expressions', () => {
  for (const [expression, wanted] of cases) {
    it(`${expression} is ${JSON.stringify(wanted)}`, () => assert.deepEqual(result(expression), wanted))
  }

  it('objects of one type differ where fields without a schema do', () => {
    const list = { type: 'array', items: schema.properties.kept }
    const type = celTypeOf(
      compileSchema({ type: 'object', properties: { l: list } } as Parameters<typeof compileSchema>[0]),
    )
    assert.ok(type)
    const env = createEnvironment({ variables: { self: type }, libraries: kubernetesLibraries() })
    const compiled = compile(env, 'self.l.map(a, self.l.map(b, a == b))')
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate({ self: toValue(type, { l: [data.kept, data.keptElse, { x: 1 }] }) })
    assert.ok(outcome.ok)
    assert.deepEqual(fromValue(outcome.value), [
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ])
  })
})
