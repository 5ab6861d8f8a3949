import assert from 'node:assert/strict'
import { fieldErrors, jsonText } from '../../../lib/object/index.ts'

const most = 2n ** 63n - 1n

describe('object: JSON of integers beyond 2^53', () => {
  it('has all of their digits, and is as JSON.stringify makes it otherwise', () => {
    assert.equal(jsonText({ a: [most, 1, '1'], b: undefined }), '{"a":[9223372036854775807,1,"1"]}')
    assert.equal(jsonText({ a: most }, 1), '{\n "a": 9223372036854775807\n}')
  })
  it('is printed in errors', () => {
    const { message } = fieldErrors.immutable('data', { a: most })
    assert.equal(message, 'Invalid value: {"a":9223372036854775807}: field is immutable')
  })
})
