import { deepEqual, equal } from 'node:assert/strict'
import { type Clock, createFakeClock, type FakeClock } from '../../../lib/base/index.ts'
import { Ticker } from '../../../lib/cache/watch/ticker.ts'

describe('the ticker of the cache', () => {
  let clock: FakeClock
  let ticker: Ticker
  let spentMs: number
  /** When each burst of work began. */
  let begunMs: number[]

  beforeEach(() => {
    clock = createFakeClock()
    spentMs = 0
    begunMs = []
    const working: Clock = { ...clock, monotonicMs: () => clock.monotonicMs() + spentMs }
    ticker = new Ticker(working, { sliceMs: 5, restMsMax: 10 })
  })
  afterEach(() => ticker.close())

  /** Asks for work that takes `costMs`, now and `again` ms later, and returns how long the second waited. */
  function waited(costMs: number, again: number): number | undefined {
    const start = clock.monotonicMs()
    const worker = {
      work(): boolean {
        begunMs.push(clock.monotonicMs() - start)
        spentMs += costMs
        return false
      },
    }
    ticker.want(worker)
    clock.advance(0)
    // What the work took is over before the next is asked for.
    spentMs = 0
    clock.advance(costMs + again)
    const asked = clock.monotonicMs() - start
    ticker.want(worker)
    for (let step = 0; step < 60 && begunMs.length < 2; step++) clock.advance(step === 0 ? 0 : 0.5)
    return begunMs[1] === undefined ? undefined : begunMs[1] - asked
  }

  const cases: [title: string, costMs: number, again: number, waits: [least: number, most: number]][] = [
    ['does the next at once after next to nothing', 0.05, 0.1, [0, 0]],
    ['rests ten times as long as a short burst took', 0.3, 0, [2.5, 3.5]],
    ['rests no longer than its limit after a long one', 4, 0, [9.5, 10.5]],
    ['does at once what comes after the rest', 0.3, 4, [0, 0]],
  ]
  for (const [title, costMs, again, [least, most]] of cases)
    it(title, () => {
      const waits = waited(costMs, again) ?? Number.NaN
      equal(waits >= least && waits <= most, true, `waited ${waits} ms`)
    })

  it('continues in the next tick with the rest of a slice', () => {
    let left = 3
    ticker.want({
      work(expired) {
        begunMs.push(clock.monotonicMs())
        spentMs += 6
        equal(expired(), true)
        return --left > 0
      },
    })
    clock.advance(0)
    deepEqual(begunMs, [0, 0, 0])
  })
})
