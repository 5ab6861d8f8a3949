import assert from 'node:assert/strict'
import { Pace } from '../../../lib/base/index.ts'

describe('a pace', () => {
  it('asks for a pause once a slice', () => {
    const pace = new Pace(3)
    const due = Array.from({ length: 7 }, () => pace.isDue())
    assert.deepEqual(due, [false, false, true, false, false, true, false])
  })

  it('counts work of any cost, and looks ahead, until it is restarted', () => {
    const pace = new Pace(100)
    pace.spend(60)
    assert.equal(pace.isSpent(), false)
    assert.equal(pace.isSpent(39), false)
    assert.equal(pace.isSpent(40), true)
    pace.spend(40)
    assert.equal(pace.isSpent(), true)
    pace.restart()
    assert.equal(pace.isSpent(99), false)
  })
})
