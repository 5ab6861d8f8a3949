import assert from 'node:assert/strict'
import { Breather, createFakeClock, largeBytesMin, systemClock } from '../../../lib/base/index.ts'

describe('a breather', () => {
  it('knows work on something large by the largest size that it was told', () => {
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
})
