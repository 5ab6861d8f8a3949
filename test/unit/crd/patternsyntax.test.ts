import assert from 'node:assert/strict'
import { PatternSyntax } from '../../../lib/crd/definition/patternsyntax.ts'

describe('the syntax of patterns', () => {
  it('is checked once for a pattern that many schemas have', () => {
    const patterns = new PatternSyntax()
    assert(patterns.cost('^[a-z]+$') > 0)
    assert.equal(patterns.fault('^[a-z]+$'), undefined)
    assert.equal(patterns.cost('^[a-z]+$'), 0)
    assert.equal(patterns.fault('^[a-z]+$'), undefined)
  })

  it('is reported as often as it is wrong', () => {
    const patterns = new PatternSyntax()
    for (const _ of [1, 2]) {
      assert(patterns.cost('(a') > 0)
      assert.match(patterns.fault('(a') ?? '', /missing closing \)/)
      assert.equal(patterns.fault('((a{1,1000}){1,1000}){1,1000}'), 'error parsing regexp: expression too large')
    }
  })

  it('caches no long ones', () => {
    const patterns = new PatternSyntax()
    const long = 'a'.repeat(1000)
    assert.equal(patterns.fault(long), undefined)
    assert(patterns.cost(long) > 0)
  })
})
