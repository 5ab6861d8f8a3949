import assert from 'node:assert/strict'
import {
  Breather,
  type Clock,
  createFakeClock,
  largeBytesMin,
  type Slices,
  systemClock,
} from '../../../lib/base/index.ts'

describe('a breather', () => {
  it('knows work on something large by the largest size that it was given', () => {
    const breather = new Breather(createFakeClock())
    breather.note(largeBytesMin - 1)
    assert.equal(breather.isLarge, false)
    breather.note(largeBytesMin)
    breather.note(1)
    assert.equal(breather.isLarge, true)
  })

  it('pauses until others have run', async () => {
    let ran = false
    setImmediate(() => (ran = true))
    await new Breather(systemClock).pause()
    assert.ok(ran)
  })

  it('runs the slices of something small at once, and lets others run between those of something large', async () => {
    const seen: string[] = []
    function* work(): Slices<string> {
      for (const slice of ['first', 'second']) {
        seen.push(slice)
        yield
      }
      return 'done'
    }
    const breather = new Breather(systemClock)
    assert.equal(breather.run(work()), 'done')
    breather.note(largeBytesMin)
    seen.length = 0
    setImmediate(() => seen.push('others'))
    assert.equal(await breather.run(work()), 'done')
    assert.deepEqual(seen, ['first', 'others', 'second'])
  })

  it('in turns: pauses only when some milliseconds have gone by', async () => {
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
    const work = function* (): Slices<string> {
      for (let step = 0; step < 12; step++) {
        clock.advance(1)
        yield
      }
      return 'done'
    }
    assert.equal(await new Breather(counting).runInTurns(work()), 'done')
    assert.equal(pauses, 2)
  })
})
