import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createOverdueWatch } from '../../../lib/quota/index.ts'

describe('the time that an object has had to end', () => {
  const ending = { uid: 'a', deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }

  it('is counted twice from when its deletion was first seen, whatever the time of day', () => {
    const clock = createFakeClock(Date.parse('2040-01-01T00:00:00Z'))
    const { isOverdue } = createOverdueWatch(clock)
    assert.equal(isOverdue({ uid: 'a' }), false)
    assert.equal(isOverdue(ending), false)
    clock.advance(60_000)
    assert.equal(isOverdue(ending), false)
    clock.advance(1)
    assert.equal(isOverdue(ending), true)
  })

  it('begins again where another deletion shortens it', () => {
    const clock = createFakeClock()
    const { isOverdue } = createOverdueWatch(clock)
    assert.equal(isOverdue(ending), false)
    clock.advance(20_000)
    const sooner = { ...ending, deletionTimestamp: '2029-12-31T23:59:55Z', deletionGracePeriodSeconds: 5 }
    assert.equal(isOverdue(sooner), false)
    clock.advance(10_001)
    assert.equal(isOverdue(sooner), true)
  })

  it('is dropped with the object', () => {
    const clock = createFakeClock()
    const { isOverdue, forget } = createOverdueWatch(clock)
    isOverdue(ending)
    clock.advance(60_001)
    forget('a')
    assert.equal(isOverdue(ending), false)
  })
})
