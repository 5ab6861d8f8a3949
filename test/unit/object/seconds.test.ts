import assert from 'node:assert/strict'
import { secondsToMs } from '../../../lib/object/index.ts'

describe('seconds of an int64', () => {
  const longest = 9_223_372_036_000
  const cases: [number | bigint, number][] = [
    [0, 0],
    [30, 30_000],
    [-1, -1000],
    [Number.MAX_SAFE_INTEGER, longest],
    [9_223_372_036_854_775_807n, longest],
    [-9_223_372_036_854_775_808n, -longest],
  ]
  for (const [seconds, expected] of cases)
    it(`${seconds} are ${expected} ms`, () => {
      assert.equal(secondsToMs(seconds), expected)
    })
})
