import assert from 'node:assert/strict'
import { isOver } from '../../../lib/controllers/podcertificatecleaner/plan.ts'

describe('the cleaner of requests for certificates of pods', () => {
  const creationTimestamp = '2025-05-01T00:00:00Z'
  const createdMs = Date.parse(creationTimestamp)
  const minuteMs = 60_000

  it('deletes a request after a quarter of an hour', () => {
    assert.equal(isOver({ creationTimestamp }, createdMs + 15 * minuteMs - 1), false)
    assert.equal(isOver({ creationTimestamp }, createdMs + 15 * minuteMs), true)
  })
})
