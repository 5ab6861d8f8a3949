import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { runSlices, sortInSlices } from '../../../lib/base/index.ts'

describe('sortInSlices', () => {
  it('sorts as sort does, and keeps the order of equal items', () => {
    const items = fc.array(fc.record({ key: fc.nat(20), at: fc.nat() }), { maxLength: 50 })
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 200 }), (some, times) => {
        const all = Array.from({ length: times }, () => some).flat()
        const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key
        assert.deepEqual(runSlices(sortInSlices(all, byKey)), [...all].sort(byKey))
      }),
    )
  })

  it('has pauses where the list is long', () => {
    const items = Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 50_021)
    const slices = sortInSlices(items, (a, b) => a - b)
    let pauses = 0
    while (!slices.next().done) pauses++
    assert(pauses > 50, `${pauses} pauses`)
  })
})
