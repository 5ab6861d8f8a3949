import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createWriteSpacing } from '../../../lib/controllers/shared/writespacing.ts'

describe('the time between writes of one key', () => {
  it('counts from the last write, for each key', () => {
    const clock = createFakeClock(0)
    const spacing = createWriteSpacing(clock, 200)
    assert.equal(spacing.leftMs('a'), 0)
    spacing.wrote('a')
    clock.advance(150)
    assert.deepEqual([spacing.leftMs('a'), spacing.leftMs('b')], [50, 0])
    spacing.wrote('a')
    clock.advance(150)
    assert.equal(spacing.leftMs('a'), 50)
    clock.advance(50)
    assert.equal(spacing.leftMs('a'), 0)
  })

  it('is forgotten with the key', () => {
    const spacing = createWriteSpacing(createFakeClock(0), 200)
    spacing.wrote('a')
    spacing.forget('a')
    assert.equal(spacing.leftMs('a'), 0)
  })
})
