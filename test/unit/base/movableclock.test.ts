import assert from 'node:assert/strict'
import { createFakeClock, createMovableClock, type FakeClock, type MovableClock } from '../../../lib/base/index.ts'

describe('base: a movable clock', () => {
  let machine: FakeClock
  let clock: MovableClock
  let seen: string[]
  const note = (what: string) => (): void => void seen.push(`${what} at ${clock.monotonicMs()}`)

  beforeEach(() => {
    machine = createFakeClock(5000)
    clock = createMovableClock(machine, 1_000_000)
    seen = []
  })

  it('passes as the clock of the machine, whose timers wake it', () => {
    clock.after(20, note('second'))
    clock.after(10, note('first'))
    clock.every(15, note('every'))
    machine.advance(30)
    assert.deepEqual(seen, ['first at 10', 'every at 15', 'second at 20', 'every at 30'])
    assert.equal(clock.now(), 1_000_030)
    assert.equal(clock.nextDueMs, 45)
  })

  it('runs timers in order at their due times when it is moved, also those that others set', () => {
    clock.every(40, note('every'))
    clock.after(50, () => clock.after(10, note('later')))
    clock.after(50, note('same time'))
    clock.moveTo(100)
    assert.deepEqual(seen, ['every at 40', 'same time at 50', 'later at 60', 'every at 80'])
    assert.equal(clock.now(), 1_000_100)
    machine.advance(20)
    assert.equal(seen.at(-1), 'every at 120')
  })

  it('runs each due timer once at the new time when it jumps', () => {
    clock.every(40, note('every'))
    clock.after(50, note('once'))
    clock.jumpTo(1000)
    assert.deepEqual(seen, ['every at 1000', 'once at 1000'])
    assert.equal(clock.nextDueMs, 1040)
  })

  it('never moves back, and keeps what has passed on the machine', () => {
    machine.advance(70)
    clock.moveTo(30)
    assert.equal(clock.monotonicMs(), 70)
    clock.moveTo(80)
    machine.advance(5)
    assert.equal(clock.monotonicMs(), 85)
  })

  it('does not run timers that were closed, before or between two runs', () => {
    const once = clock.after(10, note('once'))
    const every = clock.every(10, note('every'))
    void once.close()
    clock.moveTo(25)
    void every.close()
    clock.moveTo(100)
    machine.advance(100)
    assert.deepEqual(seen, ['every at 10', 'every at 20'])
    assert.equal(clock.nextDueMs, Number.POSITIVE_INFINITY)
  })

  it('ends a sleep when it is moved, and at once when the signal aborts', async () => {
    const slept = clock.sleep(1000).then(note('slept'))
    const abort = new AbortController()
    const aborted = assert.rejects(clock.sleep(5000, abort.signal), /enough/)
    clock.moveTo(1000)
    await slept
    abort.abort(new Error('enough'))
    await aborted
    assert.equal(clock.nextDueMs, Number.POSITIVE_INFINITY)
    await assert.rejects(clock.sleep(1, abort.signal), /enough/)
  })

  it('waits for delays that are longer than a timer of the machine can be', () => {
    const days = 86_400_000
    clock.after(60 * days, note('late'))
    for (let day = 0; day < 60; day++) machine.advance(days)
    assert.deepEqual(seen, [`late at ${60 * days}`])
  })
})
