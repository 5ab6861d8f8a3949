import assert from 'node:assert/strict'
import { runSlices, type Slices } from '../../../lib/base/index.ts'
import { deepEqual, deepEqualInSlices, semanticEqual, semanticEqualInSlices } from '../../../lib/object/index.ts'

const values: readonly unknown[] = [
  undefined,
  null,
  false,
  0,
  1,
  1n,
  '',
  'a',
  [],
  [null],
  ['a', { b: 1 }],
  ['a', { b: 2 }],
  {},
  { a: undefined },
  { a: null },
  { a: [] },
  { a: {} },
  { a: 1, b: [1, { c: 'd' }] },
  { b: [1, { c: 'd' }], a: 1n },
  { b: [1, { c: 'e' }], a: 1 },
  { b: [1, { c: 'd', e: null }], a: 1 },
]

describe('equality in slices', () => {
  it('is equality', () => {
    for (const [index, left] of values.entries())
      for (const [other, right] of values.entries()) {
        const which = `values ${index} and ${other}`
        assert.equal(runSlices(deepEqualInSlices(left, right)), deepEqual(left, right), which)
        assert.equal(runSlices(semanticEqualInSlices(left, right)), semanticEqual(left, right), which)
      }
  })

  it('has pauses where the values are wide, and none where they differ early', () => {
    const wide = (last: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, index === 9999 ? last : index]))
    const pauses = pausesOf(deepEqualInSlices({ spec: wide(0) }, { spec: wide(1) }))
    assert(pauses >= 4, `${pauses} pauses`)
    assert.equal(pausesOf(deepEqualInSlices({ a: 1, spec: wide(0) }, { a: 2, spec: wide(0) })), 0)
  })
})

function pausesOf(slices: Slices<unknown>): number {
  let pauses = 0
  while (!slices.next().done) pauses++
  return pauses
}
