import assert from 'node:assert/strict'
import { type Clock, createFakeClock, type PausableWork, Pauses, systemClock } from '../../../lib/base/index.ts'

describe('pauses', () => {
  it('a pause lasts until others have run', async () => {
    let ran = false
    setImmediate(() => (ran = true))
    await new Pauses(systemClock).pause()
    assert.ok(ran)
  })

  it('long work pauses only when some milliseconds have gone by', async () => {
    const clock = createFakeClock()
    let pauses = 0
    const counting: Clock = {
      ...clock,
      turn(_sinceMs, run) {
        pauses++
        queueMicrotask(run)
        return { close() {} }
      },
    }
    const work = function* (): PausableWork<string> {
      for (let step = 0; step < 12; step++) {
        clock.advance(1)
        yield
      }
      return 'done'
    }
    assert.equal(await new Pauses(counting).run(work()), 'done')
    assert.equal(pauses, 2)
  })
})
