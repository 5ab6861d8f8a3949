import assert from 'node:assert/strict'
import fc from 'fast-check'
import { writeJson } from '../../../lib/codec/index.ts'
import { copyPlain } from '../../../lib/codec/json/plain.ts'

describe('plain copies of JSON values', () => {
  it('are what JSON text would bring back, and share nothing', () => {
    let copied = 0
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyPlain(value)
        if (copy === undefined) return
        copied++
        assert.deepEqual(copy, JSON.parse(writeJson(value)))
        if (typeof value === 'object' && value !== null) assert.notEqual(copy, value)
      }),
      { numRuns: 1000 },
    )
    // About 420, whatever the seed.
    assert.ok(copied > 200, `${copied}`)
  })

  const others: [string, unknown][] = [
    ['a number beyond 2^53', 2 ** 53],
    ['a negative zero', -0],
    ['a number with an exponent', 1e-7],
    ['a large fraction', 1e15 + 0.5],
    ['a bigint', 5n],
    ['a lone surrogate', 'a\ud800'],
    ['a map', new Map([['a', 1]])],
    ['a key that is none to JavaScript', JSON.parse('{"a":{"__proto__":1}}')],
    ['too deep a nesting', JSON.parse('['.repeat(10_001) + ']'.repeat(10_001))],
  ]
  for (const [what, value] of others) {
    it(`are not made of ${what}`, () => {
      assert.equal(copyPlain(value), undefined)
      assert.equal(copyPlain({ list: [value] }), undefined)
    })
  }

  it('leave out what is undefined', () => assert.deepEqual(copyPlain({ a: undefined, b: [null] }), { b: [null] }))
})
