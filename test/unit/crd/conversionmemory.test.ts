import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom } from '../../../lib/base/index.ts'
import { ConversionMemory } from '../../../lib/crd/conversion/memory.ts'

describe('the memory of converted objects', () => {
  it('keeps 64 MB, the newest of them, however many objects are converted', () => {
    const memory = new ConversionMemory(createFakeClock(), createSeededRandom(1))
    for (let index = 0; index < 300; index++) memory.set(`k${index}`, new Uint8Array(1_200_000))
    assert.ok(memory.bytes <= 64 * 1024 * 1024, `${memory.bytes} bytes`)
    assert.equal(memory.get('k0'), undefined)
    assert.equal(memory.get('k299')?.item.length, 1_200_000)
  })

  it('returns an answer for a minute and no longer', () => {
    const clock = createFakeClock()
    const memory = new ConversionMemory(clock, createSeededRandom(1))
    memory.set('k', new Uint8Array(1))
    clock.advance(59_999)
    assert.ok(memory.get('k'))
    clock.advance(1)
    assert.equal(memory.get('k'), undefined)
  })

  it('has answers asked for again before they are too old, each once and at another moment', () => {
    const clock = createFakeClock()
    const memory = new ConversionMemory(clock, createSeededRandom(1))
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`)
    for (const key of keys) memory.set(key, new Uint8Array(1))
    const due = (): number =>
      keys.filter((key) => {
        const converted = memory.get(key)
        return converted && memory.isDue(key, converted)
      }).length
    const found: number[] = []
    for (const seconds of [29, 35, 40, 45, 50, 55, 59]) {
      clock.advance(seconds * 1000 - clock.monotonicMs())
      found.push(due())
    }
    const [before, ...later] = found
    assert.equal(before, 0)
    assert.ok(
      later.slice(0, 5).every((count) => count > 5 && count < 40),
      found.join(),
    )
    assert.equal(
      later.reduce((sum, count) => sum + count, 0),
      100,
    )
  })

  it('drops one definition, and no other', () => {
    const memory = new ConversionMemory(createFakeClock(), createSeededRandom(1))
    memory.set('a x', new Uint8Array(1))
    memory.set('b x', new Uint8Array(1))
    memory.forget('a ')
    assert.deepEqual([memory.get('a x') !== undefined, memory.get('b x') !== undefined], [false, true])
  })
})
