import assert from 'node:assert/strict'
import { createSeededRandom } from '../../../lib/base/index.ts'
import {
  causesCharactersMax,
  causesMax,
  deepEqual,
  equalityKey,
  fieldErrors,
  semanticEqual,
  statusErrors,
} from '../../../lib/object/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const subject = { group: '', kind: 'Pod' }

describe('causes of an invalid object', () => {
  it('are all listed up to their maximum, and counted beyond', () => {
    const errors = Array.from({ length: causesMax + 7 }, (_, index) => fieldErrors.required(`spec.a[${index}]`))
    const most = statusErrors.invalid(subject, 'p', errors.slice(0, causesMax))
    assert.equal(most.details?.causes?.length, causesMax)
    assert.match(most.message, /spec\.a\[999\]: Required value\]$/)
    const more = statusErrors.invalid(subject, 'p', errors)
    assert.equal(more.details?.causes?.length, causesMax)
    assert.match(more.message, /spec\.a\[999\]: Required value, and 7 more\]$/)
  })

  it('have a maximum of characters together; the first is listed whole', () => {
    const long = 'x'.repeat(causesCharactersMax)
    const errors = Array.from({ length: 9 }, (_, index) => fieldErrors.invalid(`f${index}`, long, 'too long'))
    const { message, details } = statusErrors.invalid(subject, 'p', errors)
    assert.equal(details?.causes?.length, 1)
    assert.match(message, /^Pod "p" is invalid: \[f0: Invalid value: "x+": too long, and 8 more\]$/)
  })

  it('causes that each show one large list take no longer than that list', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({ name: `item-${index}` }))
    const errors = Array.from({ length: 20_000 }, () => fieldErrors.invalid('list', list, 'holds too much'))
    const began = threadCpuMs()
    assert.equal(statusErrors.invalid(subject, 'p', errors).details?.causes?.length, 1)
    assert.ok(threadCpuMs() - began < 1000)
  })
})

describe('equality keys', () => {
  const random = createSeededRandom(3)
  const value = (depth: number): unknown => {
    const leaves = [null, undefined, 0, 1, 1n, '1', '', 'a', true, false, [], {}, 1.5]
    const kind = depth === 0 ? 2 : random.below(3)
    if (kind === 0) return Array.from({ length: random.below(3) }, () => value(depth - 1))
    if (kind === 1) return Object.fromEntries(['b', 'a'].slice(random.below(3)).map((key) => [key, value(depth - 1)]))
    return leaves[random.below(leaves.length)]
  }
  const values = Array.from({ length: 400 }, () => value(2))

  for (const [title, equal, semantic] of [
    ['deepEqual', deepEqual, false],
    ['semanticEqual', semanticEqual, true],
  ] as const)
    it(`are the same exactly for values that ${title} finds equal`, () => {
      const keys = values.map((each) => equalityKey(each, { semantic }))
      for (const [i, left] of values.entries())
        for (const [j, right] of values.entries())
          assert.equal(keys[i] === keys[j], equal(left, right), `${String(keys[i])} and ${String(keys[j])}`)
    })
})
