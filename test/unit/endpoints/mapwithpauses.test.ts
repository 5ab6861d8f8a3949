import assert from 'node:assert/strict'
import { type Clock, createFakeClock } from '../../../lib/base/index.ts'
import { mapWithPauses } from '../../../lib/endpoints/answer/mapwithpauses.ts'

describe('mapWithPauses', () => {
  it('keeps order, and lets others run when the work takes long', async () => {
    const fake = createFakeClock()
    let turns = 0
    const clock: Clock = {
      ...fake,
      turn(_sinceMs, run) {
        turns++
        queueMicrotask(run)
        return { close() {} }
      },
    }
    const items = Array.from({ length: 640 }, (_, index) => index)
    const made = await mapWithPauses(
      items,
      (item) => {
        fake.advance(0.25)
        return item * 2
      },
      clock,
    )
    assert.deepEqual(
      made,
      items.map((item) => item * 2),
    )
    // After 8 ms at most: it looks at the clock after every eighth item, each of 0.25 ms.
    assert(turns >= 20 && turns <= 32, `${turns} turns`)
  })

  it('does short work in one go', async () => {
    const clock: Clock = { ...createFakeClock(), turn: () => assert.fail('no turn is needed') }
    assert.deepEqual(await mapWithPauses([1, 2, 3], String, clock), ['1', '2', '3'])
  })
})
