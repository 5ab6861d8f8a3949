import assert from 'node:assert/strict'
import { applyMergePatch } from '../../../../lib/apply/index.ts'
import type { JsonObject } from '../../../../lib/object/index.ts'

// The cases of RFC 7386, appendix A, whose target and patch are objects, and some of our own.
const cases: readonly [document: string, patch: string, expected: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ['{"a":[1]}', '{"a":{"b":null,"c":1}}', '{"a":{"c":1}}'],
  ['{}', '{"a":[null]}', '{"a":[null]}'],
  ['{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ['{}', '{"constructor":{"prototype":{"x":1}}}', '{"constructor":{"prototype":{"x":1}}}'],
]

describe('JSON Merge Patch', () => {
  for (const [document, patch, expected] of cases) {
    it(`${document} with ${patch} is ${expected}`, () => {
      const before = JSON.parse(document) as JsonObject
      const change = JSON.parse(patch) as JsonObject
      assert.equal(JSON.stringify(applyMergePatch(before, change)), expected)
      assert.equal(JSON.stringify(change), patch)
      assert.equal(JSON.stringify(before), document)
      assert.equal(({} as Record<string, unknown>).x, undefined)
    })
  }
  it('a patch that is not an object answers 400', () => {
    assert.throws(() => applyMergePatch({}, []), {
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    })
  })
  it('null answers 400', () => {
    assert.throws(() => applyMergePatch({}, null), { code: 400, message: 'Invalid JSON Patch' })
  })
  it('hostile nesting answers 400', () => {
    const patch = JSON.parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))
    assert.throws(() => applyMergePatch({}, patch), { code: 400 })
  })
})
