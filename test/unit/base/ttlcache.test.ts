import assert from 'node:assert/strict'
import { createFakeClock, createTtlCache } from '../../../lib/base/index.ts'

describe('a cache of values with a time each', () => {
  it('keeps up to a number, and evicts the least recently used first', () => {
    const cache = createTtlCache<object>(createFakeClock(), 3)
    const values = Array.from({ length: 4 }, () => ({}))
    const put = (at: number): void => cache.set(String(at), values[at] ?? {}, 10)
    for (let at = 0; at < 3; at++) put(at)
    assert.equal(cache.get('0'), values[0])
    put(3)
    cache.set('never', {}, 0)
    assert.deepEqual([cache.size, cache.get('1'), cache.get('never')], [3, undefined, undefined])
    assert.equal(cache.get('0'), values[0])
  })

  it('keeps each for its own time, from the clock at 0 on, and not a millisecond longer', () => {
    const clock = createFakeClock(0)
    const cache = createTtlCache<object>(clock, 3)
    cache.set('short', {}, 10)
    cache.set('long', {}, 20)
    clock.advance(9)
    assert.notEqual(cache.get('short'), undefined)
    clock.advance(1)
    assert.deepEqual([cache.get('short'), cache.get('long') === undefined], [undefined, false])
    clock.advance(10)
    assert.equal(cache.get('long'), undefined)
  })
})
