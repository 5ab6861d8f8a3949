import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { deepEqual, equalityKey, semanticEqual } from '../../../lib/object/index.ts'

/** Few different leaves and keys, so that two of them are often equal. */
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(null, false, 0, 1, '', 'a', '1'),
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '1', '__proto__'), tie('tree'), { maxKeys: 2, noNullPrototype: true }),
  ),
}))
const pairs = fc.oneof(
  fc.tuple(tree, tree),
  tree.map((value) => [value, reversed(structuredClone(value))] as const),
)
const rounds = { numRuns: 5000, seed: 7 }

/** The same value, with the keys of its objects in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, each]) => [key, reversed(each)]))
}

describe('equality', () => {
  it('is that of Node for values of JSON', () => {
    let equal = 0
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        if (deepEqual(left, right)) equal++
        assert.equal(deepEqual(left, right), isDeepStrictEqual(left, right))
      }),
      rounds,
    )
    assert.ok(equal > rounds.numRuns / 3, `${equal} pairs were equal`)
  })

  for (const [name, isEqual, semantic] of [
    ['deepEqual', deepEqual, false],
    ['semanticEqual', semanticEqual, true],
  ] as const)
    it(`equality by ${name} is that of keys`, () => {
      const keyOf = (value: unknown): string => equalityKey(value, { semantic })
      fc.assert(
        fc.property(pairs, ([left, right]) => {
          assert.equal(keyOf(left) === keyOf(right), isEqual(left, right), `${keyOf(left)} and ${keyOf(right)}`)
        }),
        rounds,
      )
    })

  it('equality by semanticEqual holds wherever deepEqual does, and both ways round', () => {
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        if (deepEqual(left, right)) assert.ok(semanticEqual(left, right))
        assert.equal(semanticEqual(left, right), semanticEqual(right, left))
      }),
      rounds,
    )
  })
})
